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

export const layer = Layer.effect(
  HealthCheck,
  Effect.gen(function* () {
    const bus = yield* EventBus
    const outbox = yield* Outbox
    const regions = yield* Regions
    const sql = yield* SqlClient.SqlClient
    // A process that is no probe has no schedule of its own to be late with.
    const probe = yield* Effect.serviceOption(Probe)

    const look = Effect.gen(function* () {
      const [database, busWell] = yield* Effect.all(
        [Effect.provideService(Database.healthy, SqlClient.SqlClient, sql), bus.healthy],
        { concurrency: 2 }
      )
      const age = database ? yield* Effect.catchCause(outbox.age, () => Effect.succeed(0)) : 0
      const lag = Option.match(probe, { onNone: () => 0, onSome: (own) => own.lag() })
      const { probes } = yield* regions.current
      const well = database && busWell && age < oldestMillis && lag < latestMillis
      return {
        status: well ? ("ok" as const) : ("unavailable" as const),
        version,
        database: database ? ("ok" as const) : ("down" as const),
        bus: busWell ? ("ok" as const) : ("down" as const),
        scheduler: lag < latestMillis ? ("ok" as const) : ("late" as const),
        sight: Option.exists(probe, (own) => own.isBlind()) ? ("blind" as const) : ("ok" as const),
        outbox: age < oldestMillis ? ("ok" as const) : ("late" as const),
        probes
      }
    })
    return HealthCheck.of({ look })
  })
)
