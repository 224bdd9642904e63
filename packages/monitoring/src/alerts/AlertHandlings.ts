/**
 * Actions on alerts: acknowledge, snooze and undo. Each action is one transaction with its public events. It ends or
 * postpones reminders and never changes the status of the monitor; its effect ends with the alert.
 */
import type { Actor } from "@kanmon/domain/Actor"
import { RegistryRepository } from "../registry/index.ts"
import type { Alert, AlertActor } from "@kanmon/domain/Alert"
import { type Act, actorInWords, AlertConflict, handle, type Handling } from "@kanmon/domain/AlertHandling"
import type { AlertReference, MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { AlertNotFound, MonitorNotFound } from "@kanmon/domain/NotFound"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer, Result } from "effect"
import { AuditLog, type AuditedChange } from "@kanmon/identity/audit"
import { Outbox } from "@kanmon/platform/outbox/Outbox"
import { Transaction } from "@kanmon/platform/Transaction"
import { DeliveryQueue } from "../delivery/index.ts"
import { handledEvents } from "./AlertEvents.ts"
import { AlertEscalations, type Responder } from "./AlertHooks.ts"
import { alertKind } from "./AlertKind.ts"
import * as AlertNames from "./AlertNames.ts"
import { type AlertFilter, HandlingRepository } from "./HandlingRepository.ts"
import { OutcomeRepository } from "./OutcomeRepository.ts"

export class AlertHandlings extends Context.Service<AlertHandlings>()("@kanmon/monitoring/alerts/AlertHandlings", {
  make: Effect.gen(function* () {
    const repository = yield* HandlingRepository
    const outcomes = yield* OutcomeRepository
    const queue = yield* DeliveryQueue
    const escalations = yield* AlertEscalations
    const registry = yield* RegistryRepository
    const nameOf = yield* AlertNames.make
    const outbox = yield* Outbox
    const transaction = yield* Transaction
    const audit = yield* AuditLog

    /** Stores what an act made of an alert, with the events. */
    const store = Effect.fnUntraced(function* (
      alert: Alert,
      handling: Handling | undefined,
      { act, at, by }: { readonly act: Act; readonly by: Responder; readonly at: EpochMillis }
    ) {
      if (handling === undefined) return
      yield* repository.save(alert.id, handling)
      yield* escalations.acted(alert.id, act, by, at)
      if (act._tag !== "Unacknowledge") {
        const reminders = { kind: alertKind, ids: [alert.id] }
        yield* outcomes.settle(yield* queue.cancelRepetitions(reminders, at, ended[act._tag]))
      }
      yield* outbox.append(handledEvents(alert, act, by.actor, at))
      yield* audit.record([auditedAct(alert, yield* nameOf(alert), act, by.actor)])
    })

    /** Whether somebody who was asked for acknowledges what another person acknowledged before: they are paged no more. */
    const answersAlone = (alert: Alert, act: Act, by: Responder, at: EpochMillis) =>
      act._tag === "Acknowledge" && alert.resolvedAt === null
        ? escalations.answered(alert.id, act, by, at)
        : Effect.succeed(false)

    /** Does it with a locked alert, or says why it is refused. */
    const attempt = Effect.fnUntraced(function* (alert: Alert, act: Act, by: Responder, at: EpochMillis) {
      const handled = handle(alert, act, by.actor, at)
      if (Result.isSuccess(handled)) yield* store(alert, handled.success, { act, by, at })
      else if (!(yield* answersAlone(alert, act, by, at))) return yield* handled.failure
    })

    /** Does something with one alert, and returns it as it is then. */
    const act = Effect.fn("AlertHandlings.act")(function* (
      projectId: ProjectId,
      id: AlertReference,
      act: Act,
      by: Responder
    ) {
      const at = yield* Clock.currentTimeMillis
      const alert = yield* repository.lock(projectId, id, at)
      if (alert === undefined) return yield* new AlertNotFound({ id })
      yield* attempt(alert, act, by, at)
      return (yield* repository.find(projectId, id, at)) ?? alert
    }, transaction.run)

    /** Does it with every open alert of a monitor that allows it, and returns all open alerts as they are then. */
    const actOnMonitor = Effect.fn("AlertHandlings.actOnMonitor")(function* (
      projectId: ProjectId,
      monitorId: MonitorId,
      act: Act,
      by: Responder
    ) {
      const at = yield* Clock.currentTimeMillis
      if (!(yield* registry.has(projectId, monitorId))) return yield* new MonitorNotFound({ id: monitorId })
      for (const alert of yield* repository.lockOpen(projectId, monitorId, at))
        yield* Effect.ignore(attempt(alert, act, by, at))
      return yield* repository.lockOpen(projectId, monitorId, at)
    }, transaction.run)

    /** Acknowledges those of the locked alerts that allow it, and returns how many; fails when none does. Joins the caller's transaction. */
    const acknowledgeLocked = Effect.fnUntraced(function* (alerts: ReadonlyArray<Alert>, by: Responder) {
      const at = yield* Clock.currentTimeMillis
      const act = { _tag: "Acknowledge", note: null } as const
      let refused = new AlertConflict({ detail: "There is no such alert any more" })
      let done = 0
      for (const alert of alerts) {
        const attempted = yield* Effect.result(attempt(alert, act, by, at))
        if (Result.isSuccess(attempted)) done++
        else refused = attempted.failure
      }
      return done === 0 ? yield* refused : done
    })

    return {
      /** The alerts of a project, newest first. */
      list: (projectId: ProjectId, filter: AlertFilter) =>
        Effect.flatMap(Clock.currentTimeMillis, (at) => repository.list(projectId, filter, at)),
      get: Effect.fn("AlertHandlings.get")(function* (projectId: ProjectId, id: AlertReference) {
        const found = yield* repository.find(projectId, id, yield* Clock.currentTimeMillis)
        return found ?? (yield* new AlertNotFound({ id }))
      }),
      act,
      actOnMonitor,
      acknowledgeLocked
    }
  })
}) {
  static readonly layer = Layer.effect(AlertHandlings, AlertHandlings.make)
}

/** Why a reminder that waited is not sent. */
const ended = { Acknowledge: "The alert was acknowledged", Snooze: "The alert was snoozed" } as const

const auditedActs = {
  Acknowledge: "alert.acknowledged",
  Unacknowledge: "alert.unacknowledged",
  Snooze: "alert.snoozed"
} as const

const auditedAct = ({ id, projectId }: Alert, name: string, act: Act, by: AlertActor): AuditedChange => ({
  action: auditedActs[act._tag],
  target: { id, name },
  projectId,
  ...(by.kind === "link" ? { actor: byLink(by) } : {}),
  before: {},
  after: act._tag === "Snooze" ? { until: toIso(act.until) } : act._tag === "Acknowledge" ? { note: act.note } : {}
})

/**
 * The holder of a message may use its link without signing in. Only the channel that the message was sent to is known.
 */
const byLink = (by: AlertActor): Actor => ({ kind: "person", id: null, name: actorInWords(by) })
