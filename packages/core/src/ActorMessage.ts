/** Messages to a monitor's actor, and replies to messages that it can no longer process. */
import type { MonitorSpec } from "@kanmon/domain/Monitor"
import type { Observation } from "@kanmon/domain/Observation"
import { Deferred, Effect, Schema } from "effect"
import type { Prepared } from "./Check.ts"

/** `Stop` waits for the running check, then ends the actor. */
export type Message =
  | { readonly _tag: "Configure"; readonly spec: MonitorSpec; readonly check: Prepared }
  | { readonly _tag: "Pause" }
  | { readonly _tag: "Resume" }
  | { readonly _tag: "CheckNow"; readonly reply: Reply }
  | { readonly _tag: "Stop" }

/** Receives the result of a requested check. */
export type Reply = Deferred.Deferred<Observation, CheckNotRun>

/** The check did not complete; `message` says why. */
export class CheckNotRun extends Schema.TaggedError<CheckNotRun>()("CheckNotRun", { message: Schema.String }) {}

export const calledOff = Effect.fail(
  new CheckNotRun({
    message: "The check was cancelled: the monitor was changed, paused or moved, or its probe is stopping"
  })
)

/** Fails the replies of a message that will not be processed. */
export const refuse = (message: Message): void => {
  if (message._tag === "CheckNow") Deferred.doneUnsafe(message.reply, calledOff)
}

/** Whether a check made with one spec is also valid for the other. */
export const sameSettings = (one: MonitorSpec, other: MonitorSpec): boolean =>
  one.type === other.type &&
  one.interval === other.interval &&
  one.timeout === other.timeout &&
  JSON.stringify(one.config) === JSON.stringify(other.config)
