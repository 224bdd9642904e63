/**
 * Alerts that integrations send: the pure rules decide (domain/ExternalAlerts), and each request is one transaction with its notices,
 * pages and events. The caller has locked the integration, so that requests of one sender follow each other.
 */
import type { Notice } from "@kanmon/core/Notice"
import { reason } from "@kanmon/domain/Reason"
import type { AlertActor, AlertSource } from "@kanmon/domain/Alert"
import { notifiedBy } from "@kanmon/domain/Alerting"
import { AlertConflict, actorInWords } from "@kanmon/domain/AlertHandling"
import type { AlertRule } from "@kanmon/domain/AlertRule"
import { decideExternal, type ExternalDecision } from "@kanmon/domain/ExternalAlerts"
import type { FieldError } from "@kanmon/domain/FieldErrors"
import { AlertRecordId, type AlertReference, idFrom, type IntegrationId, ProjectId } from "@kanmon/domain/Ids"
import type { InboundAlert } from "@kanmon/domain/InboundAlerts"
import type { Integration } from "@kanmon/domain/Integration"
import { AlertNotFound } from "@kanmon/domain/NotFound"
import { type EpochMillis, instant } from "@kanmon/domain/Timestamp"
import { AuditLog } from "@kanmon/identity/audit"
import { Transaction } from "@kanmon/platform/Transaction"
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Message } from "../delivery/index.ts"
import * as AlertCancelling from "./AlertCancelling.ts"
import { alertEvent } from "./AlertEvents.ts"
import { AlertEscalations, type Responder } from "./AlertHooks.ts"
import { alertMessage } from "./AlertKind.ts"
import { type AlertEntry, type NewAlert, noChanges, type StoredAlert } from "./AlertRecords.ts"
import { AlertReopening } from "./AlertReopening.ts"
import { AlertRepository } from "./AlertRepository.ts"
import { ExternalAlertRepository, type Heard } from "./ExternalAlertRepository.ts"
import * as ExternalNotice from "./ExternalNotice.ts"
import { HandlingRepository } from "./HandlingRepository.ts"
import { OpenAlerts } from "./OpenAlerts.ts"

/** The parts of an integration that its alerts depend on. */
type AlertingIntegration = Pick<Integration, "id" | "name" | "projectId" | "resolveAfterMinutes" | "ruleId" | "type">

/** The largest number of open alerts of one integration. */
const mostOpen = 2000

/** Alerts that one transaction resolves because nothing is heard of them. */
const dueBatch = 200

type Open = StoredAlert & { readonly key: string; readonly source: AlertSource }
type DecisionOf<Tag> = Extract<ExternalDecision<Open>, { readonly _tag: Tag }>

export class ExternalAlerts extends Context.Service<ExternalAlerts>()("@kanmon/monitoring/alerts/ExternalAlerts", {
  make: Effect.gen(function* () {
    const repository = yield* ExternalAlertRepository
    const alerts = yield* AlertRepository
    const handling = yield* HandlingRepository
    const open = yield* OpenAlerts
    const cancel = yield* AlertCancelling.make
    const escalations = yield* AlertEscalations
    const reopening = yield* AlertReopening
    const audit = yield* AuditLog
    const transaction = yield* Transaction
    const random = yield* SecureRandom.SecureRandom
    const newId = (prefix: string) => Effect.map(random.ulid, (ulid) => idFrom(prefix, ulid))

    /** Messages to the channels of an alert. */
    const messages = Effect.fnUntraced(function* (
      projectId: ProjectId,
      entries: ReadonlyArray<AlertEntry>,
      purpose: Message["purpose"],
      notice: Notice
    ) {
      return yield* Effect.forEach(
        entries.flatMap(({ channelId, id, isTold }) => (channelId === null || !isTold ? [] : [{ channelId, id }])),
        ({ channelId, id: entryId }) =>
          Effect.map(newId("dlv"), (id) =>
            alertMessage({ id, entryId, to: { channelId }, projectId, purpose }, notice, "external", 0)
          )
      )
    })

    const opened = Effect.fnUntraced(function* (
      { alert, severity }: DecisionOf<"Open">,
      { at, baseUrl, integration, rule, channels }: Scene,
      project: Notice["project"]
    ) {
      const id = yield* newId("alt")
      const channelIds = notifiedBy(rule, channels)
      const entries = yield* Effect.forEach(channelIds.length === 0 ? [null] : channelIds, (channelId) =>
        Effect.map(newId("alr"), (entryId): AlertEntry => ({ id: entryId, channelId, isTold: true }))
      )
      const { type } = integration
      const about = { alertId: id, project, rule: { id: rule.id, name: rule.name }, type, severity, at, baseUrl }
      return {
        id,
        monitorId: null,
        source: sourceOf(integration.id, alert),
        resolveAt: endOf(integration, at),
        projectId: integration.projectId,
        ruleId: rule.id,
        trigger: "external",
        severity,
        about: "",
        step: 0,
        startedAt: at,
        at,
        notice: ExternalNotice.opening(alert, about),
        entries,
        channelIds,
        isAcknowledged: false,
        snoozedUntil: null,
        silence: null,
        policyId: rule.escalationPolicyId
      } satisfies NewAlert
    })

    /** Opens as many alerts as the integration has room for. */
    const begin = Effect.fnUntraced(function* (wanted: ReadonlyArray<DecisionOf<"Open">>, scene: Scene) {
      if (wanted.length === 0) return []
      const { id, projectId } = scene.integration
      const room = Math.max(0, mostOpen - (yield* repository.countOpen(id)))
      const project = { id: projectId, name: yield* repository.projectName(projectId) }
      return yield* Effect.forEach(wanted.slice(0, room), (one) => opened(one, scene, project))
    })

    /** Ends locked alerts; their recovery is told. */
    const close = Effect.fnUntraced(function* (
      projectId: ProjectId,
      ended: ReadonlyArray<{ readonly alert: StoredAlert; readonly why: ExternalNotice.Ending }>,
      at: EpochMillis
    ) {
      const closed = ended.map(({ alert, why }) => ({
        alert,
        notice: ExternalNotice.closing(alert.notice, why, at)
      }))
      const deliveries = yield* Effect.forEach(closed, ({ alert, notice }) =>
        messages(projectId, alert.entries, "close", notice)
      )
      return {
        closed: closed.map(({ alert, notice }) => ({ alertId: alert.id, at, notice })),
        deliveries: deliveries.flat(),
        events: closed.flatMap(({ alert, notice }) =>
          alert.entries.map((entry) => alertEvent({ ...alert, projectId }, entry, "resolved", at, notice.reason))
        )
      }
    })

    /** Takes back what people did with alerts that are more urgent now, and tells their channels. */
    const raise = Effect.fnUntraced(function* (
      raised: ReadonlyArray<DecisionOf<"Raise">>,
      by: AlertActor,
      projectId: ProjectId,
      at: EpochMillis
    ) {
      const ids = raised.flatMap(({ open: { id, isAcknowledged, snoozedUntil } }) =>
        isAcknowledged || snoozedUntil !== null ? AlertRecordId.make(id) : []
      )
      for (const handled of ids.length === 0 ? [] : yield* handling.lockAll(ids, at)) {
        yield* escalations.acted(handled.id, { _tag: "Unacknowledge" }, { actor: by, userId: null }, at)
        yield* reopening.reopen(handled, by, at)
      }
      const told = yield* Effect.forEach(raised, ({ alert, open: { entries, notice }, severity }) =>
        messages(projectId, entries, "repeat", {
          ...ExternalNotice.raised(notice, severity, at),
          reason: alert.description
        })
      )
      return told.flat()
    })

    /**
     * Opens, refreshes and resolves alerts as a request states them. Returns what was not taken. Joins the caller's transaction, which
     * holds the integration.
     */
    const receive = Effect.fn("ExternalAlerts.receive")(function* (
      integration: AlertingIntegration,
      sent: ReadonlyArray<InboundAlert>,
      baseUrl: string
    ) {
      if (sent.length === 0) return []
      const at = yield* Clock.currentTimeMillis
      const { id, projectId } = integration
      const rule = (yield* alerts.lockRules([projectId])).find((one) => one.id === integration.ruleId)
      if (rule === undefined) return []
      const channels = (yield* alerts.lockChannels([projectId])).map((channel) => channel.id)
      const scene: Scene = { at, baseUrl, integration, rule, channels }
      const found = yield* repository.lockOpen(id, [...new Set(sent.map(({ key }) => key))])
      const known = found.flatMap((alert): ReadonlyArray<Open> => {
        const { source } = alert
        return source === null ? [] : [{ ...alert, source, key: source.key }]
      })
      const decisions = decideExternal(sent, known, rule.severity)
      const by: AlertActor = { kind: "integration", name: integration.name }
      const raised = decisions.filter((one) => one._tag === "Raise")
      const told = yield* raise(raised, by, projectId, at)
      yield* repository.refresh(
        decisions.flatMap((one) => (one._tag === "Refresh" || one._tag === "Raise" ? heard(one, scene) : []))
      )
      const wanted = decisions.filter((one) => one._tag === "Open")
      const begun = yield* begin(wanted, scene)
      const over = decisions.flatMap((one) =>
        one._tag === "Resolve"
          ? {
              alert: one.open,
              why: one.alert.description === "" ? reason("sender_says_over", {}) : { message: one.alert.description }
            }
          : []
      )
      const ended = yield* close(projectId, over, at)
      const openings = yield* Effect.forEach(begun, ({ entries, notice }) =>
        messages(projectId, entries, "open", notice)
      )
      const beginnings = begun.flatMap((alert) =>
        alert.entries.map((entry) => alertEvent(alert, entry, "triggered", at, alert.notice.reason))
      )
      yield* open.save(
        {
          ...noChanges(),
          opened: begun,
          closed: ended.closed,
          deliveries: [...ended.deliveries, ...told, ...openings.flat()],
          events: [...ended.events, ...beginnings]
        },
        at
      )
      return begun.length < wanted.length ? [tooMany(wanted.length - begun.length)] : []
    }, transaction.run)

    /** Ends an open alert of an integration by hand, and returns it as it is then. */
    const resolve = Effect.fn("ExternalAlerts.resolve")(function* (
      projectId: ProjectId,
      id: AlertReference,
      { actor }: Responder
    ) {
      const at = yield* Clock.currentTimeMillis
      const alert = yield* handling.lock(projectId, id, at)
      if (alert === undefined) return yield* new AlertNotFound({ id })
      if (alert.resolvedAt !== null)
        return yield* new AlertConflict({ detail: `The alert was resolved at ${instant(alert.resolvedAt)}` })
      if (alert.source === null)
        return yield* new AlertConflict({ detail: "The alert ends when its monitor recovers: acknowledge it instead" })
      const stored = yield* repository.lock(alert.id)
      if (stored !== undefined) {
        const ended = yield* close(
          projectId,
          [{ alert: stored, why: reason("resolved_by", { name: actorInWords(actor) }) }],
          at
        )
        yield* open.save({ ...noChanges(), ...ended }, at)
      }
      yield* repository.resolvedBy(alert.id, actor)
      yield* audit.record([
        {
          action: "alert.resolved",
          target: { id: alert.id, name: alert.source.title },
          projectId,
          before: {},
          after: {}
        }
      ])
      return (yield* handling.find(projectId, id, at)) ?? alert
    }, transaction.run)

    /** Resolves alerts that their senders stopped sending; returns how many. */
    const resolveDue = Effect.gen(function* () {
      const at = yield* Clock.currentTimeMillis
      const due = yield* repository.lockDue(at, dueBatch)
      for (const [projectId, alerts] of Map.groupBy(due, ({ notice }) => notice.project.id)) {
        const over = alerts.map((alert) => {
          const minutes = Math.round((at - alert.startedAt) / 60_000)
          return { alert, why: reason("sender_stopped", { minutes }) }
        })
        yield* open.save({ ...noChanges(), ...(yield* close(ProjectId.make(projectId), over, at)) }, at)
      }
      return due.length
    }).pipe(transaction.run, Effect.withSpan("ExternalAlerts.resolveDue"))

    return {
      receive,
      resolve,
      resolveDue,
      /** Ends the open alerts of an integration without a notification. */
      cancel: (id: IntegrationId, at: EpochMillis) =>
        cancel({ _tag: "Integration", id }, at, "The integration was deleted")
    }
  })
}) {
  static readonly layer = Layer.effect(ExternalAlerts, ExternalAlerts.make)
}

/** What the alerts of a request have in common. */
interface Scene {
  readonly at: EpochMillis
  readonly baseUrl: string
  readonly integration: AlertingIntegration
  readonly rule: AlertRule
  /** All channels of the project. */
  readonly channels: AlertRule["channelIds"]
}

const sourceOf = (integrationId: IntegrationId, { key, labels, link, title }: InboundAlert): AlertSource => ({
  integrationId,
  key,
  title,
  link,
  labels
})

const endOf = ({ resolveAfterMinutes: minutes }: AlertingIntegration, at: EpochMillis): EpochMillis | null =>
  minutes === null ? null : at + minutes * 60_000

const heard = ({ alert, open, ...rest }: DecisionOf<"Refresh" | "Raise">, { at, integration }: Scene): Heard => {
  const severity = "severity" in rest ? rest.severity : open.severity
  return {
    id: open.id,
    severity,
    notice: { ...ExternalNotice.refreshed(open.notice, alert, integration.type), severity },
    source: sourceOf(integration.id, alert),
    resolveAt: endOf(integration, at)
  }
}

const tooMany = (count: number): FieldError => ({
  path: "",
  message: `${count} alerts were not opened: an integration has at most ${mostOpen} open alerts`
})
