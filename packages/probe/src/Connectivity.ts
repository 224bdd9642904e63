/**
 * Decides whether a probe is offline, and what becomes of results that may only say so. Pure: time comes with the events.
 *
 * A claim is the result of a check that failed: it speaks of the target as long as the probe has a network connection.
 * A claim that is news raises a doubt, and is held until somebody answers (the probe is online: the claim is true) or nobody
 * who was asked does (it is offline). An answer ends everything at once. Being offline without reference targets ends by itself
 * after two minutes: better one false alert than silence.
 */

/** Milliseconds by a clock that cannot be set. */
export type Instant = number

export type State =
  /** `offlineUntil`: when it was offline last. What was checked before may have failed for that. */
  | { readonly _tag: "Online"; readonly offlineUntil: Instant }
  /** It has begun to ask whether anybody answers. */
  | { readonly _tag: "Doubtful"; readonly since: Instant; readonly offlineUntil: Instant }
  | { readonly _tag: "Offline"; readonly since: Instant }
  /** It was offline for too long, and nothing has answered since. It is not called offline again before something does. */
  | { readonly _tag: "GivenUp" }

export type Event =
  /** A check passed, or a witness or a reference target answered. */
  | { readonly _tag: "Answered"; readonly at: Instant }
  /** A check that began at `began` failed. `news`: the monitor did not stand so before. */
  | { readonly _tag: "Claimed"; readonly at: Instant; readonly began: Instant; readonly news: boolean }
  /** A check could not look: no claim about its target, and a reason to ask. */
  | { readonly _tag: "Suspected"; readonly at: Instant }
  /** Nobody who was asked answered: no reference target, or none of enough witnesses. */
  | { readonly _tag: "Silent"; readonly at: Instant }
  /** There was nobody, or not enough, to ask. */
  | { readonly _tag: "Unanswerable"; readonly at: Instant }
  | { readonly _tag: "Elapsed"; readonly at: Instant }

/** What becomes of a claim, or of those that were held: told as it is, told as unknown, or held. */
export type Verdict = "report" | "unknown" | "hold"

export type Change = "offline" | "online" | "given up"

export interface Decision {
  readonly state: State
  /** Of the claims that were held, first of all. */
  readonly held?: Exclude<Verdict, "hold">
  /** Of the claim that the event brought. */
  readonly claim?: Verdict
  /** To be told to the operator. */
  readonly change?: Change
}

/** Without reference targets, being offline lasts no longer than this, in milliseconds. */
export const longestOffline = 120_000
/** A doubt lasts no longer than this, in milliseconds, whatever becomes of the asking. */
export const longestDoubt = 10_000

export const initial: State = { _tag: "Online", offlineUntil: Number.NEGATIVE_INFINITY }

/** Whether it has to be asked who answers. */
export const isAsking = ({ _tag }: State): boolean => _tag === "Doubtful" || _tag === "Offline"

/** `referenced`: reference targets are asked, which are right about it for as long as it takes. */
export const decide = (state: State, event: Event, referenced: boolean): Decision => {
  const expired = expire(state, event.at, referenced)
  const decision = step(expired?.state ?? state, event, referenced)
  // After an expiry nothing is held any more, so the event itself releases nothing.
  return { ...decision, ...expired, state: decision.state }
}

const expire = (state: State, at: Instant, referenced: boolean): Decision | undefined => {
  if (state._tag === "Offline" && !referenced && at - state.since >= longestOffline)
    return { state: { _tag: "GivenUp" }, held: "report", change: "given up" }
  if (state._tag === "Doubtful" && at - state.since >= longestDoubt)
    return { state: { _tag: "Online", offlineUntil: state.offlineUntil }, held: "report" }
  return undefined
}

const step = (state: State, event: Event, referenced: boolean): Decision => {
  switch (state._tag) {
    case "Online":
      return whenOnline(state, event)
    case "Doubtful":
      return whenDoubtful(state, event, referenced)
    case "Offline":
      return whenOffline(state, event, referenced)
    case "GivenUp":
      if (event._tag === "Answered") return { state: initial }
      return event._tag === "Claimed" ? { state, claim: "report" } : { state }
  }
}

const whenOnline = (state: State & { readonly _tag: "Online" }, event: Event): Decision => {
  const { offlineUntil } = state
  const doubtful: State = { _tag: "Doubtful", since: event.at, offlineUntil }
  if (event._tag === "Suspected") return { state: doubtful }
  if (event._tag !== "Claimed") return { state }
  if (event.began < offlineUntil) return { state, claim: "unknown" }
  return event.news ? { state: doubtful, claim: "hold" } : { state, claim: "report" }
}

const whenDoubtful = (state: State & { readonly _tag: "Doubtful" }, event: Event, referenced: boolean): Decision => {
  const { offlineUntil, since } = state
  switch (event._tag) {
    case "Answered":
    case "Unanswerable":
      return { state: { _tag: "Online", offlineUntil }, held: "report" }
    case "Silent":
      return {
        state: { _tag: "Offline", since },
        change: "offline",
        // Reference targets are right; otherwise it may come out that the claims were true.
        ...(referenced ? { held: "unknown" } : {})
      }
    case "Claimed":
      return { state, claim: event.began < offlineUntil ? "unknown" : "hold" }
    default:
      return { state }
  }
}

const whenOffline = (state: State & { readonly _tag: "Offline" }, event: Event, referenced: boolean): Decision => {
  switch (event._tag) {
    case "Answered":
      return { state: { _tag: "Online", offlineUntil: event.at }, held: "unknown", change: "online" }
    case "Claimed":
      return { state, claim: referenced ? "unknown" : "hold" }
    default:
      return { state }
  }
}
