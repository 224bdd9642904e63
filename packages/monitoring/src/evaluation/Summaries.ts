/**
 * The last 24 hours of every monitor and the last 30 days of every project, measured now and then, so that lists can be sorted
 * by them, and overviews shown, without reading histories.
 */
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { dayMillis, type EpochMillis, floorDay } from "@kanmon/domain/Timestamp"
import { add, none, percent } from "@kanmon/domain/Uptime"
import { Clock, Context, Effect, Layer } from "effect"
import { RollupRepository, type RolledMonitor } from "./RollupRepository.ts"
import { StatusHistory } from "./StatusHistory.ts"
import { type LastOutage, type ProjectMonth, SummaryRepository } from "./SummaryRepository.ts"

const pageSize = 500
/** The days of a month, today included. */
const monthDays = 30
/** An outage is dated to its first failing check, which may be recorded long after. */
const recordedWithin = 3_600_000

/** The later of two outages: one that goes on, or that ended last. */
const later = (one: LastOutage | undefined, other: LastOutage | undefined): LastOutage | undefined => {
  const end = (outage: LastOutage | undefined) =>
    outage === undefined ? Number.NEGATIVE_INFINITY : (outage.endedAt ?? Number.POSITIVE_INFINITY)
  return end(one) > end(other) ? one : other
}

export class Summaries extends Context.Service<Summaries>()("@kanmon/monitoring/evaluation/Summaries", {
  make: Effect.gen(function* () {
    const repository = yield* SummaryRepository
    const rollups = yield* RollupRepository
    const statusHistory = yield* StatusHistory

    const uptimesOf = Effect.fnUntraced(function* (monitors: ReadonlyArray<RolledMonitor>, at: EpochMillis) {
      const found = yield* statusHistory.upDown(monitors, at - dayMillis, at)
      return new Map(monitors.map(({ id }) => [id, percent(found.get(id)!)]))
    })

    /** Percent of the day before an instant; monitors without data have null, and unknown ones are missing. */
    const uptimes = (ids: ReadonlyArray<MonitorId>, at: EpochMillis) =>
      Effect.flatMap(rollups.findMonitors(ids), (monitors) => uptimesOf(monitors, at))

    /** Adds the last 30 days of a page of monitors to those of their projects: sums of closed days, and what is not closed. */
    const addMonth = Effect.fnUntraced(function* (
      months: Map<ProjectId, ProjectMonth>,
      ids: ReadonlyArray<MonitorId>,
      monitors: ReadonlyArray<RolledMonitor>,
      now: EpochMillis
    ) {
      const from = floorDay(now) - (monthDays - 1) * dayMillis
      const closed = yield* repository.closedDays(ids, from)
      const open = yield* statusHistory.upDown(monitors, closed[0]?.closedUntil ?? from, now)
      for (const { createdAt, down, id, projectId, up } of closed) {
        const known = months.get(projectId)
        const sum = add({ up, down }, open.get(id) ?? none)
        months.set(projectId, {
          projectId,
          since: Math.max(from, Math.min(known?.since ?? now, createdAt)),
          ...(known === undefined ? sum : add(known, sum)),
          outage: known?.outage
        })
      }
      for (const { projectId, ...outage } of yield* repository.lastOutages(ids)) {
        const known = months.get(projectId)
        if (known !== undefined) months.set(projectId, { ...known, outage: later(outage, known.outage) })
      }
    })

    /** The last 30 days of a project as measured, and its last outage as it is now. */
    const ofProject = Effect.fn("Summaries.ofProject")(function* (projectId: ProjectId) {
      const kept = yield* repository.findMonth(projectId)
      const outage = yield* repository.outageSince(
        projectId,
        kept?.outageOf ?? null,
        kept === undefined ? 0 : kept.measuredAt - recordedWithin
      )
      return {
        month:
          kept === undefined
            ? null
            : { uptime: percent(kept), downSeconds: Math.round(kept.down / 1000), since: kept.since },
        lastOutage:
          outage === undefined
            ? null
            : { monitorId: outage.monitorId, startedAt: outage.startedAt, endedAt: outage.endedAt }
      }
    })

    /** Measures all monitors; returns how many. */
    const measure = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const months = new Map<ProjectId, ProjectMonth>()
      let after = ""
      let count = 0
      for (;;) {
        const ids = yield* rollups.findMonitorIds(after, pageSize)
        if (ids.length === 0) {
          yield* repository.saveProjects(months.values(), now)
          return count
        }
        const monitors = yield* rollups.findMonitors(ids)
        yield* addMonth(months, ids, monitors, now)
        const found = yield* uptimesOf(monitors, now)
        yield* repository.save(
          Array.from(found, ([id, uptime]) => ({ id, uptime })),
          now
        )
        count += found.size
        after = ids.at(-1)!
      }
    }).pipe(Effect.withSpan("Summaries.measure"))

    return { measure, ofProject, uptimes }
  })
}) {
  static readonly layer = Layer.effect(Summaries, Summaries.make)
}
