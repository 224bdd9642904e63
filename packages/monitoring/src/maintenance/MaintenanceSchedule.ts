/**
 * The operations on incidents that maintenance needs. Incidents implement it, since they own their rows and timelines.
 */
import type { IncidentId, MonitorId, ProjectId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, type Effect } from "effect"
import type { Question } from "@kanmon/platform/DueWork"

/** A series that has an ended window and no next one yet. */
export interface EndedSeries {
  readonly incidentId: IncidentId
  readonly projectId: ProjectId
  readonly recurrence: string
  readonly timezone: string
  /** The first start of the series. */
  readonly start: EpochMillis
  readonly millis: number
  /** Where in the series the window stood that is over. */
  readonly after: EpochMillis
}

export class MaintenanceSchedule extends Context.Service<
  MaintenanceSchedule,
  {
    /** Whether a window begins or is over. */
    readonly isWindowDue: Question
    /** Whether the next window of a series has to be scheduled. */
    readonly isSeriesDue: Question
    /** Announces the windows that have begun and resolves those that are over; returns how many. */
    readonly advance: Effect.Effect<number>
    /** Lets monitors with changed tags join or leave the windows that follow these tags. In a transaction. */
    readonly follow: (projectId: ProjectId, tags: ReadonlyArray<string>, at: EpochMillis) => Effect.Effect<void>
    /** The series that have an ended window and no next one yet. */
    readonly endedSeries: Effect.Effect<ReadonlyArray<EndedSeries>>
    /** Schedules the next window of a series; without a start, the series has ended. Does nothing if it was done before. */
    readonly proceed: (series: EndedSeries, start: EpochMillis | undefined) => Effect.Effect<void>
    /** Ends a series with a rule that cannot be evaluated, and notes it on the timeline of its last window. */
    readonly abandon: (series: EndedSeries) => Effect.Effect<void>
  }
>()("@kanmon/monitoring/maintenance/MaintenanceSchedule") {}

/**
 * Decides the alerts of monitors after their windows ended, in the transaction that takes the windows. Evaluation
 * implements it.
 */
export class MaintenanceEnded extends Context.Service<
  MaintenanceEnded,
  (ids: ReadonlyArray<MonitorId>) => Effect.Effect<void>
>()("@kanmon/monitoring/maintenance/MaintenanceEnded") {}
