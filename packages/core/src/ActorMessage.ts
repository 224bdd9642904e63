/** What a monitor's actor is told, and what becomes of those it can no longer answer. */
import type { MonitorSpec } from "@kanmon/domain/Monitor"
import type { Observation } from "@kanmon/domain/Observation"
import { Deferred, Effect, Schema } from "effect"
import type { Prepared } from "./Check.ts"

/** `Stop` lets a check in flight end, and then the actor. */
export type Message =
  | { readonly _tag: "Configure"; readonly spec: MonitorSpec; readonly check: Prepared }
  | { readonly _tag: "Pause" }
  | { readonly _tag: "Resume" }
  | { readonly _tag: "CheckNow"; readonly reply: Reply }
  | { readonly _tag: "Stop" }

/** Where the one who asked for a check waits for its result. */
export type Reply = Deferred.Deferred<Observation, CheckNotRun>

/** The check was not run to its end; `message` says why. */
export class CheckNotRun extends Schema.TaggedError<CheckNotRun>()("CheckNotRun", { message: Schema.String }) {}

export const calledOff = Effect.fail(
  new CheckNotRun({
    message: "The check was called off: the monitor was changed, paused or moved, or its probe stops"
  })
)

/** Answers whom nobody will answer any more. */
export const refuse = (message: Message): void => {
  if (message._tag === "CheckNow") Deferred.doneUnsafe(message.reply, calledOff)
}

/** Whether a check made under one spec speaks for the other, too. */
export const sameSettings = (one: MonitorSpec, other: MonitorSpec): boolean =>
  one.type === other.type &&
  one.interval === other.interval &&
  one.timeout === other.timeout &&
  JSON.stringify(one.config) === JSON.stringify(other.config)
