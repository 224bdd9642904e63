/** What the settings mean for the custom domains of status pages: where they lead, which are taken, and who issues certificates. */
import * as fs from "node:fs/promises"
import { isIP } from "node:net"
import type { AcmeSettings } from "@kanmon/engine/certificates/Acme"
import type { CustomDomainSettings } from "@kanmon/engine/certificates/CustomDomainWatch"
import { Effect, Option, Redacted } from "effect"
import { BadSetting, Settings } from "../Settings.ts"

const caFile = (path: string): Effect.Effect<string, BadSetting> =>
  Effect.tryPromise({
    try: () => fs.readFile(path, "utf8"),
    catch: (cause) => new BadSetting({ setting: "ACME_CA_FILE", problem: (cause as Error).message })
  }).pipe(
    Effect.filterOrFail(
      (text) => text.includes("-----BEGIN CERTIFICATE-----"),
      () => new BadSetting({ setting: "ACME_CA_FILE", problem: "Expected a file with certificates in PEM form" })
    )
  )

/** What the authority gave for an account that its owner has there; both halves or neither. */
const binding = ({
  acmeKey,
  acmeKeyId
}: Pick<Settings["Service"], "acmeKey" | "acmeKeyId">): Effect.Effect<AcmeSettings["binding"], BadSetting> => {
  if (Option.isNone(acmeKeyId) && Option.isNone(acmeKey)) return Effect.succeed(undefined)
  if (Option.isNone(acmeKeyId) || Option.isNone(acmeKey))
    return new BadSetting({
      setting: Option.isNone(acmeKeyId) ? "ACME_EAB_KID" : "ACME_EAB_HMAC_KEY",
      problem: "The certificate authority gives a key id and a key together; set both, or neither"
    })
  if (!/^[\w+/-]+={0,2}$/.test(Redacted.value(acmeKey.value)))
    return new BadSetting({
      setting: "ACME_EAB_HMAC_KEY",
      problem: "Expected the key as the certificate authority shows it, in base64url"
    })
  return Effect.succeed({ keyId: acmeKeyId.value, key: acmeKey.value })
}

/** A name that DNS records can lead to. */
const isPublicName = (name: string): boolean =>
  name.includes(".") && isIP(name) === 0 && !/[[:]|\.(localhost|local)$/.test(name)

/** The names of the installation, and the one that custom domains lead to. */
export const names = (settings: {
  readonly baseUrl: string
  readonly pagesDomain?: string | undefined
  readonly pagesHost?: string | undefined
  readonly reservedDomains?: ReadonlyArray<string>
}): Pick<CustomDomainSettings, "host" | "pagesDomain" | "reserved"> => {
  const { baseUrl, pagesDomain, pagesHost, reservedDomains = [] } = settings
  const own = new URL(baseUrl).hostname.replace(/\.$/, "")
  const host = pagesHost ?? (isPublicName(own) ? own : undefined)
  return { host, pagesDomain, reserved: [...new Set([own, ...(host === undefined ? [] : [host]), ...reservedDomains])] }
}

export const read: Effect.Effect<
  { readonly customDomains: CustomDomainSettings; readonly acme: AcmeSettings },
  BadSetting,
  Settings
> = Effect.gen(function* () {
  const settings = yield* Settings
  const { acmeCaFile, acmeDirectoryUrl, acmeEmail, pagesDomain, pagesHost, signUp, tlsPort } = settings
  return {
    customDomains: {
      ...names({
        ...settings,
        pagesDomain: Option.getOrUndefined(pagesDomain),
        pagesHost: Option.getOrUndefined(pagesHost)
      }),
      trusted: signUp === "closed",
      certificates: Option.isSome(tlsPort)
    },
    acme: {
      directory: acmeDirectoryUrl,
      email: Option.getOrUndefined(acmeEmail),
      binding: yield* binding(settings),
      ca: Option.isSome(acmeCaFile) ? yield* caFile(acmeCaFile.value) : undefined
    }
  }
})
