/**
 * Groups bursts: many alerts that open within a minute are sent to a channel as one message. Pure: takes the openings of one
 * channel, and so of one project; returns what to do with the oldest that waits.
 */
import type { EpochMillis } from "./Timestamp.ts"

/** The opening of an alert on the channel. */
export interface Opening {
  readonly id: string
  /** The same for openings of several rules about one outage. */
  readonly outage: string
  readonly createdAt: EpochMillis
  /** Whether it waits to be sent; otherwise it was sent or given up. */
  readonly isPending: boolean
}

export type Together =
  | { readonly _tag: "Single" }
  /** One message lists these, oldest first: each outage once, with the openings of further rules about it. */
  | {
      readonly _tag: "Group"
      readonly outages: ReadonlyArray<{ readonly id: string; readonly shared: ReadonlyArray<string> }>
    }

export type GroupStep =
  | Together
  /** More are likely to follow. */
  | { readonly _tag: "Wait"; readonly until: EpochMillis }

/** Alerts that open within this time are one burst. */
export const burstMillis = 60_000

/** How long the alerts of a burst that follow one by one are collected. */
export const collectMillis = 15_000

/** `limit`: the largest number of alerts of a burst that are sent one by one. `openings` are in the order of their creation. */
export const groupStep = (openings: ReadonlyArray<Opening>, limit: number, now: EpochMillis): GroupStep => {
  const pending = openings.filter(({ isPending }) => isPending)
  const [first] = pending
  const last = pending.at(-1)
  if (first === undefined || last === undefined) return { _tag: "Single" }
  const burst = openings.filter(({ createdAt }) => createdAt > last.createdAt - burstMillis)
  // A delivery that is older than a burst belongs to another burst.
  if (first.createdAt <= last.createdAt - burstMillis || outagesOf(burst) <= limit) return { _tag: "Single" }
  const isWhole = outagesOf(pending) > limit
  const until = first.createdAt + collectMillis
  if (!isWhole && now < until) return { _tag: "Wait", until }
  return together(pending)
}

/** How often a person is written to by one method: the first page at once, what follows together a minute later. */
export const paceMillis = 60_000

/**
 * When a person gets the next message by one method: the first page goes at once; the pages that follow within a minute of a message
 * wait for the end of that minute, and are one message. `lastSentAt`: when the person last got one; null: not within the last
 * minute.
 */
export const nextPageAt = (lastSentAt: EpochMillis | null): EpochMillis =>
  lastSentAt === null ? Number.NEGATIVE_INFINITY : lastSentAt + paceMillis

/** One message for these, each outage once; alone when all are about one outage. */
export const together = (pending: ReadonlyArray<Opening>): Together => {
  const outages = [...Map.groupBy(pending, ({ outage }) => outage).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ id: first.id, shared: others.map(({ id }) => id) }]
  )
  return outages.length === 1 ? { _tag: "Single" } : { _tag: "Group", outages }
}

const outagesOf = (openings: ReadonlyArray<Opening>): number => new Set(openings.map(({ outage }) => outage)).size
