/**
 * Turns conditions of monitors into changes of their alerts: domain/Alerting decides, and each decision gets its notices and
 * events. Runs inside the transaction of an evaluation, so it only computes.
 */
import { isDeepStrictEqual } from "node:util"
import type { Notice } from "@kanmon/core/Notice"
import { Catalogue } from "@kanmon/core/PluginHost"
import type { AlertRule } from "@kanmon/domain/AlertRule"
import { type Condition, decide, type Decision, suppressed } from "@kanmon/domain/Alerting"
import * as DependencyHold from "@kanmon/domain/DependencyHold"
import { idFrom, type ChannelId, type MonitorId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import type { PublicEvent } from "@kanmon/domain/PublicEvent"
import type { Message } from "../delivery/index.ts"
import { alertEvent } from "./AlertEvents.ts"
import { alertMessage } from "./AlertKind.ts"
import {
  type AlertContext,
  type AlertedMonitor,
  type AlertEntry,
  channelsOf,
  type CollectedChanges,
  type NewAlert,
  noChanges,
  type StoredAlert
} from "./AlertRecords.ts"
import * as NoticeBody from "./NoticeBody.ts"

/** The conditions of a monitor at one instant. */
export interface Moment {
  readonly monitorId: MonitorId
  readonly at: EpochMillis
  readonly conditions: ReadonlyArray<Condition>
  /** The facts behind the conditions, for notices. */
  readonly evidence: NoticeBody.Evidence
  /** W3C trace context that the deliveries continue. */
  readonly trace?: string | undefined
}

export class Alerts extends Context.Service<Alerts>()("@kanmon/monitoring/alerts/Alerts", {
  make: (baseUrl: string) =>
    Effect.gen(function* () {
      const { channels: kinds, checks } = yield* Catalogue
      const random = yield* SecureRandom.SecureRandom
      const newId = (prefix: string) => Effect.map(random.ulid, (ulid) => idFrom(prefix, ulid))

      /** The checked target in words. The plugin may fail to provide it. */
      const targetOf = (monitor: AlertedMonitor): string => {
        try {
          const prepared = checks.get(monitor.type)?.prepare(monitor.config)
          return prepared?._tag === "Success" ? prepared.success.target : monitor.name
        } catch {
          return monitor.name
        }
      }

      const subjectOf = (monitor: AlertedMonitor): NoticeBody.Subject => ({
        project: { id: monitor.projectId, name: monitor.projectName },
        monitor: { id: monitor.id, name: monitor.name, type: monitor.type, target: targetOf(monitor) },
        link: `${baseUrl}/monitors/${monitor.id}?project=${monitor.projectId}`
      })

      const newEntries = ({ monitor }: Scene, channelIds: ReadonlyArray<ChannelId | null>) =>
        Effect.forEach(channelIds, (channelId) =>
          Effect.map(newId("alr"), (id): AlertEntry => ({ id, channelId, isTold: monitor.silence === null }))
        )

      /** A silence does not keep an incident open at a paging service. */
      const hasIncident = ({ channelType }: Scene, channelId: ChannelId | null): boolean =>
        channelId !== null && kinds.get(channelType(channelId) ?? "")?.opensIncidents === true

      /** Sends a notice to the channel of each entry. */
      const notify = Effect.fnUntraced(function* (
        { changes, moment, monitor, rules }: Scene,
        { ruleId, trigger }: Pick<StoredAlert, "ruleId" | "trigger">,
        entries: ReadonlyArray<AlertEntry>,
        purpose: Message["purpose"],
        notice: Notice
      ) {
        const { projectId } = monitor
        const resendEvery = rules.find(({ id }) => id === ruleId)?.resendEvery ?? 0
        for (const { channelId, id: entryId, isTold } of entries) {
          if (channelId === null || !isTold) continue
          const message = {
            id: yield* newId("dlv"),
            entryId,
            to: { channelId },
            projectId,
            purpose,
            trace: moment.trace
          }
          changes.deliveries.push(alertMessage(message, notice, trigger, resendEvery))
        }
      })

      const open = Effect.fnUntraced(function* (scene: Scene, { channelIds, condition, rule }: Of<"Open">) {
        const { alerts, changes, moment, monitor } = scene
        const id = yield* newId("alt")
        const entries = yield* newEntries(scene, channelIds.length === 0 ? [null] : channelIds)
        const { severity } = rule
        const about = { alertId: id, rule: { id: rule.id, name: rule.name }, severity, at: moment.at }
        const notice = NoticeBody.opening(subjectOf(monitor), about, condition, moment.evidence)
        const alert: NewAlert = {
          id,
          monitorId: monitor.id,
          source: null,
          resolveAt: null,
          projectId: monitor.projectId,
          ruleId: rule.id,
          trigger: condition.trigger,
          severity,
          about: condition.about,
          step: condition.step,
          startedAt: condition.since,
          at: moment.at,
          notice,
          entries,
          channelIds,
          isAcknowledged: false,
          snoozedUntil: null,
          silence: monitor.silence,
          policyId: rule.escalationPolicyId
        }
        alerts.set(id, alert)
        changes.opened.push(alert)
        yield* notify(scene, alert, entries, "open", notice)
        announce(scene, alert, "triggered", notice.reason)
      })

      const extend = Effect.fnUntraced(function* (
        scene: Scene,
        alert: StoredAlert,
        { channelIds, condition }: Of<"Extend">
      ) {
        const entries = yield* newEntries(scene, channelIds)
        const notice = NoticeBody.extension(alert.notice, condition, alert, scene.moment)
        const all = [...alert.entries, ...entries]
        scene.alerts.set(alert.id, { ...alert, entries: all, channelIds: channelsOf(all) })
        scene.changes.extended.push({ id: alert.id, entries, silence: scene.monitor.silence })
        yield* notify(scene, alert, entries, "open", notice)
        announce(scene, { ...alert, entries }, "triggered", notice.reason)
      })

      const repeat = Effect.fnUntraced(function* (scene: Scene, alert: StoredAlert, { condition }: Of<"Repeat">) {
        const { about, step } = condition
        const isOther = about !== alert.about
        const handled = isOther ? { isAcknowledged: false, snoozedUntil: null } : {}
        scene.alerts.set(alert.id, { ...alert, about, step, ...handled })
        scene.changes.repeated.push({ alertId: alert.id, about, step, isOther })
        // The acknowledgement of one certificate does not apply to the next one.
        const isHandled = !isOther && (alert.isAcknowledged || (alert.snoozedUntil ?? 0) > scene.moment.at)
        if (isHandled || scene.monitor.silence !== null) return
        const notice = NoticeBody.repeat(alert.notice, condition, alert, scene.moment)
        yield* notify(scene, alert, alert.entries, "repeat", notice)
      })

      const close = Effect.fnUntraced(function* (scene: Scene, alert: StoredAlert, { at }: Of<"Close">) {
        const notice = NoticeBody.closing(alert.notice, alert, at, scene.moment)
        end(scene, alert, at, notice)
        const told =
          scene.monitor.silence === null
            ? alert.entries
            : alert.entries.filter(({ channelId }) => hasIncident(scene, channelId))
        yield* notify(scene, alert, told, "close", notice)
        announce(scene, alert, "resolved", notice.reason)
      })

      const apply = (scene: Scene, decision: Decision): Effect.Effect<void> => {
        if (decision._tag === "Open") return open(scene, decision)
        const alert = scene.alerts.get(decision.alert.id)!
        switch (decision._tag) {
          case "Extend":
            return extend(scene, alert, decision)
          case "Repeat":
            return repeat(scene, alert, decision)
          case "Close":
            return close(scene, alert, decision)
          case "Drop":
            return Effect.sync(() => end(scene, alert, scene.moment.at))
        }
      }

      return {
        /** Decides for one moment after the other; each decision takes the earlier ones into account. */
        decide: Effect.fnUntraced(function* (moments: ReadonlyArray<Moment>, context: AlertContext) {
          const changes = noChanges()
          const holds = new Map<MonitorId, DependencyHold.Hold | undefined>()
          const open = new Map<MonitorId, Map<string, StoredAlert>>()
          for (const moment of moments) {
            const monitor = context.monitors.get(moment.monitorId)
            if (monitor === undefined) continue
            const alerts = open.get(monitor.id) ?? new Map(context.open(monitor.id).map((one) => [one.id, one]))
            open.set(monitor.id, alerts)
            const { id, projectId, tags } = monitor
            const { conditions, hold } = DependencyHold.hold(
              context.inMaintenance(id, moment.at) ? suppressed(moment.conditions) : moment.conditions,
              monitor.parents,
              holds.has(id) ? holds.get(id) : monitor.hold,
              moment.at
            )
            holds.set(id, hold)
            const { channelType } = context
            const rules = context.rules(projectId)
            const decisions = decide(id, conditions, rules, [...alerts.values()], context.channels(projectId), tags)
            for (const decision of decisions)
              yield* apply({ monitor, moment, rules, alerts, changes, channelType }, decision)
          }
          for (const [monitorId, hold] of holds) {
            const before = context.monitors.get(monitorId)?.hold
            if (hold !== before && !isDeepStrictEqual(hold, before)) changes.holds.push({ monitorId, hold })
          }
          return changes
        })
      }
    })
}) {
  /** `baseUrl` is where links in notices lead. */
  static readonly layer = (baseUrl: string): Layer.Layer<Alerts, never, Catalogue | SecureRandom.SecureRandom> =>
    Layer.effect(Alerts, Alerts.make(baseUrl))
}

type Of<Tag extends Decision["_tag"]> = Extract<Decision, { readonly _tag: Tag }>

/** A moment of a monitor, with its open alerts after the decisions so far. */
interface Scene {
  readonly monitor: AlertedMonitor
  readonly moment: Moment
  readonly rules: ReadonlyArray<AlertRule>
  readonly alerts: Map<string, StoredAlert>
  readonly changes: CollectedChanges
  readonly channelType: AlertContext["channelType"]
}

const end = ({ alerts, changes }: Scene, alert: StoredAlert, at: EpochMillis, notice?: Notice): void => {
  alerts.delete(alert.id)
  changes.closed.push({ alertId: alert.id, at, ...(notice === undefined ? {} : { notice }) })
  for (const { channelId, id, isTold } of alert.entries) if (channelId !== null && !isTold) changes.untold.push(id)
}

const announce = (
  { changes, moment, monitor }: Scene,
  { entries, monitorId, ruleId, severity, source, trigger }: StoredAlert,
  name: "triggered" | "resolved",
  detail: string
): void => {
  const subject = { projectId: monitor.projectId, ruleId, monitorId, source, trigger, severity }
  changes.events.push(...entries.map((entry): PublicEvent => alertEvent(subject, entry, name, moment.at, detail)))
}
