/** How this installation is, as far as this process can tell. */
import { BusClock } from "@kanmon/core/BusClock"
import { EventBus } from "@kanmon/core/EventBus"
import { Regions } from "@kanmon/engine/Regions"
import { Probe } from "@kanmon/probe/Probe"
import * as Database from "@kanmon/store/database/Database"
import { Judging } from "@kanmon/store/history/Judging"
import { Outbox } from "@kanmon/store/outbox/Outbox"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { HealthCheck } from "./http/HealthHandlers.ts"
import { version } from "./version.ts"

const oldestMillis = 300_000

/** What the database has to say. */
const store = Effect.gen(function* () {
  const sql = yield* Effect.serviceOption(SqlClient.SqlClient)
  const outbox = yield* Effect.serviceOption(Outbox)
  const judging = yield* Effect.serviceOption(Judging)
  return Effect.gen(function* () {
    const nothing = { age: 0, refusals: [] as ReadonlyArray<string>, stale: null }
    if (Option.isNone(sql) || Option.isNone(outbox) || Option.isNone(judging))
      return { database: "none", ...nothing } as const
    if (!(yield* Effect.provideService(Database.healthy, SqlClient.SqlClient, sql.value)))
      return { database: "down", ...nothing } as const
    const { age, refused } = outbox.value
    const waiting = yield* Effect.catchCause(
      Effect.all({ age, refusals: Effect.map(refused, (all) => all.map(({ reason }) => reason)) }),
      () => Effect.succeed(nothing)
    )
    const stale = yield* Effect.catchCause(judging.value.countStale, () => Effect.succeed(null))
    return { database: "ok", ...waiting, stale } as const
  })
})

export const layer = Layer.effect(
  HealthCheck,
  Effect.gen(function* () {
    const bus = yield* EventBus
    const clock = yield* BusClock
    const askStore = yield* store
    const regions = yield* Effect.serviceOption(Regions)
    // A process that is no probe has no schedule of its own to be late with.
    const probe = yield* Effect.serviceOption(Probe)

    const look = Effect.gen(function* () {
      const [{ age, database, refusals, stale }, busWell] = yield* Effect.all([askStore, bus.healthy], {
        concurrency: 2
      })
      const late = Option.exists(probe, (own) => own.isLate())
      const probes = Option.isSome(regions) ? (yield* regions.value.current).probes : {}
      const well = database !== "down" && busWell && age < oldestMillis && !late
      return {
        status: well ? ("ok" as const) : ("unavailable" as const),
        version,
        database,
        bus: busWell ? ("ok" as const) : ("down" as const),
        scheduler: late ? ("late" as const) : ("ok" as const),
        connectivity: Option.exists(probe, (own) => own.isOffline()) ? ("offline" as const) : ("ok" as const),
        outbox: refusals.length > 0 ? ("refused" as const) : age < oldestMillis ? ("ok" as const) : ("late" as const),
        refusals,
        clock: clock.reading(),
        stale,
        probes
      }
    })
    return HealthCheck.of({ look })
  })
)
