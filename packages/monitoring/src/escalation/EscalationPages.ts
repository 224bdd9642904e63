/** Pages of escalations: a row and a message each. Joins the transactions of their callers. */
import type { Notice } from "@kanmon/core/Notice"
import type { Page } from "@kanmon/domain/EscalationLists"
import { ContactMethodId, idFrom } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { alertMessage, type Responder, topicOf } from "../alerts/index.ts"
import { DeliveryQueue, type Message } from "../delivery/index.ts"
import { acknowledgementKind, acknowledgementsOf } from "./AcknowledgementMessages.ts"
import { EscalationLog } from "./EscalationLog.ts"
import { columnsOf, type EscalatingAlert } from "./EscalationRecords.ts"
import { EscalationRepository, type NewPage, type Paged } from "./EscalationRepository.ts"

/** The kind of subject that pages are. */
export const pageKind = "page"

/** The same of a drill: in no message with real pages, and none of those waits for it. */
export const drillPageKind = "drill"

/** The kind of the pages about a notice. */
export const pageKindOf = ({ drill }: Pick<Notice, "drill">): string => (drill === true ? drillPageKind : pageKind)

/** That of a new page. */
const outcome = "pending" as const

type Told = Pick<EscalatingAlert, "notice" | "projectId" | "trigger">

export class EscalationPages extends Context.Service<EscalationPages>()(
  "@kanmon/monitoring/escalation/EscalationPages",
  {
    make: Effect.gen(function* () {
      const repository = yield* EscalationRepository
      const log = yield* EscalationLog
      const queue = yield* DeliveryQueue
      const random = yield* SecureRandom.SecureRandom
      const newId = (prefix: string) => Effect.map(random.ulid, (ulid) => idFrom(prefix, ulid))

      const messageOf = Effect.fnUntraced(function* (
        alertId: string,
        { notice, projectId, trigger }: Told,
        { id: entryId, page }: NewPage,
        purpose: Message["purpose"],
        at: EpochMillis
      ) {
        const to: Message["to"] =
          page._tag === "Person"
            ? { contactMethodId: ContactMethodId.make(page.methodId) }
            : { channelId: page.channelId }
        const message = { id: yield* newId("dlv"), entryId, to, projectId, purpose }
        const told = purpose === "repeat" ? { ...notice, at, reminder: true } : notice
        const why =
          page._tag === "Person" && purpose !== "close" && page.reason !== undefined ? { why: [page.reason] } : {}
        return {
          ...alertMessage(message, { ...told, ...why }, trigger, 0),
          about: { kind: pageKindOf(notice), id: alertId }
        }
      })

      return {
        /** Stores the pages and queues those that are not in messages of other rules. */
        send: Effect.fn("EscalationPages.send")(function* (
          alertId: string,
          alert: Told,
          pages: ReadonlyArray<Page>,
          at: EpochMillis
        ) {
          if (pages.length === 0) return
          const created = yield* Effect.forEach(pages, (page) => Effect.map(newId("pge"), (id) => ({ id, page })))
          const topic = topicOf(alert.notice, alert.trigger)
          const sent = yield* repository.insertPages(alertId, topic, created, at)
          const told = created.map(({ id, page }) => ({ id, alertId, ...columnsOf(page), outcome, detail: null }))
          yield* log.tell(told, at)
          const messages = yield* Effect.forEach(sent, (page) =>
            messageOf(alertId, alert, page, page.ordinal === 0 ? "open" : "repeat", at)
          )
          yield* queue.append(messages, at)
        }),
        /** Tells of the recovery to everyone whom a page reached. */
        recovered: Effect.fn("EscalationPages.recovered")(function* (alertId: string, alert: Told, at: EpochMillis) {
          const messages = yield* Effect.forEach(yield* repository.reached(alertId), (page) =>
            messageOf(alertId, alert, page, "close", at)
          )
          yield* queue.append(messages, at)
        }),
        /** Tells the others whom a page reached that somebody has the alert. */
        acknowledged: Effect.fn("EscalationPages.acknowledged")(function* (
          alertId: string,
          alert: Told,
          by: Responder,
          at: EpochMillis
        ) {
          const drafts = acknowledgementsOf(alertId, alert, yield* repository.reached(alertId), by, at)
          const messages = yield* Effect.forEach(drafts, (draft) =>
            Effect.map(newId("dlv"), (id): Message => ({ ...draft, id, notice: { ...draft.notice, id } }))
          )
          yield* queue.append(messages, at)
        }),
        /** Takes back that somebody has alerts, where it is not sent yet. */
        retract: (alertIds: ReadonlyArray<string>, reason: string, at: EpochMillis) =>
          queue.cancel({ kind: acknowledgementKind, ids: alertIds }, at, reason),
        /** Takes back pages that are not sent yet: all, or those of some people, or all but those of some. */
        takeBack: Effect.fn("EscalationPages.takeBack")(function* (
          alertIds: ReadonlyArray<string>,
          paged: Paged,
          reason: string,
          at: EpochMillis
        ) {
          // Messages before pages, as the end of an attempt locks them.
          yield* queue.cancelEntries(yield* repository.unsent(alertIds, paged), at, reason)
          yield* log.tell(yield* repository.drop(alertIds, paged, reason, at), at)
        }),
        /** Deletes the messages of alerts that are deleted. */
        forget: (ids: ReadonlyArray<string>) =>
          Effect.forEach([pageKind, drillPageKind, acknowledgementKind], (kind) => queue.forget({ kind, ids }), {
            discard: true
          })
      }
    })
  }
) {
  static readonly layer = Layer.effect(EscalationPages, EscalationPages.make)
}
