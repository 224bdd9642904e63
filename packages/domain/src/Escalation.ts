/**
 * Escalation of one alert: which pages are due, and what happens next. A state and an event give the next state, the pages to
 * send, and the entries of the time line. Pure: the caller says who is on call when a step runs, and claims due times as rows, so
 * nothing waits in memory.
 */
import type { ChannelId, UserId } from "./Ids.ts"
import type { EpochMillis } from "./Timestamp.ts"
import {
  type Cause,
  later,
  listOf,
  type Page,
  type Person,
  type RunningList,
  send,
  settle,
  withPerson
} from "./EscalationLists.ts"
import { pageReason } from "./PageReason.ts"

/** The parts of a policy that decide, as they were when the alert opened. */
export interface Policy {
  /** Minutes from when the step before ran; the first: from the opening, in the first round only. */
  readonly steps: ReadonlyArray<{ readonly afterMinutes: number }>
  /** Further rounds. */
  readonly repeat: number
  /** Minutes from the last step to the next round, or to exhaustion. */
  readonly repeatAfterMinutes: number
  /** Minutes after which an acknowledgement no longer holds. */
  readonly acknowledgeTimeoutMinutes?: number | undefined
}

/** The people and channels that a step names at the moment at which it runs. */
export interface Targets {
  readonly people: ReadonlyArray<Person>
  readonly channels: ReadonlyArray<ChannelId>
}

export interface Escalation {
  readonly status: "open" | "acknowledged" | "exhausted" | "ended"
  /** Whether a silence or a maintenance window holds it. */
  readonly isHeld: boolean
  /** When a snooze froze everything; null while none does. */
  readonly frozenAt: EpochMillis | null
  /** Counted on when the policy begins again, so that no page has the key of an earlier one. */
  readonly round: number
  /** The round in which the policy began; `repeat` counts from it. */
  readonly firstRound: number
  /** The step that runs next; the number of steps after the last one. */
  readonly next: number
  /** When it does. */
  readonly dueAt: EpochMillis
  /** The step that ran last in this round: whether it reached anybody, and its pages to channels without an outcome. */
  readonly last: { readonly step: number; readonly reached: boolean; readonly pending: number } | null
  readonly roundReached: boolean
  readonly everReached: boolean
  readonly lists: ReadonlyArray<RunningList>
  readonly acknowledgement: { readonly by: Person | null; readonly endsAt: EpochMillis | null } | null
  /** How often people were asked for. */
  readonly asked: number
}

type At = { readonly at: EpochMillis }

export type EscalationEvent = At &
  (
    | {
        readonly _tag: "Due"
        /** The people and channels that a step names now. */
        readonly targets: (step: number) => Targets
      }
    /** A page was accepted or is held by quiet hours (`reached`), or failed for good. */
    | { readonly _tag: "Outcome"; readonly page: Page; readonly reached: boolean }
    | { readonly _tag: "Acknowledged"; readonly by: Person | null }
    | { readonly _tag: "Unacknowledged" }
    | { readonly _tag: "Snoozed" }
    | { readonly _tag: "SnoozeEnded" }
    /** A silence or a maintenance window begins. */
    | { readonly _tag: "Held" }
    | { readonly _tag: "Released" }
    /** Somebody wants the next step now; `seen` is the one that they saw as the next. */
    | { readonly _tag: "Escalated"; readonly seen: { readonly round: number; readonly next: number } }
    /** Somebody asks for a person. */
    | { readonly _tag: "Asked"; readonly person: Person }
    /** A person who was asked for answers; an answer of others is not theirs. */
    | { readonly _tag: "Answered"; readonly userId: UserId }
    | { readonly _tag: "Resolved" }
  )

/** Entries of the time line. */
export type Told =
  | { readonly _tag: "StepRan"; readonly round: number; readonly step: number }
  | { readonly _tag: "NobodyReached"; readonly round: number; readonly step: number }
  | { readonly _tag: "AcknowledgementEnded" }
  /** `everReached` is false: the owners of the organization are notified, even if the policy excludes them. */
  | { readonly _tag: "Exhausted"; readonly everReached: boolean }

export interface Decision {
  readonly state: Escalation
  readonly pages: ReadonlyArray<Page>
  readonly told: ReadonlyArray<Told>
}

const minute = 60_000

/** Why a person is paged whose acknowledgement no longer holds. */
const held = pageReason("acknowledgement_ended")

/** Milliseconds before a step, or after the last one. */
const delayOf = ({ repeatAfterMinutes, steps }: Policy, step: number): number =>
  (steps[step]?.afterMinutes ?? repeatAfterMinutes) * minute

/** The escalation of an alert that opens. */
export const opened = (policy: Policy, at: EpochMillis): Escalation => ({
  status: "open",
  isHeld: false,
  frozenAt: null,
  round: 0,
  firstRound: 0,
  next: 0,
  dueAt: at + delayOf(policy, 0),
  last: null,
  roundReached: false,
  everReached: false,
  lists: [],
  acknowledgement: null,
  asked: 0
})

/** An alert without a policy: no step is ever due, and people are asked for one by one. */
export const unplanned = (at: EpochMillis): Escalation => ({
  ...opened({ steps: [], repeat: 0, repeatAfterMinutes: 1 }, at),
  status: "exhausted"
})

/** When something is due next; null while nothing is. */
export const nextDueAt = (state: Escalation): EpochMillis | null => {
  if (state.frozenAt !== null || state.status === "ended") return null
  const ofPolicy = state.status === "open" ? state.dueAt : state.acknowledgement?.endsAt
  const times = [
    ...(state.isHeld || ofPolicy === undefined || ofPolicy === null ? [] : [ofPolicy]),
    ...state.lists.flatMap(({ entries }) => entries.map(({ dueAt }) => dueAt))
  ]
  return times.length === 0 ? null : Math.min(...times)
}

const silently = (state: Escalation): Decision => ({ state, pages: [], told: [] })

/** The effect of an event. Events after the end change nothing. */
export const decide = (policy: Policy, state: Escalation, event: EscalationEvent): Decision => {
  const { at } = event
  if (state.status === "ended") return silently(state)
  switch (event._tag) {
    case "Due":
      return state.frozenAt === null ? due(policy, state, at, event.targets) : silently(state)
    case "Outcome":
      return silently(settled(policy, state, event.page, event.reached, at))
    case "Acknowledged":
      return silently(acknowledged(policy, state, at, event.by))
    case "Unacknowledged":
      return silently(state.status === "acknowledged" ? reopened(policy, state, at) : state)
    case "Snoozed":
      return silently({ ...state, frozenAt: state.frozenAt ?? at })
    case "SnoozeEnded":
      return silently(thawed(policy, state, at))
    case "Held":
      return silently({ ...state, isHeld: true, lists: [] })
    case "Released":
      return silently(released(policy, state, at))
    case "Escalated":
      return silently(escalated(policy, state, at, event.seen))
    case "Asked":
      return sent(asked(state, event.person, at), at)
    case "Answered":
      return silently({
        ...state,
        lists: state.lists.filter(({ isAsked, userId }) => !isAsked || userId !== event.userId)
      })
    case "Resolved":
      return silently({ ...state, status: "ended", lists: [], acknowledgement: null })
  }
}

/** All that is due at an instant, in its order. */
const due = (policy: Policy, state: Escalation, at: EpochMillis, targets: (step: number) => Targets): Decision => {
  const told: Array<Told> = []
  const pages: Array<Page> = []
  let now = state
  const { acknowledgement } = now
  if (!now.isHeld && acknowledgement?.endsAt != null && acknowledgement.endsAt <= at) {
    told.push({ _tag: "AcknowledgementEnded" })
    now = reopened(policy, now, at)
    if (acknowledgement.by !== null) now = asked(now, { ...acknowledgement.by, reason: held }, at)
  }
  // A step that reaches no one is followed immediately, so one call may run all steps of a round and its end.
  for (let runs = 0; runs <= policy.steps.length; runs++) {
    if (now.status !== "open" || now.isHeld || now.dueAt > at) break
    const one = now.next < policy.steps.length ? run(policy, now, at, targets(now.next)) : roundOver(policy, now, at)
    now = one.state
    pages.push(...one.pages)
    told.push(...one.told)
  }
  const rest = sent(now, at)
  return { state: rest.state, pages: [...pages, ...rest.pages], told }
}

/** Runs the next step. */
const run = (policy: Policy, state: Escalation, at: EpochMillis, { channels, people }: Targets): Decision => {
  const { next: step, round } = state
  const cause: Cause = { _tag: "Step", round, step }
  const distinct = [...new Set(channels)]
  const begun: Escalation = {
    ...state,
    lists: people.reduce((lists, person) => withPerson(lists, person, cause, at), state.lists),
    next: step + 1,
    last: { step, reached: false, pending: distinct.length },
    dueAt: at + delayOf(policy, step + 1)
  }
  return {
    state: hurried(policy, begun, at),
    pages: distinct.map((channelId) => ({ _tag: "Channel", cause, channelId })),
    told: [
      { _tag: "StepRan", round, step },
      ...(isLost(begun) ? [{ _tag: "NobodyReached", round, step } as const] : [])
    ]
  }
}

/** Whether the last step can no longer reach anybody. */
const isLost = ({ last, lists }: Escalation): boolean =>
  last !== null && !last.reached && last.pending === 0 && !lists.some(({ steps }) => steps.includes(last.step))

/**
 * A step that reached no one makes the next one due immediately. After the last step, people whom earlier steps reached
 * keep their time to answer.
 */
const hurried = (policy: Policy, state: Escalation, at: EpochMillis): Escalation =>
  isLost(state) && (state.next < policy.steps.length || !state.roundReached)
    ? { ...state, dueAt: Math.min(state.dueAt, at) }
    : state

/** After the last step: another round, or the end of the policy. A round that reached no one is not repeated. */
const roundOver = (policy: Policy, state: Escalation, at: EpochMillis): Decision => {
  const mayReach = state.roundReached || state.lists.length > 0 || (state.last?.pending ?? 0) > 0
  return mayReach && state.round - state.firstRound < policy.repeat
    ? silently({ ...nextRound(state), dueAt: at })
    : {
        // No round is left, also when an acknowledgement is taken back later.
        state: { ...state, status: "exhausted", firstRound: state.round - policy.repeat },
        pages: [],
        told: [{ _tag: "Exhausted", everReached: state.everReached }]
      }
}

const nextRound = (state: Escalation): Escalation => ({
  ...state,
  round: state.round + 1,
  next: 0,
  last: null,
  roundReached: false,
  lists: state.lists.map((list) => ({ ...list, steps: [] }))
})

/** The policy from its first step, in a round of its own. Without steps there is nothing to begin. */
const begunAgain = ({ steps }: Policy, state: Escalation, dueAt: EpochMillis): Escalation => {
  if (steps.length === 0) return { ...state, status: "exhausted", acknowledgement: null }
  const again = nextRound(state)
  return { ...again, status: "open", acknowledgement: null, firstRound: again.round, dueAt }
}

const sent = (state: Escalation, at: EpochMillis): Decision => {
  const { lists, pages } = send(state.lists, at)
  return { state: { ...state, lists }, pages, told: [] }
}

const settled = (policy: Policy, state: Escalation, page: Page, reached: boolean, at: EpochMillis): Escalation => {
  const { last } = state
  const isOfRound = page.cause._tag === "Step" && page.cause.round === state.round
  const step = page._tag === "Channel" && isOfRound && page.cause._tag === "Step" ? page.cause.step : undefined
  const isOfLast =
    last !== null && (step === last.step || listOf(state.lists, page)?.steps.includes(last.step) === true)
  const after: Escalation = {
    ...state,
    lists: settle(state.lists, page),
    last: !isOfLast
      ? last
      : {
          ...last,
          reached: last.reached || reached,
          pending: Math.max(0, last.pending - (step === undefined ? 0 : 1))
        },
    roundReached: state.roundReached || (reached && (isOfRound || isOfLast)),
    everReached: state.everReached || reached
  }
  return isOfLast ? hurried(policy, after, at) : after
}

/**
 * An acknowledgement drops all that is pending, but for people who were asked for and have not answered themselves. It ends a
 * snooze.
 */
const acknowledged = (policy: Policy, state: Escalation, at: EpochMillis, by: Person | null): Escalation => {
  const running = unfrozen(state, at)
  return {
    ...running,
    status: "acknowledged",
    lists: running.lists.filter(({ isAsked, userId }) => isAsked && userId !== by?.userId),
    acknowledgement: {
      by,
      endsAt: policy.acknowledgeTimeoutMinutes === undefined ? null : at + policy.acknowledgeTimeoutMinutes * minute
    }
  }
}

/** An acknowledgement that is taken back: the step that was next, after its whole delay; with none left the policy, at once. */
const reopened = (policy: Policy, state: Escalation, at: EpochMillis): Escalation =>
  state.next < policy.steps.length || state.round - state.firstRound < policy.repeat
    ? { ...state, status: "open", acknowledgement: null, dueAt: at + delayOf(policy, state.next) }
    : begunAgain(policy, state, at)

/** All delays run on from where a snooze froze them. */
const unfrozen = (state: Escalation, at: EpochMillis): Escalation => {
  if (state.frozenAt === null) return state
  const frozen = at - state.frozenAt
  return { ...state, frozenAt: null, dueAt: state.dueAt + frozen, lists: later(state.lists, frozen) }
}

/** The end of a snooze. An alert that was acknowledged is open then. */
const thawed = (policy: Policy, state: Escalation, at: EpochMillis): Escalation =>
  state.frozenAt !== null && state.status === "acknowledged"
    ? reopened(policy, unfrozen(state, at), at)
    : unfrozen(state, at)

/** The end of a silence: the policy from its first step, unless somebody has acknowledged. */
const released = (policy: Policy, state: Escalation, at: EpochMillis): Escalation => {
  if (!state.isHeld) return state
  const free = { ...state, isHeld: false }
  return state.status === "acknowledged" ? free : begunAgain(policy, free, at + delayOf(policy, 0))
}

/** The next step now, once for all who saw the same one as the next. With none left the policy begins again. */
const escalated = (
  policy: Policy,
  state: Escalation,
  at: EpochMillis,
  seen: { readonly round: number; readonly next: number }
): Escalation => {
  if (seen.round !== state.round || seen.next !== state.next) return state
  const open: Escalation = { ...unfrozen(state, at), status: "open", isHeld: false, acknowledgement: null, dueAt: at }
  return state.next < policy.steps.length ? open : begunAgain(policy, open, at)
}

const asked = (state: Escalation, person: Person, at: EpochMillis): Escalation => ({
  ...state,
  asked: state.asked + 1,
  lists: withPerson(state.lists, person, { _tag: "Asked", number: state.asked }, at)
})
