/** A project as it was known at an instant of the past: the same bodies as of the present. */
import type { Explanation } from "@kanmon/domain/Explanation"
import { InvalidFields } from "@kanmon/domain/FieldErrors"
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import type { MonitorStatus } from "@kanmon/domain/Status"
import { dayMillis, type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import { Clock, Context, Effect, Layer } from "effect"
import { Summaries } from "../evaluation/index.ts"
import { PastRepository } from "./PastRepository.ts"

/** Monitors whose uptime is measured at once. */
const pageSize = 500
/** More than a project can have. */
const maxCounted = 10_000_000

/** A monitor as it was known. */
interface KnownMonitor {
  readonly id: MonitorId
  readonly status: MonitorStatus
  readonly since: EpochMillis
  readonly stale: boolean
  readonly message: string | null
  readonly explanation: Explanation | null
}

export class Past extends Context.Service<Past>()("@kanmon/monitoring/overview/Past", {
  make: Effect.gen(function* () {
    const repository = yield* PastRepository
    const { uptimes } = yield* Summaries
    const { retentionDays } = yield* ApiSettings

    /** Refuses instants about which nothing can be known. */
    const admit = Effect.fnUntraced(function* (at: EpochMillis) {
      const now = yield* Clock.currentTimeMillis
      const oldest = now - retentionDays * dayMillis
      if (at > now)
        return yield* refuse(
          `Must not be in the future. Leave it out for the present state, or use an instant before ${toIso(now)}`
        )
      if (at < oldest)
        return yield* refuse(
          `Alerts and results are kept for ${retentionDays} days. Use an instant after ${toIso(oldest)}`
        )
    })

    const known = (projectId: ProjectId, at: EpochMillis, limit: number) =>
      Effect.map(repository.states(projectId, at, limit), (rows) =>
        rows.map(({ covered, explanation, id, known, message, since, stale }): KnownMonitor => ({
          id,
          status: covered && known !== "paused" ? "maintenance" : known,
          since,
          stale: stale && known !== "paused" && known !== "pending",
          message: known === "down" || known === "degraded" ? message : null,
          explanation
        }))
      )

    const overview = Effect.fn("Past.overview")(function* (projectId: ProjectId, at: EpochMillis, maxListed: number) {
      yield* admit(at)
      const [monitors, openAlerts, activeIncidents, windows] = yield* Effect.all([
        known(projectId, at, maxCounted),
        repository.countOpenAlerts(projectId, at),
        repository.incidents(projectId, at, maxListed),
        repository.windows(projectId, at, maxListed + 1)
      ])
      const byStatus = { pending: 0, up: 0, degraded: 0, down: 0, paused: 0, maintenance: 0 }
      for (const { status } of monitors) byStatus[status]++
      return {
        monitors: monitors.length,
        byStatus,
        stale: monitors.filter(({ stale }) => stale).length,
        openAlerts,
        activeIncidents,
        maintenance: {
          now: windows.filter(({ scheduledStart }) => scheduledStart <= at).slice(0, maxListed),
          next: windows.find(({ scheduledStart }) => scheduledStart > at) ?? null
        },
        // It is not kept which regions had a probe.
        offlineRegions: [],
        month: null,
        lastOutage: null
      }
    })

    /** The day before the instant, of a page of monitors. */
    const measure = Effect.fnUntraced(function* (ids: ReadonlyArray<MonitorId>, at: EpochMillis) {
      const found = yield* uptimes(ids, at)
      const results = new Map((yield* repository.results(ids, at)).map((row) => [row.id, row]))
      return ids.map((id) => ({ uptime: found.get(id) ?? null, ...results.get(id)! }))
    })

    /** The document of all monitors, as JSON. */
    const summaries = Effect.fn("Past.summaries")(function* (projectId: ProjectId, at: EpochMillis, limit: number) {
      yield* admit(at)
      const monitors = yield* known(projectId, at, limit)
      const pages = []
      for (let from = 0; from < monitors.length; from += pageSize)
        pages.push(
          yield* measure(
            monitors.slice(from, from + pageSize).map(({ id }) => id),
            at
          )
        )
      const measured = pages.flat()
      const states = {
        status: monitors.map(({ status }) => status),
        since: monitors.map(({ since }) => Math.floor(since / 1000)),
        uptime24h: measured.map(({ uptime }) => uptime),
        p50: measured.map(() => null),
        responseTime24h: measured.map(({ responseTime }) =>
          responseTime === null ? null : Math.round(responseTime * 100) / 100
        ),
        results: measured.map(({ results }) => results ?? ""),
        stale: monitors.flatMap(({ stale }, index) => (stale ? [index] : [])),
        failures: monitors.flatMap(({ explanation, message }, index) =>
          message === null ? [] : [{ monitor: index, message, ...(explanation === null ? {} : { explanation }) }]
        )
      }
      const settings = yield* repository.settings(projectId, at, limit)
      return `${settings.slice(0, -1)},${JSON.stringify(states).slice(1)}`
    })

    return { overview, summaries }
  })
}) {
  static readonly layer = Layer.effect(Past, Past.make).pipe(Layer.provide(PastRepository.layer))
}

const refuse = (message: string) => Effect.fail(new InvalidFields({ errors: [{ path: "at", message }] }))
