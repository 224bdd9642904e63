/**
 * Tells people by another of their contact methods that one of them no longer works: nothing else would say so before the next alert.
 * Joins the transaction that switches the method off.
 */
import type { Message as Words } from "@kanmon/core/Channel"
import type { Notice } from "@kanmon/core/Notice"
import { Catalogue } from "@kanmon/core/PluginHost"
import { type ContactMethodId, idFrom, type UserId } from "@kanmon/domain/Ids"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { testNotice } from "../channels/index.ts"
import { ContactMethods, named, type StoredContactMethod } from "../contact-methods/index.ts"
import { DeliveryQueue } from "./DeliveryQueue.ts"
import type { MessageSender } from "./MessageSenders.ts"

/** The kind of subject that these messages are of. */
export const stoppedKind = "contactMethod"

interface Stopped {
  readonly id: ContactMethodId
  readonly userId: UserId
  /** Why nothing is sent there any more. */
  readonly reason: string
}

export const make = Effect.gen(function* () {
  const methods = yield* ContactMethods
  const { channels } = yield* Catalogue
  const queue = yield* DeliveryQueue
  const random = yield* SecureRandom.SecureRandom
  const kindOf = named(channels)

  const noticeOf = (id: string, method: ContactMethodId, reason: string, at: EpochMillis): Notice =>
    testNotice(
      { id, alertId: method, severity: "info", at, startedAt: at, project: { id: "", name: "" }, reason },
      "https://kanmon.invalid"
    )

  return Effect.fn("StoppedMethods.tell")(function* ({ id, reason, userId }: Stopped, at: EpochMillis) {
    const stored: ReadonlyArray<StoredContactMethod> = yield* methods.list(userId)
    const all = stored.map(kindOf)
    const stopped = all.find((method) => method.id === id)
    const next = all.find(
      ({ confirmedAt, destination, disabledReason, id: other, type }) =>
        other !== id &&
        confirmedAt !== null &&
        disabledReason === null &&
        channels.get(type)?.rings !== true &&
        (destination === null || destination !== stopped?.destination)
    )
    if (stopped === undefined || next === undefined) return
    const message = idFrom("dlv", yield* random.ulid)
    const kind = channels.get(stopped.type)?.title ?? stopped.type
    yield* queue.append(
      [
        {
          id: message,
          about: { kind: stoppedKind, id },
          entryId: `${id} ${toIso(at)}`,
          topic: `stopped ${id} ${toIso(at)}`,
          to: { contactMethodId: next.id },
          projectId: null,
          purpose: "close",
          resendEvery: 0,
          notice: noticeOf(message, id, `${kind} (${stopped.name}) is switched off: ${reason}`, at)
        }
      ],
      at
    )
  })
})

/** These messages as a sender: their outcomes change nothing. */
export const sender: MessageSender = {
  ended: () => Effect.void,
  delayed: () => Effect.void,
  held: () => Effect.void,
  ignoresQuietHours: true,
  answerPath: () => undefined,
  wordsOf: (notice): Words => ({
    id: notice.id,
    subject: "A contact method no longer works",
    text: `${notice.reason}. You are not reached there when you are on call. Change it in your profile, or add another one.`
  })
}
