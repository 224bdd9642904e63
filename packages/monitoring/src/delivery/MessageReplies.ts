/** The port by which pages can be answered from devices: it prepares each before it is sent, and learns that the provider took it. */
import type { Notice } from "@kanmon/core/Notice"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect } from "effect"
import type { LeasedPerson } from "./TargetLeases.ts"

/** A page that is about to be sent. */
export interface AnswerablePage {
  readonly id: string
  readonly method: LeasedPerson
  readonly notice: Notice
  /** Whether it rings until somebody answers. */
  readonly rings: boolean
  /** Whether it can be ended or changed afterwards. */
  readonly callsOff: boolean
  /** Whether the provider can tell this installation how it ended, and what was answered. */
  readonly isHeard: boolean
}

export class MessageReplies extends Context.Reference<{
  /** Notes it before it is sent; returns the code by which a text names it. */
  readonly prepare: (page: AnswerablePage, at: EpochMillis) => Effect.Effect<string>
  /** The provider took it, under this reference. */
  readonly taken: (id: string, reference: string | undefined, at: EpochMillis) => Effect.Effect<void>
}>("@kanmon/monitoring/delivery/MessageReplies", {
  defaultValue: () => ({ prepare: () => Effect.succeed(""), taken: () => Effect.void })
}) {}
