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

/** How a method reaches a person: by a message, or at a phone number with a text message or a call. */
export type PageWay = "message" | "text" | "call"

interface PaceLimit {
  /** Messages within the time. */
  readonly most: number
  readonly millis: EpochMillis
}

/** How often a person is written to by one method: the first page at once, what follows together a minute later. */
export const paceMillis = 60_000

const ofMessages: ReadonlyArray<PaceLimit> = [{ most: 1, millis: paceMillis }]

/** A person who slept through three calls does not wake up from a fourth, and providers block numbers that are called too often. */
const ofCalls: ReadonlyArray<PaceLimit> = [
  ...ofMessages,
  { most: 3, millis: 15 * 60_000 },
  { most: 7, millis: 3_600_000 }
]

/** How often pages may be sent: texts and calls by number, other messages by method. */
export const paceOf = (way: PageWay): ReadonlyArray<PaceLimit> => (way === "call" ? ofCalls : ofMessages)

/** The time over which earlier messages count. */
export const paceWindow = (way: PageWay): EpochMillis => Math.max(...paceOf(way).map(({ millis }) => millis))

/**
 * When the next message may be sent: the first page goes at once; the pages that follow a message too closely wait, and are one message
 * together. `sentAt`: when messages were sent before; those that are older than `paceWindow` make no difference.
 */
export const nextPageAt = (sentAt: ReadonlyArray<EpochMillis>, way: PageWay): EpochMillis => {
  const newestFirst = sentAt.toSorted((one, other) => other - one)
  return Math.max(
    Number.NEGATIVE_INFINITY,
    ...paceOf(way).flatMap(({ millis, most }) => {
      const at = newestFirst[most - 1]
      return at === undefined ? [] : [at + millis]
    })
  )
}

/**
 * The same for a method that reaches a phone number: texts and calls to the number count together for the pace of messages, and calls
 * by themselves for that of calls. `toNumber` are all of them, `own` those of the same kind.
 */
export const nextPageToNumberAt = (
  { own, toNumber }: { readonly own: ReadonlyArray<EpochMillis>; readonly toNumber: ReadonlyArray<EpochMillis> },
  way: PageWay
): EpochMillis => Math.max(nextPageAt(own, way), nextPageAt(toNumber, "text"))

/** One message for these, each outage once; alone when all are about one outage. */
export const together = (pending: ReadonlyArray<Opening>): Together => {
  const outages = [...Map.groupBy(pending, ({ outage }) => outage).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ id: first.id, shared: others.map(({ id }) => id) }]
  )
  return outages.length === 1 ? { _tag: "Single" } : { _tag: "Group", outages }
}

const outagesOf = (openings: ReadonlyArray<Opening>): number => new Set(openings.map(({ outage }) => outage)).size
