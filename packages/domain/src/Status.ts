/** The words for how things stand: of one region's result, and of a monitor. */
import { Schema } from "effect"

/** What one check in one region found. `unknown`: we could not look, so it says nothing of the target. */
export const RegionStatus = Schema.Literals(["up", "degraded", "down", "unknown"])
export type RegionStatus = typeof RegionStatus.Type

/** How a monitor stands. `pending`: no result yet, or not yet from enough of its regions to decide. */
export const MonitorStatus = Schema.Literals(["pending", "up", "degraded", "down", "paused", "maintenance"])
export type MonitorStatus = typeof MonitorStatus.Type

/** An entry of a monitor's time line. `unknown`: nobody looked, or nobody could. */
export const TimelineStatus = Schema.Literals([...MonitorStatus.literals, "unknown"])
export type TimelineStatus = typeof TimelineStatus.Type
