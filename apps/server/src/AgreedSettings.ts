/**
 * The settings that decide for the api and for the engine, such as whether recipients must confirm. Each process with the
 * database tells the others fingerprints of its own, and both log a difference.
 */
import { createHmac } from "node:crypto"
import { type RunningProcess, SettingsAgreement } from "@kanmon/platform/processes"
import { Catalogue } from "@kanmon/core/PluginHost"
import { Effect, Layer, Option, Redacted } from "effect"
import { DataDirectory } from "./DataDirectory.ts"
import { instanceId } from "./roles/Shared.ts"
import { environment, Settings } from "./Settings.ts"

type Read = Settings["Service"]

/** By name, what the processes compare: values as they are used, so that a default equals the same value set explicitly. */
export const agreed: Readonly<Record<string, (settings: Read) => unknown>> = {
  KANMON_ALLOW_PRIVATE_TARGETS: ({ allowPrivateTargets }) => allowPrivateTargets,
  KANMON_BASE_URL: ({ baseUrl }) => baseUrl,
  KANMON_CONFIRM_RECIPIENTS: ({ confirmRecipients }) => confirmRecipients,
  KANMON_DEFAULT_PLAN: ({ defaultPlan }) => defaultPlan,
  KANMON_DNS_RESOLVER: ({ dnsResolver }) => Option.getOrNull(dnsResolver),
  KANMON_EMAILS_PER_HOUR: ({ emailsPerHour }) => emailsPerHour,
  KANMON_PAGES_DOMAIN: ({ pagesDomain }) => Option.getOrNull(pagesDomain),
  KANMON_PAGES_HOST: ({ pagesHost }) => Option.getOrNull(pagesHost),
  KANMON_PHONE_COUNTRIES: ({ phoneCountries }) => phoneCountries.toSorted(),
  KANMON_PLUGINS: ({ plugins }) => plugins.toSorted(),
  KANMON_REGIONS: ({ regions }) => regions.toSorted(),
  KANMON_RESERVED_DOMAINS: ({ reservedDomains }) => reservedDomains.toSorted(),
  KANMON_SIGNUP: ({ signUp }) => signUp,
  KANMON_SMS_COUNTRIES: ({ smsCountries }) => smsCountries.toSorted(),
  KANMON_SMS_PER_HOUR: ({ smsPerHour }) => smsPerHour,
  KANMON_STREAM_MEGABYTES: ({ streamMegabytes }) => streamMegabytes,
  KANMON_TLS_PORT: ({ tlsPort }) => Option.isSome(tlsPort),
  STRIPE_SECRET_KEY: ({ stripeSecretKey }) => Option.getOrNull(Option.map(stripeSecretKey, Redacted.value))
}

/** This process, as the others see it. The fingerprints are keyed by the secret that all share: they reveal no value. */
export const ownProcess: Effect.Effect<RunningProcess, never, Catalogue | DataDirectory | Settings> = Effect.gen(
  function* () {
    const settings = yield* Settings
    const { path, secret } = yield* DataDirectory
    const { channels } = yield* Catalogue
    const names = [...channels.values()].flatMap((channel) => Object.keys(channel.settings.fields))
    const values: ReadonlyArray<readonly [string, unknown]> = [
      ...Object.entries(agreed).map(([name, read]) => [name, read(settings)] as const),
      ...names.map((name) => [name, environment()[name] ?? null] as const)
    ]
    return {
      id: instanceId(path, "process"),
      roles: settings.roles,
      settings: Object.fromEntries(
        values.map(([name, value]) => [
          name,
          createHmac("sha256", Redacted.value(secret))
            .update(`${name}=${JSON.stringify(value)}`)
            .digest("base64url")
            .slice(0, 16)
        ])
      )
    }
  }
)

/** Compares this process with the others while it runs. */
export const layer = Layer.unwrap(Effect.map(ownProcess, SettingsAgreement.layer))
