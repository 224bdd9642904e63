/**
 * The embedded servers of `kanmon serve`. They start together, while the code of the product is loaded: each takes a good part of
 * a second until it answers, in processes of its own.
 */
import type * as EmbeddedNats from "@kanmon/bus/EmbeddedNats"
import type * as EmbeddedPostgres from "@kanmon/platform/database/EmbeddedPostgres"
import type { ServerProcessFailed } from "@kanmon/core/ServerProcess"
import { Context, Effect, Fiber, Layer, Option, type Scope } from "effect"
import { DataDirectory } from "./DataDirectory.ts"
import { searchPath, Settings } from "./Settings.ts"

export class EmbeddedServers extends Context.Service<
  EmbeddedServers,
  {
    /** Waits for the database. */
    readonly postgres: Effect.Effect<EmbeddedPostgres.EmbeddedPostgres, ServerProcessFailed>
    /** Waits for the bus; undefined where no nats-server is installed. */
    readonly nats: Effect.Effect<EmbeddedNats.EmbeddedNats | undefined, EmbeddedNats.PortTaken | ServerProcessFailed>
  }
>()("@kanmon/server/EmbeddedServers") {
  /** Begins to start those that the settings ask for. */
  static readonly layer = Layer.effect(
    EmbeddedServers,
    Effect.gen(function* () {
      const { databaseUrl, natsUrl, roles } = yield* Settings
      const needsDatabase = Option.isNone(databaseUrl) && roles.some((role) => role !== "probe")
      return EmbeddedServers.of({
        postgres: yield* begun(startPostgres, needsDatabase),
        nats: yield* begun(startNats, Option.isNone(natsUrl))
      })
    })
  )
}

/** Begins now, if it will be needed, and returns what waits for the end. */
const begun = <A, E, R>(start: Effect.Effect<A, E, R>, isNeeded: boolean) =>
  isNeeded
    ? Effect.map(Effect.forkScoped(start, { startImmediately: true }), Fiber.join)
    : Effect.map(Effect.context<R | Scope.Scope>(), (context) => Effect.provideContext(start, context))

const startPostgres = Effect.gen(function* () {
  const { start } = yield* Effect.promise(() => import("@kanmon/platform/database/EmbeddedPostgres"))
  const { handover, path } = yield* DataDirectory
  return yield* start(path, handover)
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
  Option.isSome(begun) ? begun.value.postgres : startPostgres
)

/** As `postgres`. */
export const nats = Effect.flatMap(Effect.serviceOption(EmbeddedServers), (begun) =>
  Option.isSome(begun) ? begun.value.nats : startNats
)
