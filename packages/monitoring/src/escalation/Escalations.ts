/**
 * Escalations of alerts. The pure rules decide (domain/Escalation); each act is applied in the transaction of the alert's change,
 * and due times are rows that any engine claims. Locks are taken in one order: alert, escalation, messages, pages.
 */
import { decide, type Decision, type Escalation, nextDueAt, opened } from "@kanmon/domain/Escalation"
import type { Page } from "@kanmon/domain/EscalationLists"
import { decidingPart } from "@kanmon/domain/EscalationPolicy"
import { ContactMethodId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Transaction } from "@kanmon/platform/Transaction"
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { AlertEscalations, alertMessage, AlertReopening, topicOf } from "../alerts/index.ts"
import { NotificationRules } from "../contact-methods/index.ts"
import { DeliveryQueue, type Message } from "../delivery/index.ts"
import type { EscalatingAlert, StoredEscalation } from "./EscalationRecords.ts"
import { EscalationRepository, type NewPage } from "./EscalationRepository.ts"
import { StepTargets } from "./StepTargets.ts"
import { actEntry, toldEntry } from "./TimelineEntries.ts"

/** The kind of subject that pages are. */
export const pageKind = "page"

/** When a stored escalation is looked at next: a snooze ends with that of the alert. */
const dueOf = (state: Escalation, snoozedUntil: EpochMillis | null): EpochMillis | null =>
  state.frozenAt !== null && state.status !== "ended" ? snoozedUntil : nextDueAt(state)

export class Escalations extends Context.Service<
  Escalations,
  {
    /** Does everything that is due; returns how many escalations had something. */
    readonly runDue: Effect.Effect<number>
    /** Wakes escalations that a silence or maintenance holds from now on, or no longer holds. */
    readonly wakeCovered: Effect.Effect<number>
    /** The port of alerts. */
    readonly port: AlertEscalations["Service"]
  }
>()("@kanmon/monitoring/escalation/Escalations") {
  static readonly layer = Layer.effect(
    Escalations,
    Effect.gen(function* () {
      const repository = yield* EscalationRepository
      const targets = yield* StepTargets
      const rules = yield* NotificationRules
      const queue = yield* DeliveryQueue
      const transaction = yield* Transaction
      const reopening = yield* AlertReopening
      const random = yield* SecureRandom.SecureRandom
      const newId = (prefix: string) => Effect.map(random.ulid, (ulid) => `${prefix}_${ulid.toLowerCase()}`)

      const messageOf = Effect.fnUntraced(function* (
        alertId: string,
        alert: Pick<EscalatingAlert, "notice" | "projectId" | "trigger">,
        { id: entryId, page }: NewPage,
        purpose: Message["purpose"],
        at: EpochMillis
      ) {
        const to: Message["to"] =
          page._tag === "Person"
            ? { contactMethodId: ContactMethodId.make(page.methodId) }
            : { channelId: page.channelId }
        const message = { id: yield* newId("dlv"), entryId, to, projectId: alert.projectId, purpose }
        const notice = purpose === "repeat" ? { ...alert.notice, at, reminder: true } : alert.notice
        return { ...alertMessage(message, notice, alert.trigger, 0), about: { kind: pageKind, id: alertId } }
      })

      /** Stores the pages and queues those that are not in messages of other rules. */
      const send = Effect.fnUntraced(function* (
        alertId: string,
        alert: EscalatingAlert,
        pages: ReadonlyArray<Page>,
        at: EpochMillis
      ) {
        if (pages.length === 0) return
        const created = yield* Effect.forEach(pages, (page) => Effect.map(newId("pge"), (id) => ({ id, page })))
        const topic = topicOf(alert.notice, alert.trigger)
        const sent = yield* repository.insertPages(alertId, topic, created, at)
        const messages = yield* Effect.forEach(sent, (page) =>
          messageOf(alertId, alert, page, page.ordinal === 0 ? "open" : "repeat", at)
        )
        yield* queue.append(messages, at)
      })

      /** The pages at the end of a policy: its channel, or the owners by everything that they have. */
      const lastPages = Effect.fnUntraced(function* ({ organizationId, plan, state }: StoredEscalation) {
        const cause = { _tag: "Exhausted", round: state.round } as const
        const channel: ReadonlyArray<Page> =
          plan.onExhausted === null ? [] : [{ _tag: "Channel", cause, channelId: plan.onExhausted.channelId }]
        if (channel.length > 0 && state.everReached) return channel
        const owners = yield* rules.everyMethod(yield* repository.owners(organizationId))
        const toOwners = owners.flatMap(({ entries, userId }) =>
          entries.map(({ methodId }): Page => ({ _tag: "Person", cause, userId, methodId }))
        )
        return [...channel, ...toOwners]
      })

      /** Stores a decision. */
      const store = Effect.fnUntraced(function* (
        escalation: StoredEscalation,
        alert: EscalatingAlert,
        { pages, state, told }: Decision,
        at: EpochMillis
      ) {
        const { alertId } = escalation
        yield* repository.append(told.map((one) => toldEntry(alertId, one, at)))
        if (told.some(({ _tag }) => _tag === "AcknowledgementEnded")) yield* reopening.expire(alertId, at)
        const isExhausted = told.some(({ _tag }) => _tag === "Exhausted")
        const last = isExhausted ? yield* lastPages({ ...escalation, state }) : []
        yield* send(alertId, alert, [...pages, ...last], at)
        yield* repository.save(escalation, state, dueOf(state, alert.snoozedUntil))
      })

      /** Takes back every page that is not sent yet. */
      const takeBack = Effect.fnUntraced(function* (alertIds: ReadonlyArray<string>, reason: string, at: EpochMillis) {
        yield* queue.cancel({ kind: pageKind, ids: alertIds }, at, reason)
        yield* repository.drop(alertIds, reason, at)
      })

      const runOne = Effect.fnUntraced(function* (alertId: string, at: EpochMillis) {
        const [escalation] = yield* repository.lock([alertId])
        const alert = yield* repository.alertOf(alertId, at)
        if (escalation === undefined || alert === undefined) return
        const deciding = decidingPart(escalation.plan)
        let { state } = escalation
        for (const outcome of yield* repository.takeOutcomes(alertId))
          state = decide(deciding, state, { _tag: "Outcome", at, ...outcome }).state
        if (alert.isResolved) state = decide(deciding, state, { _tag: "Resolved", at }).state
        if (state.status !== "ended" && alert.isCovered !== state.isHeld) {
          yield* repository.append([{ alertId, at, type: alert.isCovered ? "held" : "released" }])
          state = decide(deciding, state, { _tag: alert.isCovered ? "Held" : "Released", at }).state
          if (alert.isCovered) yield* takeBack([alertId], "A silence or maintenance holds the escalation", at)
        }
        if (state.frozenAt !== null && (alert.snoozedUntil ?? 0) <= at)
          state = decide(deciding, state, { _tag: "SnoozeEnded", at }).state
        const of = { organizationId: escalation.organizationId, severity: alert.severity }
        const decision = yield* targets.due(of, { ...escalation.plan, deciding }, state, at)
        yield* store(escalation, alert, decision, at)
      })

      const runNext = Effect.gen(function* () {
        const at = yield* Clock.currentTimeMillis
        const alertId = yield* repository.claim(at)
        if (alertId === undefined) return false
        yield* runOne(alertId, at)
        return true
      }).pipe(transaction.run)

      const runDue = Effect.gen(function* () {
        let count = 0
        while (yield* runNext) count++
        return count
      }).pipe(Effect.withSpan("Escalations.runDue"))

      const wakeCovered = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        yield* repository.settleLost("Not sent: the channel or contact method was deleted", now)
        return yield* repository.wakeCovered(now)
      }).pipe(transaction.run)

      const openedAll: AlertEscalations["Service"]["opened"] = Effect.fn("Escalations.opened")(function* (alerts) {
        if (alerts.length === 0) return
        const policies = yield* repository.policies(alerts.map(({ policyId }) => policyId))
        yield* repository.insert(
          alerts.flatMap(({ at, id: alertId, isHeld, policyId }) => {
            const policy = policies.get(policyId)
            if (policy === undefined) return []
            const deciding = decidingPart(policy.plan)
            const begun = opened(deciding, at)
            const state = isHeld ? decide(deciding, begun, { _tag: "Held", at }).state : begun
            return { alertId, policyId, ...policy, state, dueAt: nextDueAt(state) }
          })
        )
      })

      const ended: AlertEscalations["Service"]["ended"] = Effect.fn("Escalations.ended")(function* (alerts, at) {
        const notices = new Map(alerts.map(({ alertId, notice }) => [alertId, notice]))
        const escalations = yield* repository.lock([...notices.keys()])
        if (escalations.length === 0) return
        yield* takeBack(
          escalations.map(({ alertId }) => alertId),
          "The alert is over",
          at
        )
        for (const escalation of escalations) {
          const { alertId, plan, state } = escalation
          const notice = notices.get(alertId)
          const alert = notice === undefined ? undefined : yield* repository.alertOf(alertId, at)
          if (notice !== undefined && alert !== undefined) {
            const messages = yield* Effect.forEach(yield* repository.reached(alertId), (page) =>
              messageOf(alertId, { ...alert, notice }, page, "close", at)
            )
            yield* queue.append(messages, at)
          }
          const after = decide(decidingPart(plan), state, { _tag: "Resolved", at }).state
          yield* repository.save(escalation, after, null)
        }
      })

      const acted: AlertEscalations["Service"]["acted"] = Effect.fn("Escalations.acted")(
        function* (alertId, act, by, at) {
          yield* repository.append([actEntry(alertId, act, by, at)])
          const [escalation] = yield* repository.lock([alertId])
          if (escalation === undefined) return
          const deciding = decidingPart(escalation.plan)
          const snoozedUntil = act._tag === "Snooze" ? act.until : null
          let { state } = escalation
          switch (act._tag) {
            case "Acknowledge": {
              const alert = yield* repository.alertOf(alertId, at)
              const [person] =
                by.userId === null || alert === undefined ? [] : yield* rules.peopleFor([by.userId], alert.severity)
              state = decide(deciding, state, { _tag: "Acknowledged", at, by: person ?? null }).state
              yield* takeBack([alertId], "The alert was acknowledged", at)
              break
            }
            case "Unacknowledge":
              state =
                state.frozenAt === null
                  ? decide(deciding, state, { _tag: "Unacknowledged", at }).state
                  : decide(deciding, state, { _tag: "SnoozeEnded", at }).state
              break
            case "Snooze":
              state = decide(deciding, state, { _tag: "Snoozed", at }).state
          }
          yield* repository.save(escalation, state, dueOf(state, snoozedUntil))
        }
      )

      const reopened: AlertEscalations["Service"]["reopened"] = Effect.fn("Escalations.reopened")(
        function* (alertIds, at) {
          for (const escalation of yield* repository.lock(alertIds)) {
            const { plan, state } = escalation
            const deciding = decidingPart(plan)
            const thawed = decide(deciding, state, { _tag: "SnoozeEnded", at }).state
            const open = decide(deciding, thawed, { _tag: "Unacknowledged", at }).state
            yield* repository.save(escalation, open, dueOf(open, null))
          }
        }
      )

      return Escalations.of({
        runDue,
        wakeCovered,
        port: {
          opened: openedAll,
          ended,
          acted,
          reopened,
          find: repository.findPolicy,
          forget: (ids) => queue.forget({ kind: pageKind, ids })
        }
      })
    })
  ).pipe(Layer.provide([EscalationRepository.layer, StepTargets.layer, NotificationRules.layer]))
}

/** The port of alerts, for their layer. */
export const layerPort = Layer.effect(
  AlertEscalations,
  Effect.map(Escalations, ({ port }) => AlertEscalations.of(port))
)
