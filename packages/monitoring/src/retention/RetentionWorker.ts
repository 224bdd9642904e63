/** Runs the jobs of retention. */
import { Retention } from "./Retention.ts"
import { Effect, Layer } from "effect"
import { every } from "@kanmon/core/Recurring"

export const layer = (options: { readonly retentionDays: number }): Layer.Layer<never, never, Retention> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const retention = yield* Retention
      yield* every("1 hour", "Creating and dropping partitions", retention.partitions(options.retentionDays))
      yield* every("5 minutes", "Filling rollups", retention.rollups)
      yield* every("1 minute", "Moving results of closed days", retention.move)
      yield* every("10 minutes", "Deleting expired rows", retention.expire)
      yield* every("1 hour", "Deleting old entries of the audit log", retention.auditLog)
      yield* every("1 hour", "Deleting old alerts and signals", retention.history(options.retentionDays))
    })
  )
