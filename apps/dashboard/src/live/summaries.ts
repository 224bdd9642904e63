/** All monitors of the project in one request, which transfers nothing while nothing has changed. */
import type { MonitorSummaries } from "@kanmon/protocol/OverviewBody"
import type { ProjectHeaders } from "../api/message.ts"
import { call } from "../api/request.ts"
import { reasonText } from "../locales/reasons.ts"
import type { MonitorSummary } from "./MonitorStore.ts"
import { schemeIn, shortened } from "./target.ts"

type Columns = typeof MonitorSummaries.Encoded

const rowsOf = (columns: Columns): ReadonlyArray<MonitorSummary> => {
  const stale = new Set(columns.stale)
  const failures = new Map(columns.failures.map((failure) => [failure.monitor, reasonText(failure)]))
  return columns.id.map((id, index) => {
    const group = columns.group[index]!
    const target = columns.target[index]!
    return {
      id,
      name: columns.name[index]!,
      type: columns.type[index]!,
      target: target === null ? null : shortened(target),
      ...schemeIn(target),
      group: group === null ? null : columns.groups[group]!,
      tags: columns.tagSets[columns.tags[index]!]!,
      regions: columns.regionSets[columns.regions[index]!]!,
      status: columns.status[index]!,
      since: columns.since[index]!,
      stale: stale.has(index),
      failure: failures.get(index) ?? null,
      uptime: columns.uptime24h[index]!,
      responseTime: columns.p50[index] ?? columns.responseTime24h[index]!,
      results: columns.results[index]!
    }
  })
}

export interface Loaded {
  readonly monitors: ReadonlyArray<MonitorSummary>
  /** Monitors of the project; more than `monitors` has if there are too many for one answer. */
  readonly total: number
  readonly etag: string | null
}

/** Undefined when nothing has changed since the answer with this tag. */
export const loadSummaries = async (
  project: ProjectHeaders,
  etag: string | null,
  signal: AbortSignal,
  at?: string
): Promise<Loaded | undefined> => {
  const response = await call("GET /monitors/summaries", {
    ...(at === undefined ? {} : { query: { at } }),
    project: etag === null ? project : { ...project, "if-none-match": etag },
    signal
  })
  if (response.status === 304) return undefined
  const columns = (await response.json()) as Columns
  return { monitors: rowsOf(columns), total: columns.total, etag: response.headers.get("etag") }
}
