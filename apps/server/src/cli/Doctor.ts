/** `kanmon doctor`: checks the configuration and the reachability of services, and suggests remedies. */
import { basePath } from "@kanmon/protocol/BasePath"
import * as EmbeddedNats from "@kanmon/bus/EmbeddedNats"
import * as NatsDiagnostics from "@kanmon/bus/NatsDiagnostics"
import * as NatsRoles from "@kanmon/bus/config/NatsRoles"
import { isTooOld, minimumNats } from "@kanmon/bus/NatsVersion"
import type { Activity } from "@kanmon/core/Activity"
import { heldOf } from "@kanmon/core/LoopStall"
import { pingProgram } from "@kanmon/core/NodeDialer"
import { Catalogue, type Loaded } from "@kanmon/core/PluginHost"
import { Quarantine } from "@kanmon/core/Quarantine"
import { unlimitedPlanId } from "@kanmon/domain/Plan"
import * as Database from "@kanmon/platform/database/Database"
import { explain } from "@kanmon/platform/database/DatabaseFailure"
import * as Migrations from "@kanmon/platform/database/Migrations"
import * as SecretCheck from "@kanmon/platform/database/SecretCheck"
import { Secrets } from "@kanmon/platform/database/Secrets"
import { disagreements, explain as explainDisagreement, ProcessRepository } from "@kanmon/platform/processes"
import { unreadableHeartbeats } from "@kanmon/monitoring/heartbeats"
import { Cause, Clock, Console, Effect, Layer, Option, Redacted } from "effect"
import { Command } from "effect/cli"
import { FetchHttpClient, HttpClient } from "effect/http"
import { SqlError } from "effect/sql"
import * as AgreedSettings from "../AgreedSettings.ts"
import { DataDirectory } from "../DataDirectory.ts"
import * as CustomDomains from "../CustomDomains.ts"
import { quarantine } from "../loop-watch/LoopWatch.ts"
import * as Plugins from "../Plugins.ts"
import { shortestSecret } from "../roles/ControlPlane.ts"
import * as RunningServer from "../RunningServer.ts"
import { searchPath, Settings } from "../Settings.ts"
import * as UnknownSettings from "../UnknownSettings.ts"
import { inspectReplies } from "./DoctorReplies.ts"
import { version } from "@kanmon/platform/version"

type Finding = readonly [mark: "ok" | "!!" | "  ", what: string, words: string]

const notRunning: ReadonlyArray<Finding> = [["  ", "server", "not running from this data directory"]]

/** The server that runs from this data directory: its health, and whether its settings differ from this command's. */
const inspectServer = Effect.gen(function* () {
  const running = yield* RunningServer.find
  if (running === undefined) return notRunning
  const what = `running (process ${running.pid}, version ${running.version})`
  const different = yield* RunningServer.differences(running)
  const settings: ReadonlyArray<Finding> =
    different.length === 0
      ? []
      : [["!!", "settings", `the running server was started with other values of ${different.join(", ")}`]]
  return [yield* healthOf(running.address, what), ...settings]
})

const healthOf = (address: string | null, what: string): Effect.Effect<Finding> =>
  address === null
    ? Effect.succeed<Finding>(["  ", "server", `${what}; it listens on no port, so its health cannot be asked`])
    : Effect.gen(function* (): Effect.fn.Return<Finding, unknown, HttpClient.HttpClient> {
        const answer = yield* HttpClient.get(`${address}${basePath}/health`)
        if (answer.status === 200) return ["ok", "server", `${what} and healthy at ${address}`]
        return ["!!", "server", `${what} but not healthy at ${address}: ${failing(yield* answer.text)}`]
      }).pipe(
        Effect.timeout("8 seconds"),
        Effect.catch(() => Effect.succeed<Finding>(["!!", "server", `${what}, but ${address} does not answer`])),
        Effect.provide(FetchHttpClient.layer)
      )

/** The failing parts of a health response. */
const failing = (body: string): string =>
  [...body.matchAll(/"(\w+)":"(down|late|offline|unavailable)"/g)]
    .filter(([, part]) => part !== "status")
    .map(([, part, state]) => `${part} ${state}`)
    .join(", ") || "it does not say why"

const inspectDatabase = Effect.gen(function* () {
  const { databaseUrl } = yield* Settings
  if (Option.isNone(databaseUrl)) return ["ok", "database", "embedded; started by serve"] as Finding
  return yield* Effect.gen(function* () {
    const pending = yield* Migrations.pending
    const { encrypted, user } = yield* Database.session
    const how = `as ${user}, ${encrypted === undefined ? "not encrypted" : `encrypted with ${encrypted}`}`
    const finding: Finding =
      pending.length === 0
        ? ["ok", "database", `DATABASE_URL answers, up to date; ${how}`]
        : ["!!", "database", `DATABASE_URL answers, ${how}; run kanmon migrate (pending: ${pending.join(", ")})`]
    return finding
  }).pipe(
    Effect.provide(Database.layer(databaseUrl.value, { maxConnections: 1 })),
    Effect.timeout("8 seconds"),
    Effect.catchCause((cause) => Effect.succeed<Finding>(["!!", "database", notAnswering("DATABASE_URL", cause)]))
  )
})

/** Asks the database; where it cannot be asked the answer is `otherwise`, because the finding on the database says why. */
const asked = <A, E, R>(ask: Effect.Effect<A, E, R>, otherwise: A) =>
  Effect.flatMap(Settings, ({ databaseUrl }) =>
    Option.isNone(databaseUrl)
      ? Effect.succeed(otherwise)
      : ask.pipe(
          Effect.provide(Database.layer(databaseUrl.value, { maxConnections: 1 })),
          Effect.timeout("8 seconds"),
          Effect.catchCause(() => Effect.succeed(otherwise))
        )
  )

const none: ReadonlyArray<Finding> = []

/** Settings in which running processes with the same database differ from those of this command. */
const inspectAgreement = Effect.gen(function* () {
  const own = yield* AgreedSettings.ownProcess
  const found = Effect.flatMap(ProcessRepository, ({ running }) => running).pipe(
    Effect.map((others) =>
      disagreements(own, others).map((different): Finding => ["!!", "settings", explainDisagreement(own, different)])
    ),
    Effect.provide(ProcessRepository.layer)
  )
  return yield* asked(found, none)
})

/** Heartbeats with settings that an earlier release accepted and this one cannot read. */
const inspectHeartbeats = asked(
  Effect.map(unreadableHeartbeats, (found) =>
    found.map(({ id, name, why }): Finding => ["!!", "heartbeats", `${JSON.stringify(name)} (${id}): ${why}`])
  ),
  none
)

/** Operations that these roles may perform and other roles may not. The trial changes nothing. */
const trialOf = ({ region, roles }: Settings["Service"]): NatsRoles.Trial => {
  const rights = { api: NatsRoles.api([]), engine: NatsRoles.engine([]), probe: NatsRoles.probe(region) }
  const trials = roles.map((role) => NatsRoles.trial(rights[role]))
  return {
    requests: [...new Set(trials.flatMap(({ requests }) => requests))],
    subscriptions: [...new Set(trials.flatMap(({ subscriptions }) => subscriptions))]
  }
}

const inspectBus = Effect.gen(function* () {
  const settings = yield* Settings
  if (Option.isSome(settings.natsUrl)) {
    return yield* NatsDiagnostics.diagnose(settings.natsUrl.value, trialOf(settings)).pipe(
      Effect.map(({ encrypted, refused, version, who }): Finding => {
        const how = `nats-server ${version}, ${who}, ${encrypted ? "encrypted" : "not encrypted"}`
        if (isTooOld(version))
          return ["!!", "bus", `NATS_URL leads to ${how}: expected nats-server ${minimumNats} or newer`]
        return refused.length === 0
          ? ["ok", "bus", `NATS_URL answers: ${how}`]
          : [
              "!!",
              "bus",
              `NATS_URL is another role's (${how}): it may not use ${refused.slice(0, 3).join(", ")}${refused.length > 3 ? ` and ${refused.length - 3} more` : ""}`
            ]
      }),
      Effect.timeout("8 seconds"),
      Effect.catchCause((cause) => Effect.succeed<Finding>(["!!", "bus", notAnswering("NATS_URL", cause)]))
    )
  }
  const binary = yield* EmbeddedNats.find(searchPath())
  const finding: Finding =
    binary === undefined
      ? ["  ", "bus", "inside the process (nats-server is not on the PATH)"]
      : ["ok", "bus", `embedded NATS, ${binary}`]
  return finding
})

/** Where the program is that checks of type icmp run. Only probes need it, and other checks work without. */
const inspectPing = Effect.gen(function* (): Effect.fn.Return<ReadonlyArray<Finding>, never, Settings> {
  const { roles } = yield* Settings
  if (!roles.includes("probe")) return []
  const file = yield* pingProgram
  return file === undefined
    ? [["  ", "ping", "not found: monitors of type icmp need it; install iputils-ping (Debian, Ubuntu) or iputils"]]
    : [["ok", "ping", `${file}, for monitors of type icmp`]]
})

const inspectCustomDomains = Effect.map(CustomDomains.read, ({ acme, customDomains }): Finding => {
  const { certificates, host } = customDomains
  if (host === undefined) {
    const words = "not possible: KANMON_PAGES_HOST says where they are to lead"
    return [certificates ? "!!" : "  ", "domains", words]
  }
  const tls = certificates
    ? `certificates from ${acme.directory}`
    : "TLS is a proxy's matter (KANMON_TLS_PORT is not set)"
  return ["ok", "domains", `custom domains lead to ${host}; ${tls}`]
}).pipe(Effect.catch((error) => Effect.succeed<Finding>(["!!", "domains", error.message])))

/** Work in which the event loop stood still, and whether it is held back. */
const inspectStalls = Effect.gen(function* (): Effect.fn.Return<ReadonlyArray<Finding>, never, DataDirectory> {
  const { path } = yield* DataDirectory
  const { stalls } = yield* Quarantine
  const newest = stalls.at(-1)
  if (newest === undefined) return []
  const held = heldOf(stalls, yield* Clock.currentTimeMillis)
  const what = newest.activity === null ? "unknown work" : describeActivity(newest.activity)
  const at = new Date(newest.at).toISOString()
  return [
    [
      "!!",
      "stalls",
      `${stalls.length}, the newest at ${at} in ${what}; ${path}/stalls.jsonl has where. Without that file nothing is held back`
    ],
    ...held.map((activity): Finding => [
      "!!",
      "stalls",
      `${describeActivity(activity)} is not run until it is changed: the process stood still in it twice`
    ])
  ]
})

const describeActivity = ({ key, kind, label }: Activity): string =>
  key === label ? `the ${kind} ${key}` : `the ${kind} ${key} (${label})`

/** Prefixes the reason with the setting, unless it already names it. */
const notAnswering = (setting: string, cause: Cause.Cause<unknown>): string => {
  const words = reason(cause)
  return words.startsWith(`${setting}: `) ? words : `${setting} does not answer: ${words}`
}

const reason = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  if (error instanceof SqlError.SqlError) return explain(error)
  return error instanceof Error ? (error.message === "" ? error.name : error.message) : String(error)
}

const billing = ({ defaultPlan, stripeSecretKey, stripeWebhookSecret }: Settings["Service"]): Finding => {
  if (Option.isNone(stripeSecretKey)) {
    const limits = defaultPlan === unlimitedPlanId ? "monitors are not limited" : `every account has ${defaultPlan}`
    return ["  ", "billing", `off; ${limits}`]
  }
  return Option.isSome(stripeWebhookSecret)
    ? ["ok", "billing", `plans are sold through Stripe; other accounts have ${defaultPlan}`]
    : ["!!", "billing", "Stripe webhooks are disabled: STRIPE_WEBHOOK_SECRET is not set"]
}

const lengthFinding = (length: number): Finding =>
  length >= shortestSecret
    ? ["ok", "secret", `${length} characters`]
    : ["!!", "secret", `KANMON_SECRET has ${length} characters; new installations need at least ${shortestSecret}`]

/** The secret's length, and whether the database was made with it. */
const inspectSecret = Effect.gen(function* () {
  const { secret } = yield* DataDirectory
  const ofLength = lengthFinding(Redacted.value(secret).length)
  const compared = SecretCheck.compare.pipe(
    Effect.as(ofLength),
    Effect.catchTag("OtherSecret", ({ message }) => Effect.succeed<Finding>(["!!", "secret", message])),
    Effect.provide(Secrets.layer(secret))
  )
  return yield* asked(compared, ofLength)
})

/** The checks of a control plane, which a probe does not need. */
const inspectControlPlane = Effect.gen(function* () {
  const { roles } = yield* Settings
  if (roles.every((role) => role === "probe"))
    return [["  ", "database", "none, and no secret: probes need neither"]] as ReadonlyArray<Finding>
  return [yield* inspectSecret, yield* inspectDatabase, ...(yield* inspectAgreement), ...(yield* inspectHeartbeats)]
})

/** The kinds that a plugin provides, in words. */
const offers = ({ auths, channels, checks }: Pick<Loaded, "auths" | "channels" | "checks">): string =>
  [
    ...checks.map(({ type }) => `the check ${type}`),
    ...channels.map(({ type }) => `the channel ${type}`),
    ...auths.map(({ name }) => `the auth ${name}`)
  ].join(", ") || "nothing that is used"

export const doctor = Command.make("doctor", {}, () =>
  Effect.gen(function* () {
    const settings = yield* Settings
    const directory = yield* DataDirectory
    const { auths, channels, checks, plugins: loaded, refused } = yield* Catalogue
    const findings: ReadonlyArray<Finding> = [
      ["  ", "version", version],
      [
        "  ",
        "roles",
        `${settings.roles.join(", ")}${settings.roles.includes("probe") ? ` in ${settings.region}` : ""}`
      ],
      ["  ", "address", settings.baseUrl],
      ["ok", "data", directory.path],
      ...(yield* inspectServer),
      ...(yield* inspectStalls),
      ...(yield* UnknownSettings.inEnvironment).map((warning): Finding => ["!!", "settings", warning]),
      ...(yield* inspectControlPlane),
      yield* inspectBus,
      ...(yield* inspectPing),
      yield* inspectCustomDomains,
      ...(yield* inspectReplies),
      [
        "ok",
        "plugins",
        `checks ${[...checks.keys()].join(", ")}; channels ${[...channels.keys()].join(", ") || "none"}; auth ${auths.map(({ name }) => name).join(", ")}`
      ],
      ...loaded
        .filter(({ name, source }) => source.outside === true && name !== undefined)
        .map(({ name, source, ...kinds }): Finding => [
          "ok",
          "plugins",
          `${name} from ${source.name}: ${offers(kinds)}`
        ]),
      ...refused.map(({ plugin, reason: why }): Finding => ["!!", "plugins", `${plugin} was refused: ${why}`]),
      billing(settings),
      settings.allowPrivateTargets
        ? ["  ", "network", "private targets are allowed (KANMON_ALLOW_PRIVATE_TARGETS)"]
        : ["ok", "network", "private targets are refused"]
    ]
    for (const [mark, what, words] of findings) yield* Console.log(`${mark}  ${what.padEnd(10)}${words}`)
    if (findings.some(([mark]) => mark === "!!")) process.exitCode = 1
  }).pipe(
    Effect.provide(
      Plugins.layer.pipe(
        Layer.provideMerge(quarantine),
        Layer.provideMerge(DataDirectory.layer),
        Layer.provideMerge(Settings.layer)
      )
    )
  )
).pipe(Command.withDescription("Shows what is configured, what is reachable, and what to do"))
