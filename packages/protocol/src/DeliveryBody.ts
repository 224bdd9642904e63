/** A delivery in the alert history. */
import { DeliveryStatus } from "@kanmon/domain/AlertRule"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Schema } from "effect"

/** One notice to one channel, with every attempt. */
export const Delivery = Schema.Struct({
  id: Schema.String,
  /** The event of the notification. */
  event: Schema.String,
  /** `merged`: a later notice said it too. */
  status: Schema.Literals([...DeliveryStatus.literals, "merged"]),
  error: Schema.NullOr(Schema.String),
  /**
   * The delivery of another rule to the same channel with a message that also covered this one; null if this one was
   * sent itself.
   */
  sharedWith: Schema.NullOr(Schema.String),
  attempts: Schema.Array(
    Schema.Struct({
      at: Timestamp,
      outcome: Schema.Literals(["delivered", "retrying", "failed"]),
      /** The destination's response. */
      detail: Schema.String,
      /** Milliseconds. */
      duration: Schema.Finite,
      recipient: Schema.NullOr(Schema.String).annotate({
        description: "Which of the channel's recipients it was for; null for types without recipients"
      })
    })
  ),
  createdAt: Timestamp,
  /** Null when nothing more will be tried. */
  nextAttemptAt: Schema.NullOr(Timestamp)
}).annotate({ identifier: "Delivery" })
export type Delivery = typeof Delivery.Type
