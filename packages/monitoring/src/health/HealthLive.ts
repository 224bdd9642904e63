/** Health of a process with the database. */
import { Regions } from "../regions/index.ts"
import * as Database from "@kanmon/platform/database/Database"
import { EvaluationRepository } from "../evaluation/index.ts"
import { OutboxQueue } from "@kanmon/platform/outbox/OutboxQueue"
import { HealthCheck, make, type StoreHealth, unknown } from "@kanmon/platform/ProcessHealth"
import { Effect, Layer } from "effect"

const storeHealth = Effect.gen(function* () {
  const answers = yield* Database.health
  const { age, refused } = yield* OutboxQueue
  const { countStale } = yield* EvaluationRepository
  return Effect.gen(function* (): Effect.fn.Return<StoreHealth> {
    if (!(yield* answers)) return { database: "down", ...unknown }
    const waiting = yield* Effect.catchCause(
      Effect.all({ age, refusals: Effect.map(refused, (all) => all.map(({ reason }) => reason)) }),
      () => Effect.succeed(unknown)
    )
    const stale = yield* Effect.catchCause(countStale, () => Effect.succeed(null))
    return { database: "ok", ...waiting, stale }
  })
})

export const layer = Layer.effect(
  HealthCheck,
  Effect.gen(function* () {
    const regions = yield* Regions
    return yield* make(
      yield* storeHealth,
      Effect.map(regions.current, ({ probes }) => probes)
    )
  })
)
