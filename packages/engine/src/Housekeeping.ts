/** The engine's recurring jobs on the store. A job that fails is tried again at its next turn. */
import { Upkeep } from "@kanmon/store/Upkeep"
import { type Duration, Effect, Layer, Schedule } from "effect"

const every = <E, R>(interval: Duration.Input, name: string, job: Effect.Effect<unknown, E, R>) =>
  job.pipe(
    Effect.catchCause((cause) => Effect.logError(`${name} failed; it will be tried again`, cause)),
    Effect.repeat(Schedule.spaced(interval)),
    Effect.forkScoped
  )

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
