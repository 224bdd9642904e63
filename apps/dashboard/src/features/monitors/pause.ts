/** What a monitor shows while it is being paused or resumed. */
import type { MonitorSummary } from "../../live/MonitorStore.ts"

export const pause =
  (isPaused: boolean) =>
  ({ status }: MonitorSummary): Partial<MonitorSummary> =>
    isPaused === (status === "paused") ? {} : { status: isPaused ? "paused" : "pending", failure: null }
