/** The lists of people who are paged: each goes through its methods in order, once, until it is answered. Pure. */
import type { ChannelId, UserId } from "./Ids.ts"
import type { PageReason } from "./PageReason.ts"
import type { EpochMillis } from "./Timestamp.ts"

/** Why somebody is paged: a step of the policy, its end, or a person who asked for them. */
export type Cause =
  | { readonly _tag: "Step"; readonly round: number; readonly step: number }
  | { readonly _tag: "Exhausted"; readonly round: number }
  | { readonly _tag: "Asked"; readonly number: number }

/** A person with their own list of methods. */
export interface Person {
  readonly userId: UserId
  /** In their order; minutes from the page. */
  readonly entries: ReadonlyArray<{ readonly afterMinutes: number; readonly methodId: string }>
  /** Why they are paged, as they read it. */
  readonly reason?: PageReason | undefined
}

/** A page, which is sent once for each of these. */
export type Page =
  | {
      readonly _tag: "Person"
      readonly cause: Cause
      readonly userId: UserId
      readonly methodId: string
      readonly reason?: PageReason | undefined
    }
  | { readonly _tag: "Channel"; readonly cause: Cause; readonly channelId: ChannelId }

/** A person's list that is under way. */
export interface RunningList {
  readonly userId: UserId
  /** The cause that started the list. Its pages carry this cause. */
  readonly cause: Cause
  /** The reason of the person when the list began. */
  readonly reason?: PageReason | undefined
  /** Somebody asked for the person, so it ends with their own answer only. */
  readonly isAsked: boolean
  /** Steps of the round that named the person since it began. */
  readonly steps: ReadonlyArray<number>
  /** Not sent yet, in the order in which they are due. */
  readonly entries: ReadonlyArray<{ readonly dueAt: EpochMillis; readonly methodId: string }>
  /** Sent, without an outcome yet. */
  readonly pending: ReadonlyArray<string>
}

type Lists = ReadonlyArray<RunningList>

const minute = 60_000

/**
 * Adds the list of a person and starts it, unless it is already running: a person who is named again gets no second
 * page.
 */
export const withPerson = (lists: Lists, { entries, reason, userId }: Person, cause: Cause, at: EpochMillis): Lists => {
  const steps = cause._tag === "Step" ? [cause.step] : []
  const isAsked = cause._tag === "Asked"
  if (lists.some((list) => list.userId === userId))
    return lists.map((list) =>
      list.userId === userId
        ? { ...list, isAsked: list.isAsked || isAsked, steps: [...new Set([...list.steps, ...steps])] }
        : list
    )
  // A method that somebody lists twice is used the first time: a page is sent once for each method.
  const methods = new Set<string>()
  const planned = entries
    .map(({ afterMinutes, methodId }) => ({ dueAt: at + afterMinutes * minute, methodId }))
    .toSorted((one, other) => one.dueAt - other.dueAt)
    .filter(({ methodId }) => !methods.has(methodId) && methods.add(methodId))
  const list = { userId, cause, reason, isAsked, steps, entries: planned, pending: [] }
  return planned.length === 0 ? lists : [...lists, list]
}

/** Sends what is due. */
export const send = (lists: Lists, at: EpochMillis): { readonly lists: Lists; readonly pages: ReadonlyArray<Page> } => {
  const pages: Array<Page> = []
  const after = lists.map((list): RunningList => {
    const due = list.entries.filter(({ dueAt }) => dueAt <= at).map(({ methodId }) => methodId)
    if (due.length === 0) return list
    const { cause, reason, userId } = list
    for (const methodId of due) pages.push({ _tag: "Person", cause, userId, methodId, reason })
    return { ...list, entries: list.entries.slice(due.length), pending: [...list.pending, ...due] }
  })
  return { lists: after, pages }
}

/** The list that a page belongs to, while its outcome is awaited. */
export const listOf = (lists: Lists, page: Page): RunningList | undefined =>
  page._tag === "Channel"
    ? undefined
    : lists.find(
        ({ cause, pending, userId }) =>
          userId === page.userId && sameCause(cause, page.cause) && pending.includes(page.methodId)
      )

const sameCause = (one: Cause, other: Cause): boolean => {
  switch (one._tag) {
    case "Step":
      return other._tag === "Step" && one.round === other.round && one.step === other.step
    case "Exhausted":
      return other._tag === "Exhausted" && one.round === other.round
    case "Asked":
      return other._tag === "Asked" && one.number === other.number
  }
}

/** The lists after the outcome of a page. A list with nothing left is over, and may begin again. */
export const settle = (lists: Lists, page: Page): Lists => {
  const list = listOf(lists, page)
  if (list === undefined || page._tag === "Channel") return lists
  const pending = list.pending.filter((methodId) => methodId !== page.methodId)
  return pending.length + list.entries.length === 0
    ? lists.filter((one) => one !== list)
    : lists.map((one) => (one === list ? { ...list, pending } : one))
}

/** All entries later by as much as they were frozen. */
export const later = (lists: Lists, millis: number): Lists =>
  lists.map((list) => ({
    ...list,
    entries: list.entries.map((entry) => ({ ...entry, dueAt: entry.dueAt + millis }))
  }))
