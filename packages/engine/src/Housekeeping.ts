/** The engine's recurring jobs on the store. */
import { Upkeep } from "@kanmon/store/Upkeep"
import { Effect, Layer } from "effect"
import { every } from "./Job.ts"

export const layer = (options: { readonly retentionDays: number }): Layer.Layer<never, never, Upkeep> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const upkeep = yield* Upkeep
      yield* every("1 hour", "Making and dropping partitions", upkeep.partitions(options.retentionDays))
      yield* every("5 minutes", "Filling rollups", upkeep.rollups)
      yield* every("10 minutes", "Forgetting what has expired", upkeep.expire)
      yield* every("1 hour", "Forgetting old alerts", upkeep.alerts(options.retentionDays))
      yield* every("10 seconds", "Queueing reminders", upkeep.remind)
    })
  )
