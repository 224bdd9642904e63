/** The order in which statuses are listed. */
import type { MonitorStatus } from "@kanmon/domain/Status"

export type Status = typeof MonitorStatus.Type

/** From the worst to the best. */
export const order: ReadonlyArray<Status> = ["down", "degraded", "pending", "maintenance", "paused", "up"]
