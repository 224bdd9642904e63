/**
 * Escalations of alerts. The pure rules decide (domain/Escalation); each act is applied in the transaction of the alert's change,
 * and due times are rows that any engine claims. Locks are taken in one order: alert, escalation, messages, pages.
 */
import type { Alert } from "@kanmon/domain/Alert"
import { actorInWords, AlertConflict } from "@kanmon/domain/AlertHandling"
import { decide, type Decision, type Escalation, nextDueAt, opened, unplanned } from "@kanmon/domain/Escalation"
import type { Page, Person } from "@kanmon/domain/EscalationLists"
import { decidingPart, noPlan } from "@kanmon/domain/EscalationPolicy"
import { pageReason } from "@kanmon/domain/PageReason"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Transaction } from "@kanmon/platform/Transaction"
import { Clock, Context, Effect, Layer } from "effect"
import { AlertEscalations, AlertReopening, type Responder } from "../alerts/index.ts"
import { NotificationRules } from "../contact-methods/index.ts"
import { EscalationLog } from "./EscalationLog.ts"
import { EscalationPages } from "./EscalationPages.ts"
import { type EscalatingAlert, type StoredEscalation, stepNumber } from "./EscalationRecords.ts"
import { EscalationRepository } from "./EscalationRepository.ts"
import { StepTargets } from "./StepTargets.ts"
import { actEntry, toldEntry } from "./TimelineEntries.ts"

const all = { _tag: "All" } as const

/** When a stored escalation is looked at next: a snooze ends with that of the alert. */
const dueOf = (state: Escalation, snoozedUntil: EpochMillis | null): EpochMillis | null =>
  state.frozenAt !== null && state.status !== "ended" ? snoozedUntil : nextDueAt(state)

export class Escalations extends Context.Service<Escalations>()("@kanmon/monitoring/escalation/Escalations", {
  make: Effect.gen(function* () {
    const repository = yield* EscalationRepository
    const targets = yield* StepTargets
    const rules = yield* NotificationRules
    const log = yield* EscalationLog
    const sending = yield* EscalationPages
    const transaction = yield* Transaction
    const reopening = yield* AlertReopening

    /** The pages at the end of a policy: its channel, or the owners by everything that they have. */
    const lastPages = Effect.fnUntraced(function* ({ organizationId, plan, policyName, state }: StoredEscalation) {
      const cause = { _tag: "Exhausted", round: state.round } as const
      const channel: ReadonlyArray<Page> =
        plan.onExhausted === null ? [] : [{ _tag: "Channel", cause, channelId: plan.onExhausted.channelId }]
      if (channel.length > 0 && state.everReached) return channel
      const reason = pageReason(state.everReached ? "no_one_answered" : "no_one_reached", { policy: policyName })
      const owners = yield* rules.everyMethod(yield* repository.owners(organizationId))
      const toOwners = owners.flatMap(({ entries, userId }) =>
        entries.map(({ methodId }): Page => ({ _tag: "Person", cause, userId, methodId, reason }))
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
      yield* log.append(told.map((one) => toldEntry(alertId, one, at)))
      if (told.some(({ _tag }) => _tag === "AcknowledgementEnded")) yield* reopening.expire(alertId, at)
      const isExhausted = told.some(({ _tag }) => _tag === "Exhausted")
      const last = isExhausted ? yield* lastPages({ ...escalation, state }) : []
      yield* sending.send(alertId, alert, [...pages, ...last], at)
      yield* repository.save(escalation, state, dueOf(state, alert.snoozedUntil))
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
        yield* log.append([{ alertId, at, type: alert.isCovered ? "held" : "released" }])
        state = decide(deciding, state, { _tag: alert.isCovered ? "Held" : "Released", at }).state
        if (alert.isCovered)
          yield* sending.takeBack([alertId], all, "A silence or maintenance holds the escalation", at)
      }
      if (state.frozenAt !== null && (alert.snoozedUntil ?? 0) <= at)
        state = decide(deciding, state, { _tag: "SnoozeEnded", at }).state
      const { organizationId, policyName: policy } = escalation
      const of = { organizationId, policy, severity: alert.severity }
      const decision = yield* targets.due(of, { ...escalation.plan, deciding }, state, at)
      yield* store(escalation, alert, decision, at)
    })

    const runNext = Effect.gen(function* () {
      const at = yield* Clock.currentTimeMillis
      const alertIds = yield* repository.claim(at)
      for (const alertId of alertIds) yield* runOne(alertId, at)
      return alertIds.length > 0
    }).pipe(transaction.run)

    /** Does everything that is due; returns how many escalations had something. */
    const runDue = Effect.gen(function* () {
      let count = 0
      while (yield* runNext) count++
      return count
    }).pipe(Effect.withSpan("Escalations.runDue"))

    /** Wakes escalations that a silence or maintenance holds from now on, or no longer holds. */
    const wakeCovered = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      yield* log.tell(yield* repository.settleLost("Not sent: the channel or contact method was deleted", now), now)
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
      yield* sending.takeBack(
        escalations.map(({ alertId }) => alertId),
        all,
        "The alert is over",
        at
      )
      yield* sending.retract([...notices.keys()], "The alert is over", at)
      for (const escalation of escalations) {
        const { alertId, plan, state } = escalation
        const notice = notices.get(alertId)
        const alert = notice === undefined ? undefined : yield* repository.alertOf(alertId, at)
        if (notice !== undefined && alert !== undefined) yield* sending.recovered(alertId, { ...alert, notice }, at)
        const after = decide(decidingPart(plan), state, { _tag: "Resolved", at }).state
        yield* repository.save(escalation, after, null)
      }
    })

    const acted: AlertEscalations["Service"]["acted"] = Effect.fn("Escalations.acted")(
      function* (alertId, act, by, at) {
        yield* log.append([actEntry(alertId, act, by, at)])
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
            const asked = state.lists.map(({ userId }) => userId)
            yield* sending.takeBack([alertId], { _tag: "AllBut", userIds: asked }, "The alert was acknowledged", at)
            if (alert !== undefined) yield* sending.acknowledged(alertId, alert, by, at)
            break
          }
          case "Unacknowledge":
            yield* sending.retract([alertId], "The acknowledgement was taken back", at)
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

    const answered: AlertEscalations["Service"]["answered"] = Effect.fn("Escalations.answered")(
      function* (alertId, act, by, at) {
        const { userId } = by
        const [escalation] = userId === null ? [] : yield* repository.lock([alertId])
        if (userId === null || escalation === undefined) return false
        const { plan, state } = escalation
        if (!state.lists.some((list) => list.isAsked && list.userId === userId)) return false
        const after = decide(decidingPart(plan), state, { _tag: "Answered", at, userId }).state
        yield* log.append([actEntry(alertId, act, by, at)])
        yield* sending.takeBack([alertId], { _tag: "Only", userIds: [userId] }, "The person answered", at)
        yield* repository.save(escalation, after, dueOf(after, null))
        return true
      }
    )

    /**
     * Runs the next step of a locked alert now, if it is still the one that was seen. Returns whether it was. Joins the caller's
     * transaction.
     */
    const escalate = Effect.fn("Escalations.escalate")(function* (
      alert: Alert,
      step: number,
      by: Responder,
      at: EpochMillis
    ) {
      const [escalation] = yield* repository.lock([alert.id])
      const now = yield* repository.alertOf(alert.id, at)
      if (escalation === undefined || now === undefined || escalation.plan.steps.length === 0)
        return yield* new AlertConflict({
          detail: "The alert has no escalation policy: its rule had none when it opened. Ask for a person instead"
        })
      if (now.isCovered)
        return yield* new AlertConflict({
          detail: "A silence or maintenance holds the escalation: end that first"
        })
      if (stepNumber(escalation) !== step) return false
      const { plan, state } = escalation
      const seen = { round: state.round, next: state.next }
      const after = decide(decidingPart(plan), state, { _tag: "Escalated", at, seen }).state
      yield* log.append([{ alertId: alert.id, at, type: "escalated", actor: by.actor }])
      yield* reopening.reopen(alert, by.actor, at)
      yield* repository.save(escalation, after, dueOf(after, null))
      yield* runOne(alert.id, at)
      return true
    })

    /** The escalation of an alert; one without steps where its rule has no policy. */
    const lockOrMake = Effect.fnUntraced(function* (alert: Alert, isHeld: boolean, at: EpochMillis) {
      const [found] = yield* repository.lock([alert.id])
      if (found !== undefined) return found
      const made: StoredEscalation = {
        alertId: alert.id,
        organizationId: yield* repository.organizationOf(alert.projectId),
        policyId: null,
        policyName: null,
        plan: noPlan,
        state: { ...unplanned(at), isHeld }
      }
      yield* repository.insert([{ ...made, dueAt: null }])
      return made
    })

    /** Pages people until they answer themselves. `target` names them in the time line. Joins the caller's transaction. */
    const ask = Effect.fn("Escalations.ask")(function* (
      alert: Alert,
      people: ReadonlyArray<Person>,
      asked: { readonly target: string; readonly note: string | null },
      by: Responder,
      at: EpochMillis
    ) {
      const now = yield* repository.alertOf(alert.id, at)
      if (now === undefined) return
      const escalation = yield* lockOrMake(alert, now.isCovered, at)
      const { note, target } = asked
      yield* log.append([{ alertId: alert.id, at, type: "asked", actor: by.actor, note, target }])
      const reason = pageReason("asked", { name: actorInWords(by.actor), note })
      let { state } = escalation
      for (const one of people) {
        const person = { ...one, reason }
        const { pages, state: after } = decide(decidingPart(escalation.plan), state, { _tag: "Asked", at, person })
        yield* sending.send(alert.id, now, pages, at)
        state = after
      }
      yield* repository.save(escalation, state, dueOf(state, now.snoozedUntil))
    })

    return {
      escalate,
      ask,
      runDue,
      wakeCovered,
      /** The port of alerts. */
      port: {
        opened: openedAll,
        ended,
        acted,
        answered,
        reopened,
        find: repository.findPolicy,
        forget: sending.forget
      }
    }
  })
}) {
  static readonly layer = Layer.effect(Escalations, Escalations.make).pipe(
    Layer.provide([EscalationPages.layer, StepTargets.layer, NotificationRules.layer]),
    Layer.provide(EscalationLog.layer),
    Layer.provide(EscalationRepository.layer)
  )
}

/** The port of alerts, for their layer. */
export const layerPort = Layer.effect(
  AlertEscalations,
  Effect.map(Escalations, ({ port }) => AlertEscalations.of(port))
)
