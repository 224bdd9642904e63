/**
 * Alerts of drills: the same rows, messages and escalations as those of real alerts, in the transactions of their drills. They cause
 * no events, and no list or figure counts them.
 */
import type { Notice } from "@kanmon/core/Notice"
import { notifiedBy, notifying } from "@kanmon/domain/Alerting"
import type { AlertRule } from "@kanmon/domain/AlertRule"
import type { FieldError } from "@kanmon/domain/FieldErrors"
import {
  type ChannelId,
  type DrillId,
  type EscalationPolicyId,
  idFrom,
  type MonitorId,
  type ProjectId,
  type RuleId
} from "@kanmon/domain/Ids"
import type { Severity } from "@kanmon/domain/Severity"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Transaction } from "@kanmon/platform/Transaction"
import { Context, Effect, Layer, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { DeliveryQueue, type Message } from "../delivery/index.ts"
import { AlertEscalations } from "./AlertHooks.ts"
import { alertKind, alertMessage } from "./AlertKind.ts"
import { type AlertEntry, type InsertedAlert, noChanges } from "./AlertRecords.ts"
import { AlertRepository } from "./AlertRepository.ts"
import { DrillAlertRepository } from "./DrillAlertRepository.ts"
import * as DrillNotice from "./DrillNotice.ts"
import { OpenAlerts } from "./OpenAlerts.ts"

/** The policy, the rule or the monitor that a drill tries. */
interface DrillTarget {
  readonly policyId: EscalationPolicyId | null
  readonly ruleId: RuleId | null
  readonly monitorId: MonitorId | null
}

interface DrillSubject extends DrillTarget {
  readonly id: DrillId
  readonly projectId: ProjectId
  readonly name: string
}

/** One alert of a drill before it opens. */
interface Line {
  readonly rule: Pick<AlertRule, "id" | "name"> | null
  readonly policyId: EscalationPolicyId | null
  readonly channelIds: ReadonlyArray<ChannelId>
  readonly severity: Severity
}

export class DrillAlerts extends Context.Service<DrillAlerts>()("@kanmon/monitoring/alerts/DrillAlerts", {
  make: Effect.gen(function* () {
    const repository = yield* DrillAlertRepository
    const alerts = yield* AlertRepository
    const open = yield* OpenAlerts
    const queue = yield* DeliveryQueue
    const escalations = yield* AlertEscalations
    const transaction = yield* Transaction
    const random = yield* SecureRandom.SecureRandom
    const newId = (prefix: string) => Effect.map(random.ulid, (ulid) => idFrom(prefix, ulid))

    const lineOf = (rule: AlertRule, channels: ReadonlyArray<ChannelId>): Line => ({
      rule,
      policyId: rule.escalationPolicyId,
      channelIds: notifiedBy(rule, channels),
      severity: rule.severity
    })

    /** The alerts that a drill opens now, or why there are none. */
    const linesOf = Effect.fnUntraced(function* (
      projectId: ProjectId,
      { monitorId, policyId, ruleId }: DrillTarget,
      at: EpochMillis
    ): Effect.fn.Return<Result.Result<ReadonlyArray<Line>, FieldError>> {
      if (policyId !== null) {
        const found = yield* escalations.find(projectId, { id: policyId, key: null })
        return found === undefined
          ? refusal("policyId", `The organization has no ${policyId}`)
          : Result.succeed([{ rule: null, policyId, channelIds: [], severity: "critical" }])
      }
      const rules = yield* alerts.lockRules([projectId])
      const channels = (yield* alerts.lockChannels([projectId])).map(({ id }) => id)
      if (ruleId !== null) {
        const rule = rules.find(({ id }) => id === ruleId)
        if (rule === undefined) return refusal("ruleId", `This project has no ${ruleId}`)
        return rule.escalationPolicyId === null
          ? refusal("ruleId", "Expected a rule with an escalation policy: this one pages no one")
          : Result.succeed([lineOf(rule, channels)])
      }
      const [monitor] = monitorId === null ? [] : yield* alerts.findMonitors([monitorId], at)
      if (monitor === undefined || monitor.projectId !== projectId)
        return refusal("monitorId", `This project has no ${monitorId}`)
      const lines = notifying(monitor.id, monitor.tags, rules, channels).flatMap(({ rule }) =>
        rule.triggers.includes("monitor_down") ? lineOf(rule, channels) : []
      )
      return lines.some((line) => line.policyId !== null)
        ? Result.succeed(lines)
        : refusal("monitorId", "Expected a monitor that a rule for outages with an escalation policy watches")
    })

    const messages = Effect.fnUntraced(function* (
      projectId: ProjectId,
      entries: ReadonlyArray<AlertEntry>,
      purpose: Message["purpose"],
      notice: Notice
    ) {
      return yield* Effect.forEach(
        entries.flatMap(({ channelId, id }) => (channelId === null ? [] : [{ channelId, id }])),
        ({ channelId, id: entryId }) =>
          Effect.map(newId("dlv"), (id) =>
            alertMessage({ id, entryId, to: { channelId }, projectId, purpose }, notice, "external", 0)
          )
      )
    })

    const alertOf = Effect.fnUntraced(function* (
      { id: drillId, name, policyId, projectId }: DrillSubject,
      line: Line,
      {
        at,
        baseUrl,
        project
      }: { readonly at: EpochMillis; readonly baseUrl: string; readonly project: Notice["project"] }
    ) {
      const id = yield* newId("alt")
      const entries = yield* Effect.forEach(line.channelIds, (channelId) =>
        Effect.map(newId("alr"), (entryId): AlertEntry => ({ id: entryId, channelId, isTold: true }))
      )
      const { severity } = line
      const rule = line.rule === null ? { id: policyId ?? drillId, name } : { id: line.rule.id, name: line.rule.name }
      return {
        id,
        drillId,
        monitorId: null,
        source: null,
        resolveAt: null,
        projectId,
        ruleId: line.rule?.id ?? null,
        trigger: "external",
        severity,
        about: "",
        step: 0,
        startedAt: at,
        at,
        notice: DrillNotice.opening({ id: drillId, name }, { alertId: id, project, rule, severity, at, baseUrl }),
        entries,
        channelIds: line.channelIds,
        isAcknowledged: false,
        snoozedUntil: null,
        silence: null,
        policyId: line.policyId
      } satisfies InsertedAlert
    })

    /** Opens the alerts of a locked drill, or says why there are none. Joins the caller's transaction. */
    const begin = Effect.fn("DrillAlerts.begin")(function* (drill: DrillSubject, baseUrl: string, at: EpochMillis) {
      const lines = yield* linesOf(drill.projectId, drill, at)
      if (Result.isFailure(lines)) return lines.failure
      const project = { id: drill.projectId, name: yield* repository.projectName(drill.projectId) }
      const opened = yield* Effect.forEach(lines.success, (line) => alertOf(drill, line, { at, baseUrl, project }))
      const deliveries = yield* Effect.forEach(opened, ({ entries, notice }) =>
        messages(drill.projectId, entries, "open", notice)
      )
      yield* open.save({ ...noChanges(), opened, deliveries: deliveries.flat() }, at)
      return undefined
    }, transaction.run)

    /** Ends the open alerts of a drill, locked before; everyone who was paged is told. Joins the caller's transaction. */
    const end = Effect.fn("DrillAlerts.end")(function* (
      { id, projectId }: Pick<DrillSubject, "id" | "projectId">,
      reason: string,
      at: EpochMillis
    ) {
      const ended = (yield* repository.lock(id)).flatMap(({ entries, id: alertId, isOver, notice }) =>
        isOver ? [] : [{ alertId, entries, notice: DrillNotice.closing(notice, reason, at) }]
      )
      const deliveries = yield* Effect.forEach(ended, ({ entries, notice }) =>
        messages(projectId, entries, "close", notice)
      )
      const closed = ended.map(({ alertId, notice }) => ({ alertId, at, notice }))
      yield* open.save({ ...noChanges(), closed, deliveries: deliveries.flat() }, at)
    }, transaction.run)

    return {
      begin,
      end,
      /** Whether a drill could begin now; why not, otherwise. */
      refusal: (projectId: ProjectId, target: DrillTarget, at: EpochMillis) =>
        Effect.map(linesOf(projectId, target, at), (lines) => (Result.isFailure(lines) ? lines.failure : undefined)),
      /** Locks the alerts of a drill, and returns how they stand. */
      lock: repository.lock,
      /** Deletes the alerts of drills that are deleted, with their messages. */
      forget: Effect.fn("DrillAlerts.forget")(function* (drillIds: ReadonlyArray<DrillId>) {
        const ids = yield* repository.remove(drillIds)
        if (ids.length === 0) return
        yield* queue.forget({ kind: alertKind, ids })
        yield* escalations.forget(ids)
      }, transaction.run)
    }
  })
}) {
  static readonly layer = Layer.effect(DrillAlerts, DrillAlerts.make).pipe(Layer.provide(DrillAlertRepository.layer))
}

const refusal = (path: string, message: string) => Result.fail<FieldError>({ path, message })
