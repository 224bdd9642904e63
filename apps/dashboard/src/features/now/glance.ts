/** The few monitors of a project that are worth a look when nothing is wrong. */
import type { MonitorSummary } from "../../live/MonitorStore.ts"

/** The `count` monitors that come first in the order, of those with a figure: never sorts all of them. Pure. */
const first = (
  monitors: Iterable<MonitorSummary>,
  count: number,
  figureOf: (monitor: MonitorSummary) => number | null
): ReadonlyArray<MonitorSummary> => {
  const found: Array<{ readonly figure: number; readonly monitor: MonitorSummary }> = []
  for (const monitor of monitors) {
    const figure = figureOf(monitor)
    if (figure === null || (found.length === count && figure >= found.at(-1)!.figure)) continue
    const place = found.findIndex((other) => figure < other.figure)
    found.splice(place < 0 ? found.length : place, 0, { figure, monitor })
    found.length = Math.min(found.length, count)
  }
  return found.map(({ monitor }) => monitor)
}

const isWatched = ({ status }: MonitorSummary): boolean => status !== "paused" && status !== "pending"

/** The slowest by their response time of a day, the slowest first. */
export const slowest = (monitors: Iterable<MonitorSummary>, count: number): ReadonlyArray<MonitorSummary> =>
  first(monitors, count, (monitor) =>
    isWatched(monitor) && monitor.responseTime !== null ? -monitor.responseTime : null
  )

/** Monitors without full uptime, the worst first. */
export const leastUp = (monitors: Iterable<MonitorSummary>, count: number): ReadonlyArray<MonitorSummary> =>
  first(monitors, count, (monitor) =>
    isWatched(monitor) && monitor.uptime !== null && monitor.uptime < 100 ? monitor.uptime : null
  )

/** Monitors with the latest status changes, the newest change first. */
export const changedLast = (monitors: Iterable<MonitorSummary>, count: number): ReadonlyArray<MonitorSummary> =>
  first(monitors, count, (monitor) => (monitor.status === "pending" ? null : -monitor.since))
