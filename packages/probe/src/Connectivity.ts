/**
 * Decides whether a probe is offline, and what happens to results that may only be caused by that. Pure: time is part of
 * the events.
 *
 * A claim is the result of a failed check; it is about the target only if the probe has a network connection. A claim that
 * changes a monitor's status raises a doubt and is held until something answers (the probe is online and the claim is true)
 * or nothing that was asked does (the probe is offline). An answer ends both immediately. Without reference targets, being
 * offline ends after two minutes: one false alert is better than silence.
 */

/** Milliseconds on a clock that cannot be set. */
export type Instant = number

export type State =
  /** `offlineUntil`: the end of the last offline period. Checks from before may have failed because of it. */
  | { readonly _tag: "Online"; readonly offlineUntil: Instant }
  /** The probe is asking whether anything answers. */
  | { readonly _tag: "Doubtful"; readonly since: Instant; readonly offlineUntil: Instant }
  | { readonly _tag: "Offline"; readonly since: Instant }
  /** It was offline for too long, and nothing has answered since. It does not become offline again before something answers. */
  | { readonly _tag: "GivenUp" }

export type Event =
  /** A check passed, or a witness or a reference target answered. */
  | { readonly _tag: "Answered"; readonly at: Instant }
  /** A check that began at `began` failed. `news`: this changes the monitor's status. */
  | { readonly _tag: "Claimed"; readonly at: Instant; readonly began: Instant; readonly news: boolean }
  /** A check could not be made: not a claim about its target, but a reason to ask. */
  | { readonly _tag: "Suspected"; readonly at: Instant }
  /** Nothing that was asked answered: no reference target, or none of enough witnesses. */
  | { readonly _tag: "Silent"; readonly at: Instant }
  /** There were too few to ask. */
  | { readonly _tag: "Unanswerable"; readonly at: Instant }
  | { readonly _tag: "Elapsed"; readonly at: Instant }

/** The decision about claims: report them, report them as unknown, or hold them. */
export type ClaimDecision = "report" | "unknown" | "hold"

export type Change = "offline" | "online" | "given up"

export interface Decision {
  readonly state: State
  /** For the claims that were held; applied first. */
  readonly held?: Exclude<ClaimDecision, "hold">
  /** For the claim of the event. */
  readonly claim?: ClaimDecision
  /** To be reported to the operator. */
  readonly change?: Change
}

/** Maximum offline period without reference targets, in milliseconds. */
export const longestOffline = 120_000
/** Maximum duration of a doubt, in milliseconds, even if the questions hang. */
const longestDoubt = 10_000

export const initial: State = { _tag: "Online", offlineUntil: Number.NEGATIVE_INFINITY }

/** Whether the probe has to ask. */
export const isAsking = ({ _tag }: State): boolean => _tag === "Doubtful" || _tag === "Offline"

/** `referenced`: reference targets exist; they decide without a time limit. */
export const decide = (state: State, event: Event, referenced: boolean): Decision => {
  const expired = expire(state, event.at, referenced)
  const decision = step(expired?.state ?? state, event, referenced)
  // After an expiry nothing is held, so the event itself releases nothing.
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
        // Reference targets are reliable; without them the claims may still turn out to be true.
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
