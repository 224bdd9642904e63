/** What the settings mean for the own domains of status pages: where they lead, and who issues their certificates. */
import * as fs from "node:fs/promises"
import { isIP } from "node:net"
import type { AcmeSettings } from "@kanmon/engine/Acme"
import type { CustomDomainSettings } from "@kanmon/engine/CustomDomainWatch"
import { Effect, Option } from "effect"
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

/** A name that DNS records can lead to. */
const isPublicName = (name: string): boolean =>
  name.includes(".") && isIP(name) === 0 && !/[[:]|\.(localhost|local)$/.test(name)

export const read: Effect.Effect<
  { readonly customDomains: CustomDomainSettings; readonly acme: AcmeSettings },
  BadSetting,
  Settings
> = Effect.gen(function* () {
  const { acmeCaFile, acmeDirectoryUrl, acmeEmail, baseUrl, pagesDomain, pagesHost, tlsPort } = yield* Settings
  const own = new URL(baseUrl).hostname
  const host = Option.getOrUndefined(pagesHost) ?? (isPublicName(own) ? own : undefined)
  return {
    customDomains: {
      host,
      ownNames: host === undefined ? [own] : [own, host],
      pagesDomain: Option.getOrUndefined(pagesDomain),
      certificates: Option.isSome(tlsPort)
    },
    acme: {
      directory: acmeDirectoryUrl,
      email: Option.getOrUndefined(acmeEmail),
      ca: Option.isSome(acmeCaFile) ? yield* caFile(acmeCaFile.value) : undefined
    }
  }
})
