/**
 * A stall: the event loop did not turn for seconds, so the process was ended and started again. The decisions are pure: which
 * work is held back after its second stall, and until when.
 */
import { Schema } from "effect"
import { Activity } from "./Activity.ts"

/** A call on the stack, without values. `line` and `column` count from 1. */
export const Frame = Schema.Struct({
  function: Schema.String,
  file: Schema.String,
  line: Schema.Int,
  column: Schema.Int
})
export type Frame = typeof Frame.Type

/** As in a stack trace. */
export const frameText = ({ column, file, function: name, line }: Frame): string =>
  `${name} (${file}:${line}:${column})`

export const LoopStall = Schema.Struct({
  /** Epoch milliseconds. */
  at: Schema.Int,
  /** The release that ran. */
  release: Schema.String,
  /** How long the loop had not turned when it was given up, in milliseconds. */
  stalledMillis: Schema.Int,
  /** What ran; null where it could not be asked or belonged to nothing that is told apart. */
  activity: Schema.NullOr(Activity),
  /** The third-party plugin with the blocking files; null if there is none. */
  plugin: Schema.NullOr(Schema.String),
  /** The innermost calls first; empty where the thread was in a system call or in native code. */
  stack: Schema.Array(Frame),
  /** Attempts of third-party plugins that had begun and not ended. */
  inFlight: Schema.Array(Activity)
})
export type LoopStall = typeof LoopStall.Type

/** So many stalls of the same work hold it back. */
export const stallsToQuarantine = 2

/** How long a caller's requests to a route are refused after a stall. Nothing that callers change tells that they would do better. */
export const requestsHeldMillis = 3_600_000

/** The suspected activities of a stall: the running one, or else all that may have run. */
export const suspectsOf = ({ activity, inFlight }: LoopStall): ReadonlyArray<Activity> =>
  activity === null ? inFlight : [activity]

/** The same work with the same settings. */
export const isSame = (one: Activity, other: Activity): boolean =>
  one.kind === other.kind && one.key === other.key && one.version === other.version

/** The stalls that are put down to this work, as it is now. */
export const stallsOf = (stalls: ReadonlyArray<LoopStall>, activity: Activity, now: number): ReadonlyArray<LoopStall> =>
  stalls.filter(
    (stall) =>
      suspectsOf(stall).some((suspect) => isSame(suspect, activity)) &&
      (activity.kind !== "request" || now - stall.at < requestsHeldMillis)
  )

/** Whether this work is held back, as it is now. */
export const isHeld = (stalls: ReadonlyArray<LoopStall>, activity: Activity, now: number): boolean =>
  stallsOf(stalls, activity, now).length >= stallsToQuarantine

/** All work that is held back now unless it has changed since. */
export const heldOf = (stalls: ReadonlyArray<LoopStall>, now: number): ReadonlyArray<Activity> => {
  const suspects = stalls.flatMap(suspectsOf).filter((activity) => isHeld(stalls, activity, now))
  return suspects.filter((activity, index) => suspects.findIndex((other) => isSame(other, activity)) === index)
}
