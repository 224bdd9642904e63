/**
 * Work that this process does not start, because the event loop stood still in it twice. It is known when the process starts: a
 * stall ends the process, so nothing is added while it runs.
 */
import { Clock, Context, Effect } from "effect"
import type { Activity } from "./Activity.ts"
import { heldOf, isHeld, isSame, type LoopStall, suspectsOf } from "./LoopStall.ts"

export interface QuarantineShape {
  /** The stalls of this data directory, oldest first. */
  readonly stalls: ReadonlyArray<LoopStall>
  /** The stall that ended the process before this one. */
  readonly last: LoopStall | undefined
}

/** The stalls of this installation's processes in this data directory. */
export const Quarantine = Context.Reference<QuarantineShape>("@kanmon/core/Quarantine", {
  defaultValue: () => ({ stalls: [], last: undefined })
})

/** Decides about work as it is now. Cheap as long as there was no stall. */
export interface Decisions {
  /** Whether it is held back. */
  readonly holds: (kind: Activity["kind"], describe: () => Activity) => boolean
  /** Whether the process before this one ended in it. */
  readonly wasEnded: (describe: () => Activity) => boolean
  /** All that is held back, unless it has changed. */
  readonly held: () => ReadonlyArray<Activity>
}

export const decisions: Effect.Effect<Decisions> = Effect.gen(function* () {
  const { last, stalls } = yield* Quarantine
  const clock = yield* Clock.Clock
  const now = (): number => clock.currentTimeMillisUnsafe()
  const suspects = last === undefined ? [] : suspectsOf(last)
  // Requests ask each time, so most answers come from the kind alone.
  const kinds = new Set(heldOf(stalls, now()).map(({ kind }) => kind))
  return {
    holds: (kind, describe) => kinds.has(kind) && isHeld(stalls, describe(), now()),
    wasEnded: (describe) => {
      if (suspects.length === 0) return false
      const activity = describe()
      return suspects.some((suspect) => isSame(suspect, activity))
    },
    held: () => heldOf(stalls, now())
  }
})
