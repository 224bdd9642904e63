/** The settings for custom domains of status pages: their target, the reserved names, and the certificate authority. */
import * as fs from "node:fs/promises"
import { type AcmeSettings, type CustomDomainSettings, InstallationNames } from "@kanmon/monitoring/custom-domains"
import { Effect, Option, Redacted } from "effect"
import { BadSetting, Settings } from "./Settings.ts"

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

/** The external account binding: key id and key, or neither. */
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

export const read: Effect.Effect<
  { readonly customDomains: CustomDomainSettings; readonly acme: AcmeSettings },
  BadSetting,
  Settings
> = Effect.gen(function* () {
  const settings = yield* Settings
  const { acmeCaFile, acmeDirectoryUrl, acmeEmail, pagesDomain, pagesHost, signUp, tlsPort } = settings
  return {
    customDomains: {
      ...InstallationNames.names({
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
