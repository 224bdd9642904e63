/**
 * The embedded servers of `kanmon serve`. They start together, while the code of the product is loaded: each takes a good part of
 * a second until it answers, in processes of its own.
 */
import { Context, Effect, Fiber, Layer, Option, type Scope } from "effect"
import { DataDirectory } from "./DataDirectory.ts"
import { searchPath, Settings } from "./Settings.ts"

export class EmbeddedServers extends Context.Service<EmbeddedServers>()("@kanmon/server/EmbeddedServers", {
  make: Effect.gen(function* () {
    const { databaseUrl, natsUrl, roles } = yield* Settings
    const needsDatabase = Option.isNone(databaseUrl) && roles.some((role) => role !== "probe")
    return {
      /** Waits for the database. */
      postgres: yield* begun(startPostgres(saidToBegin), needsDatabase),
      /** Waits for the bus; undefined where no nats-server is installed. */
      nats: yield* begun(startNats, Option.isNone(natsUrl))
    }
  })
}) {
  /** Begins to start those that the settings ask for. */
  static readonly layer = Layer.effect(EmbeddedServers, EmbeddedServers.make)
}

/** Begins now, if it will be needed, and returns what waits for the end. */
const begun = <A, E, R>(start: Effect.Effect<A, E, R>, isNeeded: boolean) =>
  isNeeded
    ? Effect.map(Effect.forkScoped(start, { startImmediately: true }), Fiber.join)
    : Effect.map(Effect.context<R | Scope.Scope>(), (context) => Effect.provideContext(start, context))

/** A log line at once: with a busy machine the first start takes minutes. Other commands print their result alone. */
const saidToBegin = (isFirst: boolean) =>
  Effect.logInfo(isFirst ? "Starting PostgreSQL (first start)" : "Starting PostgreSQL")

const startPostgres = Effect.fnUntraced(function* (begins?: (isFirst: boolean) => Effect.Effect<void>) {
  const { start } = yield* Effect.promise(() => import("@kanmon/platform/database/EmbeddedPostgres"))
  const { handover, path } = yield* DataDirectory
  return yield* start(path, handover, begins)
})

const startNats = Effect.gen(function* () {
  const { find, start } = yield* Effect.promise(() => import("@kanmon/bus/EmbeddedNats"))
  const binary = yield* find(searchPath())
  if (binary === undefined) return undefined
  const { natsPort } = yield* Settings
  const { handover, path } = yield* DataDirectory
  return yield* start(binary, path, Option.getOrUndefined(natsPort), handover)
})

/** The server that was begun early, or, in other commands than `serve`, one that starts now. */
export const postgres = Effect.flatMap(Effect.serviceOption(EmbeddedServers), (begun) =>
  Option.isSome(begun) ? begun.value.postgres : startPostgres()
)

/** As `postgres`. */
export const nats = Effect.flatMap(Effect.serviceOption(EmbeddedServers), (begun) =>
  Option.isSome(begun) ? begun.value.nats : startNats
)
