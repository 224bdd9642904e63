/** The consequences of answers, and of their absence: calls that ring for nothing end, and a call that no one answered is repeated once. */
import { ChannelRunner } from "@kanmon/core/ChannelRunner"
import * as NoticeText from "@kanmon/core/NoticeText"
import { Catalogue } from "@kanmon/core/PluginHost"
import type { AlertActor } from "@kanmon/domain/Alert"
import { actorInWords, type Handling } from "@kanmon/domain/AlertHandling"
import { idFrom } from "@kanmon/domain/Ids"
import { DueWork } from "@kanmon/platform/DueWork"
import { Transaction } from "@kanmon/platform/Transaction"
import { Clock, Effect, Layer, Schedule } from "effect"
import { SecureRandom } from "effect/crypto"
import { AcknowledgeLinks } from "../alerts/index.ts"
import { ContactMethods, named, type StoredContactMethod } from "../contact-methods/index.ts"
import { DeliveryQueue, type Message } from "../delivery/index.ts"
import { pageKindOf } from "../escalation/index.ts"
import { type DuePage, isReplyDue, ReplyRepository } from "./ReplyRepository.ts"

const make = Effect.gen(function* () {
  const repository = yield* ReplyRepository
  const methods = yield* ContactMethods
  const runner = yield* ChannelRunner
  const links = yield* AcknowledgeLinks
  const queue = yield* DeliveryQueue
  const transaction = yield* Transaction
  const random = yield* SecureRandom.SecureRandom
  const kindOf = named((yield* Catalogue).channels)

  const callOff = Effect.fn("ReplyWork.callOff")(function* ({
    contactMethodId,
    id: messageId,
    notice,
    reference,
    userId
  }: DuePage) {
    const all: ReadonlyArray<StoredContactMethod> = yield* methods.list(userId)
    const method = all.find(({ id }) => id === contactMethodId)
    const found = yield* links.ofMessage(messageId)
    if (method === undefined || reference === null || found === undefined) return
    const because = found.test === null ? becauseOf(found.alerts) : "The test is over"
    const { config, id, type } = kindOf(method)
    yield* runner.callOff({ id, type, config }, { reference, notice, because }).pipe(
      Effect.retry({ while: (error) => error.isRetryable, schedule: Schedule.spaced("1 second"), times: 2 }),
      Effect.catch((error) =>
        Effect.logWarning("A call could not be ended, or a message not be changed").pipe(
          Effect.annotateLogs({ type, why: error.message })
        )
      )
    )
  })

  const repeatNext = Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    const page = yield* repository.takeRepetition(at)
    if (page === undefined) return false
    const messages = yield* Effect.forEach(page.subjects, (subject) =>
      Effect.map(random.ulid, (ulid): Message => {
        const id = idFrom("dlv", ulid)
        return {
          id,
          about: { kind: pageKindOf(subject.notice), id: subject.subjectId },
          entryId: subject.entryId,
          topic: subject.topic,
          to: { contactMethodId: page.contactMethodId },
          projectId: subject.projectId,
          purpose: "repeat",
          resendEvery: 0,
          notice: { ...subject.notice, id, at, reminder: true }
        }
      })
    )
    yield* queue.append(messages, at)
    yield* repository.repeats(
      page,
      messages.map(({ id }) => id)
    )
    return true
  }).pipe(transaction.run)

  return Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    const spared = yield* transaction.run(
      Effect.gen(function* () {
        const pages = yield* repository.takeSuperfluous(at)
        yield* queue.cancelMessages(
          pages.map(({ id }) => id),
          at,
          "The alert was answered"
        )
        return pages
      })
    )
    const ringing = yield* repository.takeNeedless(at)
    yield* Effect.forEach(ringing, callOff, { concurrency: 8, discard: true })
    while (yield* repeatNext);
    yield* repository.prune(at)
    return spared.length + ringing.length
  }).pipe(Effect.withSpan("ReplyWork.run"))
})

/** Why a message has lost its purpose. */
const becauseOf = (alerts: ReadonlyArray<Handling>): string => {
  const named = (actor: AlertActor | null) => NoticeText.truncate(NoticeText.oneLine(actorInWords(actor)), 80)
  const open = alerts.filter(({ resolvedAt }) => resolvedAt === null)
  const acknowledged = open.find(({ acknowledgedAt }) => acknowledgedAt !== null)
  if (acknowledged !== undefined) return `${named(acknowledged.acknowledgedBy)} has it`
  return open[0] === undefined ? "Resolved" : `Snoozed by ${named(open[0].snoozedBy)}`
}

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { watch } = yield* DueWork
    yield* watch(isReplyDue, "Following the answers of people", yield* make)
  })
)
