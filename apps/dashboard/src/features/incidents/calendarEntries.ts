/** The entries of a calendar: open incidents and windows, past ones, and future windows of series. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useEffect } from "react"
import { useProjectData } from "../../live/ProjectData.tsx"
import { useNow } from "../../browser/now.ts"
import { type Entry, lookBack } from "./calendar.ts"
import { incidentsQuery, type IncidentRecord, openQuery } from "./queries.ts"
import { beginnings, recurrenceOf } from "./recurrence.ts"

/** Pages of past records that a calendar reads. */
const maxPages = 20

const entryOf = (incident: IncidentRecord, now: number): Entry => {
  const { id, maintenance, recurrence, resolvedAt, scheduledEnd, scheduledStart, startedAt, title } = incident
  const resolved = resolvedAt === null ? undefined : Date.parse(resolvedAt)
  const start = Date.parse(scheduledStart ?? startedAt)
  const planned = scheduledEnd === null ? now : Date.parse(scheduledEnd)
  return {
    key: id,
    id,
    title,
    start,
    // One that was ended early is drawn as long as it was.
    end: Math.max(start, resolved === undefined ? planned : maintenance ? Math.min(planned, resolved) : resolved),
    tone: maintenance ? "maintenance" : resolved === undefined ? "down" : "quiet",
    isMovable: maintenance && resolved === undefined,
    isAhead: false,
    isSeries: recurrence !== null
  }
}

/** The windows that the series of a window will have. A series of so many windows does not say how many are left. */
const entriesAhead = (incident: IncidentRecord, from: number, to: number): ReadonlyArray<Entry> => {
  const { recurrence: rule, scheduledEnd, scheduledStart, timezone } = incident
  if (rule === null || scheduledStart === null || scheduledEnd === null) return []
  const start = Date.parse(scheduledStart)
  const recurrence = recurrenceOf(rule, start, timezone ?? "UTC")
  if (recurrence === undefined || recurrence.count !== undefined) return []
  const length = Date.parse(scheduledEnd) - start
  return beginnings(recurrence, start, timezone ?? "UTC", from - length, to).map((at) => ({
    key: `${incident.id} ${at}`,
    id: incident.id,
    title: incident.title,
    start: at,
    end: at + length,
    tone: "maintenance",
    isMovable: false,
    isAhead: true,
    isSeries: true
  }))
}

export const useEntries = (from: number, to: number) => {
  const { project } = useProjectData()
  const now = useNow()
  const open = useQuery(openQuery(project))
  const lists = [
    useInfiniteQuery(incidentsQuery(project, false, "resolved")),
    useInfiniteQuery(incidentsQuery(project, true, "resolved"))
  ]
  useEffect(() => {
    for (const { data, fetchNextPage, hasNextPage, isFetching } of lists) {
      const oldest = data?.pages.at(-1)?.items.at(-1)
      if (oldest === undefined || !hasNextPage || isFetching || data!.pages.length >= maxPages) continue
      if (Date.parse(oldest.createdAt) > from - lookBack) void fetchNextPage()
    }
  })
  const past = lists.flatMap(({ data }) => data?.pages.flatMap(({ items }) => items) ?? [])
  const entries = [
    ...[...(open.data ?? []), ...past].map((incident) => entryOf(incident, now)),
    ...(open.data ?? []).flatMap((incident) => entriesAhead(incident, from, to))
  ].filter(({ end, start }) => end >= from && start < to)
  return {
    entries,
    records: open.data,
    error: open.error ?? lists[0]!.error ?? lists[1]!.error,
    isReady: open.data !== undefined
  }
}
