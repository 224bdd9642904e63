/** Pages as a sender of messages: an outcome is stored with the page, and the escalation takes it into account as due work. */
import { Context, Effect, Layer } from "effect"
import { AlertMessages } from "../alerts/index.ts"
import type { MessageSender } from "../delivery/index.ts"
import { EscalationLog } from "./EscalationLog.ts"
import { EscalationRepository } from "./EscalationRepository.ts"

export class EscalationMessages extends Context.Service<EscalationMessages, MessageSender>()(
  "@kanmon/monitoring/escalation/EscalationMessages"
) {
  static readonly layer = Layer.effect(
    EscalationMessages,
    Effect.gen(function* () {
      const repository = yield* EscalationRepository
      const log = yield* EscalationLog
      const alerts = yield* AlertMessages

      return EscalationMessages.of({
        ended: Effect.fn("EscalationMessages.ended")(function* (messages, at) {
          const outcomes = messages.map(({ detail, entryId, status }) => ({
            id: entryId,
            reached: status === "delivered",
            detail
          }))
          yield* log.tell(yield* repository.settle(outcomes, at), at)
        }),
        delayed: () => Effect.void,
        // A page that quiet hours hold counts as reached: the person gets it in the morning.
        held: (messages, until) =>
          repository.hold(
            messages.map(({ entryId }) => entryId),
            until
          ),
        ignoresQuietHours: true,
        // A page is answered with the link of its alert.
        answerPath: alerts.answerPath
      })
    })
  ).pipe(Layer.provide(EscalationLog.layer), Layer.provide(EscalationRepository.layer))
}
