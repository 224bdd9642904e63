/** The store's recurring work: partitions ahead of time, retention, rollups of closed periods. Safe to run on several machines. */
import { Context, type Effect } from "effect"

export class Upkeep extends Context.Service<
  Upkeep,
  {
    /** Makes the partitions of the coming days and drops those past retention. */
    readonly partitions: (retentionDays: number) => Effect.Effect<{ readonly made: number; readonly dropped: number }>
    /** Fills hour and day rollups for periods that are closed and not filled yet. */
    readonly rollups: Effect.Effect<{ readonly hours: number; readonly days: number }>
    /** Forgets idempotency keys past their day, and expired sessions. */
    readonly expire: Effect.Effect<void>
  }
>()("@kanmon/store/Upkeep") {}
