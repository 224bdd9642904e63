/** Page tests as a sender of messages: each outcome is stored with its page, and each message has the link that acknowledges. */
import { Context, Effect, Layer } from "effect"
import { AlertMessages } from "../alerts/index.ts"
import type { MessageSender } from "../delivery/index.ts"
import { PageTestRepository } from "./PageTestRepository.ts"

export class PageTestMessages extends Context.Service<PageTestMessages, MessageSender>()(
  "@kanmon/monitoring/page-tests/PageTestMessages"
) {
  static readonly layer = Layer.effect(
    PageTestMessages,
    Effect.gen(function* () {
      const repository = yield* PageTestRepository
      const { answerPath } = yield* AlertMessages

      return PageTestMessages.of({
        ended: (messages, at) =>
          repository.settle(
            messages.map(({ detail, entryId, status }) => ({ id: entryId, status, detail })),
            at
          ),
        delayed: (messages, detail) =>
          repository.delay(
            messages.map(({ entryId }) => entryId),
            detail,
            null
          ),
        held: (messages, until, detail) =>
          repository.delay(
            messages.map(({ entryId }) => entryId),
            detail,
            until
          ),
        ignoresQuietHours: true,
        answerPath
      })
    })
  ).pipe(Layer.provide(PageTestRepository.layer))
}
