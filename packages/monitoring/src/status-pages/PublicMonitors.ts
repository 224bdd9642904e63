/** The figures of a page's monitors: status, uptime, daily bars, outages and response times. */
import type { MonitorId, ProjectId, StatusPageId } from "@kanmon/domain/Ids"
import { barWindow, type Outage, type PublicMonitor } from "@kanmon/domain/PublicPage"
import { dayMillis, type EpochMillis, utcDay } from "@kanmon/domain/Timestamp"
import { add, none, outages, overlay, percent, type UpDown } from "@kanmon/domain/Uptime"
import { Context, Effect, Layer } from "effect"
import { knownUntilOf, type MeasuredMonitor, StatusHistory } from "../evaluation/index.ts"
import { MaintenanceWindows } from "../maintenance/index.ts"
import { type PageContent, type PageMonitorRecord, PublicMonitorRepository } from "./PublicMonitorRepository.ts"

/** The most outages that are shown for a monitor. */
const maxOutages = 50
/** The most status changes that are read for them, so that a flapping monitor does not slow the page down. */
const maxChanges = 400
const hourMillis = 3_600_000
/** The number of hours with response times. */
const hours = 24

export class PublicMonitors extends Context.Service<PublicMonitors>()(
  "@kanmon/monitoring/status-pages/PublicMonitors",
  {
    make: Effect.gen(function* () {
      const repository = yield* PublicMonitorRepository
      const statusHistory = yield* StatusHistory
      const maintenance = yield* MaintenanceWindows

      /** The last outages of each monitor in `[from, now)`, newest first, without downtime in maintenance. */
      const readOutages = Effect.fnUntraced(function* (
        monitors: ReadonlyArray<MeasuredMonitor>,
        from: EpochMillis,
        now: EpochMillis
      ) {
        const ids = monitors.map(({ id }) => id)
        const changes = yield* repository.changes(ids, from, now, maxChanges)
        const closed = yield* maintenance.between(ids, from, now)
        const byId = new Map(monitors.map((monitor) => [monitor.id, monitor]))
        const found = new Map(
          [...changes].map(([id, timeline]) => {
            const monitor = byId.get(id)!
            // An outage lasts until a result ends it, even while there are no results.
            const known = monitor.state.status === "down" ? undefined : knownUntilOf(monitor)
            const counted = overlay(timeline, known, closed.get(id))
            return [id, outages(counted, from, now).slice(-maxOutages).reverse()]
          })
        )
        return (id: string): ReadonlyArray<Outage> => found.get(id) ?? []
      })

      /** The mean response time of each of the last closed hours, over all regions. */
      const readResponseTimes = Effect.fnUntraced(function* (ids: ReadonlyArray<string>, now: EpochMillis) {
        const to = Math.floor(now / hourMillis) * hourMillis
        const found = yield* repository.meanResponseTimes(ids, to - hours * hourMillis, to)
        return (id: string): ReadonlyArray<number | null> =>
          Array.from({ length: hours }, (_, hour) => {
            const mean = found.get(id)?.get(hour)
            return mean === undefined ? null : Math.round(mean * 10) / 10
          })
      })

      const measure = Effect.fnUntraced(function* (rows: ReadonlyArray<PageMonitorRecord>, now: EpochMillis) {
        if (rows.length === 0) return []
        const bar = barWindow(now)
        const days = yield* statusHistory.days(rows, bar.from, now)
        const sumFrom = (id: MonitorId, first: string): UpDown =>
          days.get(id)!.reduce<UpDown>((sum, { day, upDown }) => (day >= first ? add(sum, upDown) : sum), none)
        /** The uptime of the last days, to the minute: the rest of the first day, and the days after it. */
        const over = Effect.fnUntraced(function* (count: number) {
          const from = now - count * dayMillis
          const midnight = Math.ceil(from / dayMillis) * dayMillis
          const rest = yield* statusHistory.upDown(rows, from, midnight)
          return (id: MonitorId) => percent(add(rest.get(id)!, sumFrom(id, utcDay(midnight))))
        })
        const [lastDay, lastWeek, lastMonth] = [yield* over(1), yield* over(7), yield* over(30)]
        const outagesOf = yield* readOutages(rows, bar.from, now)
        const responseTimes = yield* readResponseTimes(
          rows.map(({ id }) => id),
          now
        )
        return rows.map((row): PublicMonitor => {
          const own = days.get(row.id)!
          return {
            id: row.id,
            name: row.name,
            displayGroup: row.displayGroup,
            status: row.status,
            since: row.status === "pending" ? null : row.status === "maintenance" ? startOf(row) : row.state.since,
            uptime24h: lastDay(row.id),
            uptime7d: lastWeek(row.id),
            uptime30d: lastMonth(row.id),
            uptime90d: percent(sumFrom(row.id, utcDay(bar.from))),
            days: own.map(({ day: date, upDown }) => ({
              date,
              uptime: percent(upDown),
              downtime: Math.round(upDown.down / 1000)
            })),
            outages: outagesOf(row.id),
            responseTimes: responseTimes(row.id)
          }
        })
      })

      return {
        /** The monitors of a page as visitors see them, in the page's order. */
        ofPage: (pageId: StatusPageId, now: EpochMillis) =>
          Effect.flatMap(repository.list(pageId, now), (rows) => measure(rows, now)),
        /** The monitors that a page with this content would show. */
        ofDraft: (projectId: ProjectId, content: PageContent, now: EpochMillis) =>
          Effect.flatMap(repository.listDraft(projectId, content, now), (rows) => measure(rows, now))
      }
    })
  }
) {
  static readonly layer = Layer.effect(PublicMonitors, PublicMonitors.make).pipe(
    Layer.provide(PublicMonitorRepository.layer)
  )
}

const startOf = ({ state, windowStart }: PageMonitorRecord): EpochMillis => windowStart ?? state.since
