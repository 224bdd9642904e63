/**
 * From judged steps to what the alert book is to hold: decisions, and the notices that go with them. Runs inside the
 * judging transaction, so it only computes.
 */
import { Catalogue } from "@kanmon/core/PluginHost"
import { Notice } from "@kanmon/core/Notice"
import type { AlertRule, Trigger } from "@kanmon/domain/AlertRule"
import { type Condition, decide, type Decision, suppressed } from "@kanmon/domain/Alerting"
import type { AlertId, ChannelId, MonitorId } from "@kanmon/domain/Ids"
import { type AlertChanged, cloudEventHeaders } from "@kanmon/domain/ServiceEvent"
import * as Subjects from "@kanmon/domain/Subjects"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import {
  type AlertChanges,
  type BookedAlert,
  type BookedEntry,
  type BookedMonitor,
  type Book,
  channelsOf,
  type ExtendedAlert,
  type NewDelivery,
  type OpenedAlert
} from "@kanmon/store/alerts/AlertBook"
import type { OutboxEvent } from "@kanmon/store/outbox/Outbox"
import { Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import * as NoticeBody from "./NoticeBody.ts"

/** One moment at which a monitor's alerts are decided about. */
export interface Moment {
  readonly monitorId: MonitorId
  readonly at: EpochMillis
  readonly conditions: ReadonlyArray<Condition>
  /** What is known of how it came about. */
  readonly evidence: NoticeBody.Evidence
}

export class Alerts extends Context.Service<
  Alerts,
  {
    /** Decides moment by moment, each on what the ones before it left. */
    readonly decide: (moments: ReadonlyArray<Moment>, book: Book) => Effect.Effect<AlertChanges>
  }
>()("@kanmon/engine/alerts/Alerts") {
  /** `baseUrl`: where links in notices lead. */
  static readonly layer = (baseUrl: string): Layer.Layer<Alerts, never, Catalogue | SecureRandom.SecureRandom> =>
    Layer.effect(
      Alerts,
      Effect.gen(function* () {
        const { checks } = yield* Catalogue
        const random = yield* SecureRandom.SecureRandom
        const newId = (prefix: string) => Effect.map(random.ulid, (ulid) => `${prefix}_${ulid.toLowerCase()}`)

        /** What is checked, in a person's words; a stranger's plugin may fail to say it. */
        const targetOf = (monitor: BookedMonitor): string => {
          try {
            const prepared = checks.get(monitor.type)?.prepare(monitor.config)
            return prepared?._tag === "Success" ? prepared.success.target : monitor.name
          } catch {
            return monitor.name
          }
        }

        const subjectOf = (monitor: BookedMonitor): NoticeBody.Subject => ({
          project: { id: monitor.projectId, name: monitor.projectName },
          monitor: { id: monitor.id, name: monitor.name, type: monitor.type, target: targetOf(monitor) },
          link: `${baseUrl}/api/v1/monitors/${monitor.id}`
        })

        const notices = Effect.fnUntraced(function* (
          monitor: BookedMonitor,
          entries: ReadonlyArray<BookedEntry>,
          purpose: NewDelivery["purpose"],
          notice: Notice
        ) {
          const deliveries: Array<NewDelivery> = []
          for (const { channelId, id: entryId } of entries) {
            if (channelId === null) continue
            const id = yield* newId("dlv")
            const own = encode({ ...notice, id })
            deliveries.push({ id, entryId, channelId, projectId: monitor.projectId, purpose, notice: own })
          }
          return deliveries
        })

        const entriesFor = (channelIds: ReadonlyArray<ChannelId | null>) =>
          Effect.forEach(channelIds, (channelId) => Effect.map(newId("alr"), (id): BookedEntry => ({ id, channelId })))

        const open = Effect.fnUntraced(function* (
          monitor: BookedMonitor,
          moment: Moment,
          { channelIds, condition, rule }: Extract<Decision, { readonly _tag: "Open" }>
        ) {
          const id = yield* newId("alt")
          const entries = yield* entriesFor(channelIds.length === 0 ? [null] : channelIds)
          const about = { alertId: id, rule: { id: rule.id, name: rule.name }, at: moment.at }
          const notice = NoticeBody.opening(subjectOf(monitor), about, condition, moment.evidence)
          const alert: OpenedAlert = {
            id,
            monitorId: monitor.id,
            projectId: monitor.projectId,
            ruleId: rule.id,
            trigger: condition.trigger,
            about: condition.about,
            step: condition.step,
            startedAt: condition.since,
            at: moment.at,
            notice: encode(notice),
            entries,
            channelIds
          }
          return { alert, deliveries: yield* notices(monitor, entries, "open", notice), detail: notice.reason }
        })

        return Alerts.of({
          decide: Effect.fnUntraced(function* (moments, book) {
            const opened: Array<OpenedAlert> = []
            const extended: Array<ExtendedAlert> = []
            const repeated: Array<AlertChanges["repeated"][number]> = []
            const closed: Array<AlertChanges["closed"][number]> = []
            const deliveries: Array<NewDelivery> = []
            const events: Array<OutboxEvent> = []
            const standing = new Map<MonitorId, ReadonlyArray<BookedAlert>>()

            for (const moment of moments) {
              const monitor = book.monitors.get(moment.monitorId)
              if (monitor === undefined) continue
              const alerts = new Map((standing.get(monitor.id) ?? book.open(monitor.id)).map((one) => [one.id, one]))
              const event = (alert: BookedAlert, name: "triggered" | "resolved", detail: string) =>
                events.push(...alert.entries.map((entry) => alertEvent(monitor, alert, entry, name, moment.at, detail)))
              const rules = book.rules(monitor.projectId)
              const conditions = book.inMaintenance(monitor.id, moment.at)
                ? suppressed(moment.conditions)
                : moment.conditions
              const channels = book.channels(monitor.projectId)
              for (const decision of decide(monitor.id, conditions, rules, [...alerts.values()], channels)) {
                if (decision._tag === "Open") {
                  const made = yield* open(monitor, moment, decision)
                  alerts.set(made.alert.id, made.alert)
                  opened.push(made.alert)
                  deliveries.push(...made.deliveries)
                  event(made.alert, "triggered", made.detail)
                  continue
                }
                const alert = alerts.get(decision.alert.id)!
                if (decision._tag === "Extend") {
                  const entries = yield* entriesFor(decision.channelIds)
                  const notice = NoticeBody.extension(decodeNotice(alert.notice), decision.condition, alert, moment)
                  deliveries.push(...(yield* notices(monitor, entries, "open", notice)))
                  extended.push({ id: alert.id, entries })
                  event({ ...alert, entries }, "triggered", notice.reason)
                  const all = [...alert.entries, ...entries]
                  alerts.set(alert.id, { ...alert, entries: all, channelIds: channelsOf(all) })
                  continue
                }
                if (decision._tag === "Repeat") {
                  const { condition } = decision
                  const notice = NoticeBody.repeat(decodeNotice(alert.notice), condition, alert, moment)
                  deliveries.push(...(yield* notices(monitor, alert.entries, "repeat", notice)))
                  repeated.push({ alertId: alert.id, about: condition.about, step: condition.step })
                  alerts.set(alert.id, { ...alert, about: condition.about, step: condition.step })
                  continue
                }
                alerts.delete(alert.id)
                closed.push({ alertId: alert.id, at: endOf(decision, moment.at) })
                if (decision._tag === "Close") {
                  const notice = NoticeBody.closing(decodeNotice(alert.notice), alert, decision.at, moment)
                  deliveries.push(...(yield* notices(monitor, alert.entries, "close", notice)))
                  event(alert, "resolved", notice.reason)
                }
              }
              standing.set(monitor.id, [...alerts.values()])
            }
            return { opened, extended, repeated, closed, deliveries, events }
          })
        })
      })
    )
}

const encode = Schema.encodeSync(Notice) as unknown as (notice: Notice) => Schema.JsonObject
const decodeNotice = Schema.decodeUnknownSync(Notice)

const endOf = (decision: Decision, now: EpochMillis): EpochMillis => (decision._tag === "Close" ? decision.at : now)

/** The public event of one history entry. */
export const alertEvent = (
  { projectId }: Pick<BookedMonitor, "projectId">,
  alert: { readonly ruleId: AlertRule["id"]; readonly monitorId: MonitorId; readonly trigger: Trigger },
  entry: BookedEntry,
  name: Subjects.AlertEventName,
  at: EpochMillis,
  detail: string
): OutboxEvent => {
  const alertId = entry.id as AlertId
  const data: typeof AlertChanged.Encoded = {
    alertId,
    projectId,
    ruleId: alert.ruleId,
    monitorId: alert.monitorId,
    channelId: entry.channelId,
    trigger: alert.trigger,
    at: toIso(at),
    detail
  }
  const id = `${alertId}:${name}:${at}`
  return {
    id,
    subject: Subjects.alertEvent(projectId, alertId, name),
    headers: cloudEventHeaders({ id, type: `kanmon.alert.${name}`, subject: alertId, time: at }),
    payload: JSON.stringify(data)
  }
}
