/**
 * Alerts as a sender of messages: the effect of outcomes on the alert history and its events, and the links of
 * messages.
 */
import { Context, Effect, Layer } from "effect"
import { Outbox } from "@kanmon/platform/outbox/Outbox"
import { type MessageSender, targetId } from "../delivery/index.ts"
import { AcknowledgeLinks, linkPath } from "./AcknowledgeLinks.ts"
import { alertEvent } from "./AlertEvents.ts"
import { OutcomeRepository } from "./OutcomeRepository.ts"

export class AlertMessages extends Context.Service<AlertMessages, MessageSender>()(
  "@kanmon/monitoring/alerts/AlertMessages"
) {
  static readonly layer = Layer.effect(
    AlertMessages,
    Effect.gen(function* () {
      const links = yield* AcknowledgeLinks
      const outcomes = yield* OutcomeRepository
      const outbox = yield* Outbox

      const ended: MessageSender["ended"] = Effect.fn("AlertMessages.ended")(function* (messages, at) {
        const subjects = new Map((yield* outcomes.end(messages)).map((entry) => [entry.entryId as string, entry]))
        yield* outbox.append(
          messages.flatMap(({ detail, entryId, status, to }) => {
            const subject = subjects.get(entryId)
            // The entries of alerts are those of channels.
            if (subject === undefined || !("channelId" in to)) return []
            return alertEvent(subject, { id: entryId, channelId: to.channelId }, status, at, detail)
          })
        )
      })

      const delayed: MessageSender["delayed"] = (messages, detail) =>
        outcomes.delay(
          messages.map(({ entryId }) => entryId),
          detail
        )

      return AlertMessages.of({
        ended,
        delayed,
        held: (messages, _, detail) => delayed(messages, detail),
        ignoresQuietHours: false,
        answerPath: ({ createdAt, entryId, id, purpose, to }) =>
          purpose === "close"
            ? undefined
            : `${linkPath}/${links.tokenOf({ id, entryId, targetId: targetId(to) }, createdAt)}`
      })
    })
  )
}
