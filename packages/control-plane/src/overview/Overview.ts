/** The state of a project at a glance, and of all its monitors in one document. */
import { createHash } from "node:crypto"
import type { ProjectId } from "@kanmon/domain/Ids"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import type * as Api from "@kanmon/protocol/OverviewBody"
import { Clock, Context, Effect, Layer } from "effect"
import { Regions } from "../regions/index.ts"
import { OverviewRepository } from "./OverviewRepository.ts"

const maxMonitors = 10_000
const maxListed = 20
/** Medians change by the hour, and take longer to compute than everything else. */
const mediansMillis = 300_000
/** Projects whose medians are remembered. */
const maxProjects = 100

/** A document as it is sent. */
export interface Document {
  readonly json: string
  /** Identifies the content. */
  readonly etag: string
}

interface Medians {
  readonly values: ReadonlyMap<string, number>
  readonly at: EpochMillis
  isRefreshing: boolean
}

export class Overview extends Context.Service<
  Overview,
  {
    readonly get: (projectId: ProjectId) => Effect.Effect<typeof Api.Overview.Type>
    readonly summaries: (projectId: ProjectId) => Effect.Effect<Document>
  }
>()("@kanmon/control-plane/overview/Overview") {
  static readonly layer = Layer.effect(
    Overview,
    Effect.gen(function* () {
      const repository = yield* OverviewRepository
      const regions = yield* Regions
      const remembered = new Map<ProjectId, Medians>()

      const get = Effect.fn("Overview.get")(function* (projectId: ProjectId) {
        const now = yield* Clock.currentTimeMillis
        const [statuses, openAlerts, activeIncidents, windows, known] = yield* Effect.all([
          repository.statuses(projectId, now),
          repository.countOpenAlerts(projectId),
          repository.incidents(projectId, maxListed),
          repository.windows(projectId, now, maxListed + 1),
          regions.current
        ])
        const byStatus = { pending: 0, up: 0, degraded: 0, down: 0, paused: 0, maintenance: 0 }
        for (const { count, status } of statuses) byStatus[status] = count
        return {
          monitors: statuses.reduce((sum, { count }) => sum + count, 0),
          byStatus,
          stale: statuses.reduce((sum, { stale }) => sum + stale, 0),
          openAlerts,
          activeIncidents,
          maintenance: {
            now: windows.filter(({ scheduledStart }) => scheduledStart <= now).slice(0, maxListed),
            next: windows.find(({ scheduledStart }) => scheduledStart > now) ?? null
          },
          offlineRegions: known.labels.filter((label) => (known.probes[label] ?? 0) === 0)
        }
      })

      const refresh = Effect.fnUntraced(function* (projectId: ProjectId) {
        const at = yield* Clock.currentTimeMillis
        const values = yield* repository.medians(projectId, at - dayMillis)
        remembered.delete(projectId)
        remembered.set(projectId, { values, at, isRefreshing: false })
        const [oldest] = remembered.keys()
        if (remembered.size > maxProjects && oldest !== undefined) remembered.delete(oldest)
        return values
      })

      /** Old medians are sent while new ones are computed. */
      const medians = Effect.fnUntraced(function* (projectId: ProjectId) {
        const known = remembered.get(projectId)
        if (known === undefined) return yield* refresh(projectId)
        if (!known.isRefreshing && (yield* Clock.currentTimeMillis) - known.at > mediansMillis) {
          known.isRefreshing = true
          const again = Effect.sync(() => (known.isRefreshing = false))
          yield* Effect.forkDetach(Effect.ignoreCause(Effect.ensuring(refresh(projectId), again)))
        }
        return known.values
      })

      const summaries = Effect.fn("Overview.summaries")(function* (projectId: ProjectId) {
        const values = yield* medians(projectId)
        const { ids, json } = yield* repository.columns(projectId, yield* Clock.currentTimeMillis, maxMonitors)
        const p50 = ids.map((id) => rounded(values.get(id) ?? null))
        const whole = `{"p50":${JSON.stringify(p50)},${json.slice(1)}`
        return { json: whole, etag: `"${createHash("sha256").update(whole).digest("base64url")}"` }
      })

      return Overview.of({ get, summaries })
    })
  ).pipe(Layer.provide(OverviewRepository.layer))
}

const rounded = (millis: number | null): number | null => (millis === null ? null : Math.round(millis * 100) / 100)
