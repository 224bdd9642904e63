/** The state of a project at a glance, and of all its monitors in one document. */
import { createHash } from "node:crypto"
import type { ProjectId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { Summaries } from "../evaluation/index.ts"
import { Regions } from "../regions/index.ts"
import { OverviewRepository } from "./OverviewRepository.ts"
import { Past } from "./Past.ts"

const maxMonitors = 10_000
const maxListed = 20
/** For how many projects the columns that follow settings are kept; ten thousand monitors have about 1.3 MB of them. */
const keptProjects = 16
const comma = Buffer.from(",")
/** A document as it is sent: in pieces, since to join a megabyte for every request would keep the garbage collector busy. */
interface Document {
  readonly json: ReadonlyArray<Uint8Array>
  /** Identifies the content. */
  readonly etag: string
}

export class Overview extends Context.Service<Overview>()("@kanmon/monitoring/overview/Overview", {
  make: Effect.gen(function* () {
    const repository = yield* OverviewRepository
    const regions = yield* Regions
    const past = yield* Past
    const { ofProject } = yield* Summaries
    const kept = new Map<ProjectId, { readonly version: string; readonly settings: Uint8Array }>()

    const get = Effect.fn("Overview.get")(function* (projectId: ProjectId) {
      const now = yield* Clock.currentTimeMillis
      const [statuses, openAlerts, activeIncidents, windows, known, lately] = yield* Effect.all([
        repository.statuses(projectId, now),
        repository.countOpenAlerts(projectId),
        repository.incidents(projectId, maxListed),
        repository.windows(projectId, now, maxListed + 1),
        regions.current,
        ofProject(projectId)
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
        offlineRegions: known.labels.filter((label) => (known.probes[label] ?? 0) === 0),
        ...lately
      }
    })

    const summaries: (projectId: ProjectId) => Effect.Effect<Document> = Effect.fn("Overview.summaries")(function* (
      projectId: ProjectId
    ) {
      const known = kept.get(projectId)
      const now = yield* Clock.currentTimeMillis
      const pieces = yield* repository.columns(projectId, known?.version ?? "", now, maxMonitors)
      const { settings = [], states = [] } = Object.groupBy(pieces, ({ part }) => part)
      const { version } = states[0]!
      // An object without its closing brace, for the states.
      const current = {
        version,
        settings:
          settings.length === 0 ? known!.settings : Buffer.concat(settings.map(({ json }) => json)).subarray(0, -1)
      }
      // The least recently read is first.
      kept.delete(projectId)
      kept.set(projectId, current)
      for (const oldest of [...kept.keys()].slice(0, -keptProjects)) kept.delete(oldest)
      const hash = createHash("sha256").update(version)
      for (const { json } of states) hash.update(json)
      const [first, ...rest] = states.map(({ json }) => json)
      return {
        json: [current.settings, comma, first!.subarray(1), ...rest],
        etag: `"${hash.digest("base64url")}"`
      }
    })

    /** The same as it was known at an instant of the past. */
    const getPast = (projectId: ProjectId, at: EpochMillis) => past.overview(projectId, at, maxListed)

    const pastSummaries = Effect.fn("Overview.pastSummaries")(function* (projectId: ProjectId, at: EpochMillis) {
      const json = Buffer.from(yield* past.summaries(projectId, at, maxMonitors))
      return { json: [json], etag: `"${createHash("sha256").update(json).digest("base64url")}"` } satisfies Document
    })

    return { get, getPast, summaries, pastSummaries }
  })
}) {
  static readonly layer = Layer.effect(Overview, Overview.make).pipe(
    Layer.provide([OverviewRepository.layer, Past.layer])
  )
}
