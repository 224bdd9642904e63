/** How this installation is, as far as this process can tell. */
import { EventBus } from "@kanmon/core/EventBus"
import { Regions } from "@kanmon/engine/Regions"
import { Probe } from "@kanmon/probe/Probe"
import * as Database from "@kanmon/store/database/Database"
import { Outbox } from "@kanmon/store/outbox/Outbox"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { HealthCheck } from "./http/HealthHandlers.ts"
import { version } from "./version.ts"

/** The shortest interval there is: a scheduler that is later than this has lost slots. */
const latestMillis = 10_000
const oldestMillis = 300_000

/** What the database has to say. */
const store = Effect.gen(function* () {
  const sql = yield* Effect.serviceOption(SqlClient.SqlClient)
  const outbox = yield* Effect.serviceOption(Outbox)
  return Effect.gen(function* () {
    const nothing = { age: 0, refusals: [] as ReadonlyArray<string> }
    if (Option.isNone(sql) || Option.isNone(outbox)) return { database: "none", ...nothing } as const
    if (!(yield* Effect.provideService(Database.healthy, SqlClient.SqlClient, sql.value)))
      return { database: "down", ...nothing } as const
    const { age, refused } = outbox.value
    const waiting = yield* Effect.catchCause(
      Effect.all({ age, refusals: Effect.map(refused, (all) => all.map(({ reason }) => reason)) }),
      () => Effect.succeed(nothing)
    )
    return { database: "ok", ...waiting } as const
  })
})

export const layer = Layer.effect(
  HealthCheck,
  Effect.gen(function* () {
    const bus = yield* EventBus
    const askStore = yield* store
    const regions = yield* Effect.serviceOption(Regions)
    // A process that is no probe has no schedule of its own to be late with.
    const probe = yield* Effect.serviceOption(Probe)

    const look = Effect.gen(function* () {
      const [{ age, database, refusals }, busWell] = yield* Effect.all([askStore, bus.healthy], { concurrency: 2 })
      const lag = Option.match(probe, { onNone: () => 0, onSome: (own) => own.lag() })
      const probes = Option.isSome(regions) ? (yield* regions.value.current).probes : {}
      const well = database !== "down" && busWell && age < oldestMillis && lag < latestMillis
      return {
        status: well ? ("ok" as const) : ("unavailable" as const),
        version,
        database,
        bus: busWell ? ("ok" as const) : ("down" as const),
        scheduler: lag < latestMillis ? ("ok" as const) : ("late" as const),
        sight: Option.exists(probe, (own) => own.isBlind()) ? ("blind" as const) : ("ok" as const),
        outbox: refusals.length > 0 ? ("refused" as const) : age < oldestMillis ? ("ok" as const) : ("late" as const),
        refusals,
        probes
      }
    })
    return HealthCheck.of({ look })
  })
)
