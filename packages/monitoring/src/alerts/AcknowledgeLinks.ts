/**
 * Links in notifications that acknowledge what they tell of, once and without signing in. A link is bound to one delivery, so to
 * an alert and the channel that it was sent to, by an HMAC under a key that is derived from the installation's secret. Looking at
 * it changes nothing.
 */
import { timingSafeEqual } from "node:crypto"
import { AlertConflict } from "@kanmon/domain/AlertHandling"
import { PageTestId } from "@kanmon/domain/Ids"
import type { PageTestState } from "@kanmon/domain/PageTest"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { Secrets } from "@kanmon/platform/database/Secrets"
import { Transaction } from "@kanmon/platform/Transaction"
import { type SentMessage, SentMessageRepository } from "../delivery/index.ts"
import { AlertHandlings } from "./AlertHandlings.ts"
import type { Responder } from "./AlertHooks.ts"
import { HandlingRepository } from "./HandlingRepository.ts"
import { type LinkedAlert, LinkRepository } from "./LinkRepository.ts"
import { pageTestKind, TestAnswers } from "./TestAnswers.ts"

/** Where links lead, below the installation's address. */
export const linkPath = "/api/v1/public/acknowledgements"

/** How long a link is valid. A reminder carries a new one. */
const validMillis = 7 * dayMillis

/** The link is not one of ours, or no longer valid. */
class LinkInvalid extends Schema.TaggedError<LinkInvalid>()("LinkInvalid", {}) {}

/** A page test as its links show it. */
export interface LinkedTest {
  readonly id: PageTestId
  readonly state: PageTestState
}

/** A message, and the alerts that it told of, also those of other rules. */
export interface LinkedDelivery extends Omit<SentMessage, "subjects"> {
  readonly alerts: ReadonlyArray<LinkedAlert>
  /** The page test that the message is of, in the place of alerts. */
  readonly test: LinkedTest | null
}

/** A delivery that is about to be sent. */
interface Sent {
  readonly id: string
  readonly entryId: string
  /** The channel or the contact method that it goes to. */
  readonly targetId: string
}

export class AcknowledgeLinks extends Context.Service<AcknowledgeLinks>()(
  "@kanmon/monitoring/alerts/AcknowledgeLinks",
  {
    make: Effect.gen(function* () {
      const { digest } = yield* Secrets
      const repository = yield* LinkRepository
      const messages = yield* SentMessageRepository
      const alerts = yield* HandlingRepository
      const handlings = yield* AlertHandlings
      const tests = yield* TestAnswers
      const transaction = yield* Transaction

      /** 132 bits. */
      const codeOf = ({ entryId, id, targetId }: Sent, expires: string): string =>
        digest(`acknowledge link ${id} ${entryId} ${targetId} ${expires}`).slice(0, 22)

      /** The page test of a message; null: it is not one of a test. */
      const testOf = Effect.fnUntraced(function* ({ subjects }: SentMessage) {
        const subject = subjects.find(({ kind }) => kind === pageTestKind)
        if (subject === undefined) return null
        const state = yield* tests.find(subject.id)
        return state === undefined ? null : { id: PageTestId.make(subject.id), state }
      })

      const withAlerts = Effect.fnUntraced(function* (found: SentMessage) {
        const test = yield* testOf(found)
        const told = test === null ? yield* repository.find(found.subjects.map((subject) => subject.id)) : []
        return test === null && told.length === 0 ? undefined : { ...found, alerts: told, test }
      })

      /** A message with what it told of; undefined when none of that is there any more. */
      const ofMessage = Effect.fn("AcknowledgeLinks.ofMessage")(function* (id: string) {
        const found = yield* messages.find(id)
        return found === undefined ? undefined : yield* withAlerts(found)
      })

      /** The delivery that a link belongs to. Changes nothing. */
      const look = Effect.fn("AcknowledgeLinks.look")(function* (token: string) {
        const [, body = "", expires = "", code = ""] = format.exec(token) ?? []
        const id = `dlv_${body}`
        const found = body === "" ? undefined : yield* messages.find(id)
        if (found === undefined || !isEqual(codeOf({ ...found, id }, expires), code)) return yield* new LinkInvalid()
        if (Number.parseInt(expires, 36) * 1000 <= (yield* Clock.currentTimeMillis)) return yield* new LinkInvalid()
        return (yield* withAlerts(found)) ?? (yield* new LinkInvalid())
      })

      /** Ends the test that a message is of. */
      const endTest = Effect.fnUntraced(function* (found: LinkedDelivery, test: LinkedTest) {
        if (!(yield* tests.acknowledge(test.id, { pageId: found.entryId, name: found.targetName })))
          return yield* new AlertConflict({ detail: "The page test is over" })
      })

      /** Acknowledges what a message told of; returns how many alerts that were. Joins the caller's transaction. */
      const acknowledge = Effect.fn("AcknowledgeLinks.acknowledge")(function* (found: LinkedDelivery, by: Responder) {
        if (found.test !== null) return yield* Effect.as(endTest(found, found.test), 1)
        const ids = found.alerts.map((alert) => alert.id)
        return yield* handlings.acknowledgeLocked(yield* alerts.lockAll(ids, yield* Clock.currentTimeMillis), by)
      })

      /** Acknowledges what the message told of. Works once. */
      const use = Effect.fn("AcknowledgeLinks.use")(function* (token: string) {
        const found = yield* look(token)
        const at = yield* Clock.currentTimeMillis
        const id = `dlv_${format.exec(token)![1]!}`
        if (found.test !== null) {
          yield* endTest(found, found.test)
          yield* messages.useLink(id, at)
          return
        }
        const open = yield* alerts.lockAll(
          found.alerts.map((alert) => alert.id),
          at
        )
        if (!(yield* messages.useLink(id, at)))
          return yield* new AlertConflict({ detail: "This link was already used" })
        yield* handlings.acknowledgeLocked(open, {
          actor: { kind: "link", name: found.targetName },
          userId: found.userId
        })
      }, transaction.run)

      return {
        /** The token of a link in the message of this delivery. */
        tokenOf: (delivery: Sent, at: EpochMillis) => {
          const expires = Math.floor((at + validMillis) / 1000).toString(36)
          return `${delivery.id.replace(/^dlv_/, "")}.${expires}.${codeOf(delivery, expires)}`
        },
        look,
        use,
        ofMessage,
        acknowledge
      }
    })
  }
) {
  static readonly layer = Layer.effect(AcknowledgeLinks, AcknowledgeLinks.make)
}

/** The id of the delivery, the end of its validity in seconds, and the code. */
const format = /^([0-9a-z]{1,64})\.([0-9a-z]{1,9})\.([\w-]{22})$/

const isEqual = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
