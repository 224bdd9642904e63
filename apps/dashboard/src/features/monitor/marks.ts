/** Outages, incidents and maintenance as periods on a chart. Pure. */
import { reasonText } from "../../locales/reasons.ts"
import type { IncidentRecord, Outage } from "./queries.ts"

export interface Marked {
  /** Seconds since the epoch. */
  readonly from: number
  readonly to: number
  readonly kind: "down" | "degraded" | "incident" | "maintenance"
  /** Why, or the title. */
  readonly text: string
}

const seconds = (at: string): number => Date.parse(at) / 1000

const concerns = (
  { monitorIds, tags }: IncidentRecord,
  monitor: { readonly id: string; readonly tags: ReadonlyArray<string> }
): boolean => monitorIds.some((id) => id === monitor.id) || tags.some((tag) => monitor.tags.includes(tag))

/** The events of the monitor between `from` and `to`, oldest first, cut at both ends. */
export const marksOf = (
  monitor: { readonly id: string; readonly tags: ReadonlyArray<string> },
  outages: ReadonlyArray<Outage>,
  incidents: ReadonlyArray<IncidentRecord>,
  { from, to }: { readonly from: number; readonly to: number }
): ReadonlyArray<Marked> =>
  [
    ...outages.map(({ endedAt, reason, startedAt, status }): Marked => ({
      kind: status,
      from: seconds(startedAt),
      to: endedAt === null ? to : seconds(endedAt),
      text: reason === null ? "" : reasonText(reason)
    })),
    ...incidents.flatMap((incident): ReadonlyArray<Marked> => {
      if (!concerns(incident, monitor)) return []
      const { maintenance, resolvedAt, scheduledEnd, startedAt, title } = incident
      const end = resolvedAt ?? scheduledEnd
      return [
        {
          kind: maintenance ? "maintenance" : "incident",
          from: seconds(startedAt),
          to: end === null ? to : seconds(end),
          text: title
        }
      ]
    })
  ]
    .filter((mark) => mark.to > from && mark.from < to)
    .map((mark) => ({ ...mark, from: Math.max(mark.from, from), to: Math.min(mark.to, to) }))
    .toSorted((one, other) => one.from - other.from)
