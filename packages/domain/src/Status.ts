/** Status values of a region's result and of a monitor. */
import { Schema } from "effect"

/** Result of one check in one region. `unknown`: the check could not be made, so the target's status is unknown. */
export const RegionStatus = Schema.Literals(["up", "degraded", "down", "unknown"])
export type RegionStatus = typeof RegionStatus.Type

/** Status of a monitor. `pending`: no result yet, or not yet from enough regions. */
export const MonitorStatus = Schema.Literals(["pending", "up", "degraded", "down", "paused", "maintenance"])
export type MonitorStatus = typeof MonitorStatus.Type

/** An entry of the status history. `unknown`: there were no results. */
export const TimelineStatus = Schema.Literals([...MonitorStatus.literals, "unknown"])
export type TimelineStatus = typeof TimelineStatus.Type
