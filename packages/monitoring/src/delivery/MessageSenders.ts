/**
 * The port by which delivery tells senders what became of their messages. Each sender implements it for its own kind of subject;
 * delivery calls it in the transaction that stores the outcome.
 */
import type { Message as Words } from "@kanmon/core/Channel"
import type { Notice } from "@kanmon/core/Notice"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect } from "effect"
import type { Message, MessageRef, Target } from "./Message.ts"

/** A message after which no further attempt follows. */
export interface EndedMessage extends MessageRef {
  readonly to: Target
  readonly status: "delivered" | "failed"
  /** The answer of the destination, or why nothing was sent. */
  readonly detail: string
  /** Whether nothing else of its entry waits to be sent. */
  readonly isLast: boolean
}

export interface MessageSender {
  readonly ended: (messages: ReadonlyArray<EndedMessage>, at: EpochMillis) => Effect.Effect<void>
  /** They wait for a further attempt, since the last one failed or the channel is held. */
  readonly delayed: (messages: ReadonlyArray<MessageRef>, detail: string) => Effect.Effect<void>
  /** Quiet hours hold them until an instant. */
  readonly held: (messages: ReadonlyArray<MessageRef>, until: EpochMillis, detail: string) => Effect.Effect<void>
  /** Whether its messages to channels are sent in quiet hours, too. */
  readonly ignoresQuietHours: boolean
  /** Where the reader answers the message, below the installation's address; the same in every attempt. */
  readonly answerPath: (
    message: Pick<Message, "id" | "entryId" | "to" | "purpose"> & { readonly createdAt: EpochMillis }
  ) => string | undefined
  /** Words that are sent in the place of the notice, for contact methods; `others` is the number of messages that it stands for as well. */
  readonly wordsOf?: (notice: Notice, others: number) => Words
}

/** The senders, by the kind of their subjects. */
export class MessageSenders extends Context.Service<MessageSenders, ReadonlyMap<string, MessageSender>>()(
  "@kanmon/monitoring/delivery/MessageSenders"
) {}

/** Tells each sender of its own messages. */
export const tell = <Ref extends MessageRef>(
  senders: ReadonlyMap<string, MessageSender>,
  messages: ReadonlyArray<Ref>,
  telling: (sender: MessageSender, own: ReadonlyArray<Ref>) => Effect.Effect<void>
): Effect.Effect<void> =>
  Effect.forEach(
    Map.groupBy(messages, ({ about }) => about.kind),
    ([kind, own]) => {
      const sender = senders.get(kind)
      return sender === undefined
        ? Effect.die(new Error(`Messages of kind "${kind}" have no sender`))
        : telling(sender, own)
    },
    { discard: true }
  )
