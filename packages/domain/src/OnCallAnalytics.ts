/** Figures about on-call duty: the time of people on call, their pages, and the nights that pages interrupted. Pure. */
import type { UserId } from "./Ids.ts"
import { type Day, dayMillis, dayOf, type Zone } from "./LocalTime.ts"
import { joined, type Span } from "./Spans.ts"
import type { EpochMillis } from "./Timestamp.ts"

const hourMillis = 3_600_000
/** Local time at which nights begin and end. */
const nightBegins = 22 * hourMillis
const nightEnds = 7 * hourMillis

/** The night in which an instant lies, by the local day on which the night began; null by day. */
export const nightOf = (zone: Zone, at: EpochMillis): Day | null => {
  const day = dayOf(zone, at)
  const sinceMidnight = at + zone.offsetAt(at) - day * dayMillis
  if (sinceMidnight >= nightBegins) return day
  return sinceMidnight < nightEnds ? day - 1 : null
}

/** The duty of a person in some span of time. */
export interface PersonFigures {
  readonly userId: UserId
  /** Time on call; shifts of several schedules at once count once. */
  readonly onCallMillis: number
  readonly pages: number
  readonly interruptedNights: number
}

/** The figures of everybody who had a shift or got a page, those with the most time on call first. `zoneFor`: that of the person. */
export const figuresOf = (
  shifts: ReadonlyArray<Span & { readonly userId: UserId | null }>,
  pages: ReadonlyArray<{ readonly userId: UserId; readonly at: EpochMillis }>,
  zoneFor: (userId: UserId) => Zone
): ReadonlyArray<PersonFigures> => {
  const shiftsOf = Map.groupBy(shifts, ({ userId }) => userId)
  const pagesOf = Map.groupBy(pages, ({ userId }) => userId)
  const people = new Set([...shiftsOf.keys(), ...pagesOf.keys()])
  return [...people]
    .flatMap((userId) => {
      if (userId === null) return []
      const own = pagesOf.get(userId) ?? []
      const zone = zoneFor(userId)
      const nights = new Set(own.flatMap(({ at }) => nightOf(zone, at) ?? []))
      return {
        userId,
        onCallMillis: joined(shiftsOf.get(userId) ?? []).reduce((sum, { from, to }) => sum + to - from, 0),
        pages: own.length,
        interruptedNights: nights.size
      }
    })
    .toSorted((one, other) => other.onCallMillis - one.onCallMillis || (one.userId < other.userId ? -1 : 1))
}
