/** What is known of a monitor's past: statistics, daily uptime, response times. */
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import type { MonitorStats } from "@kanmon/domain/Monitor"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, type Effect } from "effect"
import type { MonitorNotFound } from "./Monitors.ts"

export interface ResponseTimePoint {
  readonly timestamp: EpochMillis
  /** Milliseconds. */
  readonly responseTime: number
  readonly region: string
}

export class History extends Context.Service<
  History,
  {
    readonly stats: (projectId: ProjectId, id: MonitorId) => Effect.Effect<MonitorStats, MonitorNotFound>
    /** Days in `[from, to)` about which something is known, oldest first. */
    readonly dailyUptime: (
      projectId: ProjectId,
      id: MonitorId,
      from: EpochMillis,
      to: EpochMillis
    ) => Effect.Effect<ReadonlyArray<{ readonly date: string; readonly uptime: number }>, MonitorNotFound>
    /** Points in `[from, to)`, oldest first; at most `limit` a region: raw when they fit, else means of equal buckets. */
    readonly responseTimes: (
      projectId: ProjectId,
      id: MonitorId,
      from: EpochMillis,
      to: EpochMillis,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ResponseTimePoint>, MonitorNotFound>
  }
>()("@kanmon/store/History") {}
