/**
 * Maintenance windows of monitors: their failures count as no downtime and send no alerts. Incidents schedule them; a
 * window outlives its deleted incident.
 */
import type { IncidentId, MonitorId, ProjectId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer } from "effect"
import { MaintenanceWindowRepository } from "./MaintenanceWindowRepository.ts"

/** The maintenance that an incident schedules. */
interface ScheduledMaintenance {
  readonly id: IncidentId
  readonly projectId: ProjectId
  readonly monitorIds: ReadonlyArray<MonitorId>
  readonly start: EpochMillis
  /** The scheduled end, or the earlier instant at which the maintenance was resolved. */
  readonly end: EpochMillis
}

export class MaintenanceWindows extends Context.Service<MaintenanceWindows>()(
  "@kanmon/monitoring/maintenance/MaintenanceWindows",
  {
    make: Effect.gen(function* () {
      const repository = yield* MaintenanceWindowRepository

      /** Ends the windows of an incident now, over all monitors but these. The covered time stays covered. */
      const end = Effect.fnUntraced(function* (id: IncidentId, except: ReadonlyArray<MonitorId>, now: EpochMillis) {
        yield* repository.deleteFuture(id, except, now)
        yield* repository.end(id, except, now)
      })

      /**
       * Makes the windows over the monitors match the incident. The past stays unless the span itself was changed
       * (`edited`): a monitor that joins or leaves half-way does so now. Run it in a transaction.
       */
      const cover = Effect.fn("MaintenanceWindows.cover")(function* (
        maintenance: ScheduledMaintenance,
        edited: "all" | "end" | "none",
        now: EpochMillis
      ) {
        const { id, monitorIds, start } = maintenance
        yield* end(id, monitorIds, now)
        // The window was over and is extended again: the time between stays uncovered.
        if (edited === "none" && maintenance.end > now) yield* repository.detachEnded(id, now)
        const span = edited === "all" ? { start, end: maintenance.end } : { end: maintenance.end }
        const deleted = yield* repository.deleteEmpty(id, span)
        const moved = yield* repository.reschedule(id, span)
        // A new maintenance may lie in the past; a monitor that joins later is covered from now on.
        const joins = edited === "all" ? start : Math.max(start, now)
        const added =
          joins < maintenance.end
            ? yield* repository.insertMissing(maintenance, { start: joins, end: maintenance.end })
            : []
        return [...deleted, ...moved, ...added].map(({ monitorId, startsAt }) => ({
          monitorId,
          at: Math.min(start, startsAt)
        }))
      })

      return {
        cover,
        end,
        /**
         * Takes windows that are over, at most `limit`, each once; returns their monitors, one for each window. Their alerts are
         * to be decided in the same transaction.
         */
        settleEnded: repository.settleEnded,
        /** The windows that touch `[from, to)`, by monitor. */
        between: repository.between
      }
    })
  }
) {
  static readonly layer = Layer.effect(MaintenanceWindows, MaintenanceWindows.make)
}
