/** Services that the api and the engine share: the database with the store over it, regions, and channels. */
import { Engine, Store } from "@kanmon/monitoring"
import { DefaultPlan, Plans } from "@kanmon/identity/billing"
import * as SecretCheck from "@kanmon/platform/database/SecretCheck"
import { deriveKey } from "@kanmon/platform/database/Secrets"
import { Regions } from "@kanmon/monitoring/regions"
import { AuthSettings } from "@kanmon/identity/accounts"
import { setupCodeOf } from "@kanmon/domain/SetupCode"
import { ChannelRunner } from "@kanmon/core/ChannelRunner"
import { Catalogue } from "@kanmon/core/PluginHost"
import { RecipientPolicy } from "@kanmon/core/Recipient"
import { basePath } from "@kanmon/protocol/BasePath"
import { Effect, Layer, Option, Redacted } from "effect"
import * as DatabaseChoice from "../DatabaseChoice.ts"
import { DataDirectory } from "../DataDirectory.ts"
import * as PluginSettings from "../PluginSettings.ts"
import { BadSetting, Settings } from "../Settings.ts"

/** Shorter secrets could be guessed from a copy of the database. */
export const shortestSecret = 32

/** A short secret is refused for a new database; one that is in use already only causes a warning. */
const secretIsLong = Layer.effectDiscard(
  Effect.gen(function* () {
    const { length } = Redacted.value((yield* DataDirectory).secret)
    if (length >= shortestSecret) return
    const has = `It has ${length} ${length === 1 ? "character" : "characters"} and needs at least ${shortestSecret}`
    if (yield* SecretCheck.isNew)
      return yield* new BadSetting({ setting: "KANMON_SECRET", problem: `${has}. Make one: openssl rand -hex 32` })
    yield* Effect.logWarning(
      `The secret of this installation is too short. ${has}. It is kept, because this database is encrypted under it; docs/operate/upgrade.md says what to do.`
    )
  })
)

/** The store over a migrated database, under the installation's secret. */
export const storeUnderSecret = Layer.unwrap(
  Effect.gen(function* () {
    const { keepSecret, secret } = yield* DataDirectory
    const settings = yield* Settings
    return Store.layer(secret, Option.isSome(settings.secret) ? Effect.void : keepSecret)
  })
).pipe(Layer.provide(secretIsLong))

/** The plan of organizations without a subscription. */
export const defaultPlan = Layer.effect(
  DefaultPlan,
  Effect.map(Settings, ({ defaultPlan }) => defaultPlan)
)

/** Accounts without a subscription need an existing plan. */
const defaultPlanExists = Layer.effectDiscard(
  Effect.gen(function* () {
    const all = yield* Effect.flatMap(Plans, ({ list }) => list)
    const { defaultPlan } = yield* Settings
    if (all.some(({ id }) => id === defaultPlan)) return
    const problem = `There is no plan ${defaultPlan}; there are ${all.map(({ id }) => id).join(", ")}`
    return yield* new BadSetting({ setting: "KANMON_DEFAULT_PLAN", problem })
  })
)

/** The store over the chosen database, migrated. */
export const store = defaultPlanExists.pipe(
  Layer.provideMerge(storeUnderSecret),
  Layer.provideMerge(DatabaseChoice.migrated),
  Layer.provide(defaultPlan),
  Layer.provide(Engine.streams)
)

/** The code with which the first account becomes an administrator: the same in every process and at every start. */
export const setupCode = Effect.map(DataDirectory, ({ secret }) =>
  Redacted.make(setupCodeOf(deriveKey(secret, "kanmon/auth/setup-code")))
)

/** Settings of the installation for accounts. */
export const authSettings = Layer.effect(
  AuthSettings,
  Effect.gen(function* () {
    const settings = yield* Settings
    const { secret } = yield* DataDirectory
    return AuthSettings.of({
      baseUrl: settings.baseUrl,
      apiUrl: `${settings.baseUrl}${basePath}`,
      secret: Redacted.make(deriveKey(secret, "kanmon/auth/sessions").toString("base64url")),
      signUp: settings.signUp,
      adminEmails: settings.adminEmails,
      setupCode: yield* setupCode
    })
  })
)

/** The policy for recipients of notifications: the api applies it to new channels, the engine to deliveries. */
const recipientPolicy = Layer.effect(
  RecipientPolicy,
  Effect.map(Settings, ({ confirmRecipients, emailsPerHour, phoneCountries, signUp, smsCountries, smsPerHour }) => ({
    // With sign-up closed, the operator knows all users who can enter an address.
    confirm: confirmRecipients === "always" || (confirmRecipients === "auto" && signUp === "open"),
    phonePrefixes: smsCountries,
    personPrefixes: phoneCountries,
    perHour: { email: emailsPerHour, phone: smsPerHour }
  }))
)

/** Channels with the operator's settings, read by the names that their plugins declare. */
const channelRunner = Layer.unwrap(
  Effect.gen(function* () {
    const { allowPrivateTargets } = yield* Settings
    const { channels } = yield* Catalogue
    const operator = yield* PluginSettings.read(channels)
    return ChannelRunner.layer({ dialer: { allowPrivate: allowPrivateTargets }, operator })
  })
)

const regions = Layer.unwrap(Effect.map(Settings, ({ knownRegions }) => Regions.layer(knownRegions)))

/** Regions and channels, over the store. */
export const services = Layer.merge(regions, channelRunner).pipe(Layer.provideMerge(recipientPolicy))
