/** Deliveries: notices to channels, and the attempts to send them. */
import { RecipientProgress } from "@kanmon/domain/RecipientProgress"
import type { Severity } from "@kanmon/domain/Severity"
import { type EpochMillis, Timestamp } from "@kanmon/domain/Timestamp"
import { Schema } from "effect"
import * as Persisted from "@kanmon/platform/database/Persisted"
import type { Message } from "./Message.ts"

/** One attempt, as users read it. */
export const Attempt = Schema.Struct({
  at: Timestamp,
  outcome: Schema.Literals(["delivered", "retrying", "failed"]),
  /** The destination's answer. */
  detail: Schema.String,
  /** Milliseconds. */
  duration: Schema.Finite,
  /** Which of the channel's recipients it was for, as it was entered. */
  recipient: Schema.optionalKey(Schema.String)
})
export type Attempt = typeof Attempt.Type

/** How far a message is. `merged`: a later notice included it. */
export const MessageStatus = Schema.Literals(["pending", "delivered", "failed", "merged"])
export type MessageStatus = typeof MessageStatus.Type

/** Attempts as JSON. */
export const storedAttempt = Persisted.make(Attempt)

/** An attempt from its beginning to its end. */
export const attempt = (
  began: EpochMillis,
  ended: EpochMillis,
  outcome: Attempt["outcome"],
  detail: string,
  recipient?: string
): Attempt => ({
  at: began,
  outcome,
  detail,
  duration: ended - began,
  ...(recipient === undefined ? {} : { recipient })
})

/** The progress with one recipient as JSON. */
export const storedProgress = Persisted.make(RecipientProgress)

/** A delivery that is due. */
export interface DueDelivery extends Omit<Message, "resendEvery" | "trace"> {
  /** `alertId` of the notice by which the channel knows the topic: its own, or that of the opening that was sent first. */
  readonly alertId: string
  /** `rule` of each notice that this one stands for, its own first. */
  readonly rules: ReadonlyArray<{ readonly id: string; readonly name: string }>
  /** The most urgent one of the topic's deliveries that it covers. */
  readonly severity: Severity
  /** Deliveries of the same topic that this message covers. */
  readonly shared: ReadonlyArray<SharedDelivery>
  /** Openings of other topics that this message lists. */
  readonly group: ReadonlyArray<GroupedDelivery>
  /** The delivery that already notified the channel: this one is not sent, `share` settles it. */
  readonly notifiedBy: string | null
  /** The opening never reached this channel. */
  readonly overtakesOpening: boolean
  /** How far it has come with each recipient; empty before the first attempt, and for channels without recipients. */
  readonly progress: ReadonlyArray<RecipientProgress>
  /** A recipient's view of an alert: the `alertId` of its opening, and whether the recipient got it. */
  readonly knownTo: (recipient: string) => { readonly alertId: string; readonly overtakesOpening: boolean }
  /** Attempts so far. */
  readonly attempts: number
  /** Null before the first one. */
  readonly firstAttemptAt: EpochMillis | null
  /** W3C trace context of what caused it, or else of the transaction that queued it. */
  readonly trace: string | null
  readonly createdAt: EpochMillis
  /** Since when it could be sent: its creation, or the end of the quiet hours that held it. */
  readonly sendableAt: EpochMillis
}

/** A delivery of the same topic to the same channel. */
export type SharedDelivery = Pick<DueDelivery, "id" | "about" | "entryId">

/** The opening of another topic of the same burst, with the other deliveries of that topic. */
export type GroupedDelivery = SharedDelivery & Pick<DueDelivery, "notice" | "shared">

/** The result of an attempt. */
export type DeliveryOutcome =
  | { readonly _tag: "Delivered" }
  /** Another recipient's turn is now. */
  | { readonly _tag: "Continue" }
  /** `isFailure`: no recipient got anything. The whole channel rests until `restUntil`. */
  | {
      readonly _tag: "Retry"
      readonly at: EpochMillis
      readonly restUntil: EpochMillis | null
      readonly isFailure: boolean
    }
  /** `disable`: the channel is switched off. */
  | { readonly _tag: "Failed"; readonly disable: boolean }

/** An attempt and how far the delivery has come with it. */
export interface Tried {
  /** Undefined where nothing was sent. */
  readonly attempt: Attempt | undefined
  readonly progress: ReadonlyArray<RecipientProgress>
  /** How the whole delivery stands: the answer, or what each recipient that is left answered. */
  readonly detail: string
  readonly at: EpochMillis
}
