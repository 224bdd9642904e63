/**
 * The open alerts of monitors: reads the inputs of decisions and stores the results. The caller has locked the states
 * of the monitors, so that no other transaction decides about the same alerts.
 */
import type { Notice } from "@kanmon/core/Notice"
import { idFrom, type MonitorId, type ProjectId } from "@kanmon/domain/Ids"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { MaintenanceWindows } from "../maintenance/index.ts"
import { Outbox } from "@kanmon/platform/outbox/Outbox"
import { Transaction } from "@kanmon/platform/Transaction"
import { DeliveryQueue, type Message } from "../delivery/index.ts"
import * as AlertCancelling from "./AlertCancelling.ts"
import { alertMessage } from "./AlertKind.ts"
import { AlertEscalations, type EscalatedAlert } from "./AlertHooks.ts"
import type { AlertChanges, AlertContext, InsertedAlert } from "./AlertRecords.ts"
import { AlertRepository, type IdleEntry } from "./AlertRepository.ts"
import { HoldRepository } from "./HoldRepository.ts"
import { RuleReviewRepository } from "./RuleReviewRepository.ts"
import { WatchedMonitorRepository } from "./WatchedMonitorRepository.ts"

export class OpenAlerts extends Context.Service<OpenAlerts>()("@kanmon/monitoring/alerts/OpenAlerts", {
  make: Effect.gen(function* () {
    const reviews = yield* RuleReviewRepository
    const watched = yield* WatchedMonitorRepository
    const repository = yield* AlertRepository
    const cancel = yield* AlertCancelling.make
    const holds = yield* HoldRepository
    const maintenance = yield* MaintenanceWindows
    const queue = yield* DeliveryQueue
    const escalations = yield* AlertEscalations
    const outbox = yield* Outbox
    const transaction = yield* Transaction
    const random = yield* SecureRandom.SecureRandom

    /** Reads what decisions about these monitors depend on. Rules and channels cannot be deleted until the transaction ends. */
    const context: (ids: ReadonlyArray<MonitorId>) => Effect.Effect<AlertContext> = Effect.fn("OpenAlerts.context")(
      function* (ids) {
        const now = yield* Clock.currentTimeMillis
        const monitors = new Map((yield* repository.findMonitors(ids, now)).map((monitor) => [monitor.id, monitor]))
        const projectIds = [...new Set([...monitors.values()].map(({ projectId }) => projectId))]
        const rules = Map.groupBy(yield* repository.lockRules(projectIds), ({ projectId }) => projectId)
        const allChannels = yield* repository.lockChannels(projectIds)
        const channels = Map.groupBy(allChannels, ({ projectId }) => projectId)
        const types = new Map(allChannels.map(({ id, type }) => [id, type]))
        const open = Map.groupBy(yield* repository.findOpen(ids), ({ monitorId }) => monitorId)
        const windows = yield* maintenance.between(ids, now - dayMillis, now + dayMillis)
        return {
          monitors,
          rules: (projectId) => rules.get(projectId) ?? [],
          channels: (projectId) => channels.get(projectId)?.map(({ id }) => id) ?? [],
          channelType: (id) => types.get(id),
          open: (monitorId) => open.get(monitorId) ?? [],
          inMaintenance: (monitorId, at) =>
            windows.get(monitorId)?.some(({ from, to }) => at >= from && at < to) ?? false
        }
      }
    )

    /** Stores decisions, queues their deliveries and publishes their events. */
    const save = Effect.fn("OpenAlerts.save")((changes: AlertChanges, at: EpochMillis) =>
      transaction.run(
        Effect.gen(function* () {
          // Closed first, so that an alert of the same rule and trigger can open again in the same batch.
          yield* repository.close(changes.closed, at)
          yield* escalations.ended(changes.closed, at)
          yield* repository.insert(changes.opened, changes.closed, at)
          const begun = [...changes.opened, ...changes.extended]
          yield* repository.insertEntries(begun, noChannels)
          yield* repository.failEntries(changes.untold, silenced)
          yield* repository.repeat(changes.repeated, at)
          const others = changes.repeated.flatMap(({ alertId, isOther }) => (isOther ? alertId : []))
          if (others.length > 0) yield* escalations.reopened(others, at)
          const ended = new Set(changes.closed.map(({ alertId }) => alertId))
          yield* escalations.opened(changes.opened.flatMap((alert) => (ended.has(alert.id) ? [] : escalated(alert))))
          if (changes.holds.length > 0) yield* holds.save(changes.holds)
          yield* queueDeliveries(changes.deliveries, at, new Set(begun.flatMap(({ entries }) => entries.map(idOf))))
          yield* outbox.append(changes.events)
        })
      )
    )

    /** `pending`: entries that are pending already. */
    const queueDeliveries = Effect.fnUntraced(function* (
      deliveries: ReadonlyArray<Message>,
      at: EpochMillis,
      pending: ReadonlySet<string> = new Set()
    ) {
      yield* queue.append(deliveries, at)
      yield* repository.markPending(deliveries.map(({ entryId }) => entryId).filter((id) => !pending.has(id)))
    })

    const deliveryOf = Effect.fnUntraced(function* (
      { channelId, entryId, notice, projectId, resendEvery, trigger }: IdleEntry,
      purpose: Message["purpose"],
      change: Partial<Notice>
    ) {
      const id = idFrom("dlv", yield* random.ulid)
      const message = { to: { channelId }, entryId, projectId, id, purpose }
      return alertMessage(message, { ...notice, ...change }, trigger, resendEvery)
    })

    /** Queues the reminders that are due; returns their number. */
    const remind = transaction
      .run(
        Effect.gen(function* () {
          const at = yield* Clock.currentTimeMillis
          const due = yield* repository.lockDueReminders(at, reminderBatch)
          if (due.length === 0) return 0
          // An entry with a pending last notice gets no second one.
          const idle = yield* repository.findIdleEntries(due)
          const deliveries = yield* Effect.forEach(idle, (entry) => deliveryOf(entry, "repeat", { at, reminder: true }))
          yield* queueDeliveries(deliveries, at)
          yield* repository.markNotified(due, at)
          return deliveries.length
        })
      )
      .pipe(Effect.withSpan("OpenAlerts.remind"))

    /** Queues the openings that a silence kept back and no longer does; returns their number. */
    const release = transaction
      .run(
        Effect.gen(function* () {
          const at = yield* Clock.currentTimeMillis
          const released = yield* repository.lockReleased(at, reminderBatch)
          if (released.length === 0) return 0
          const untold = yield* repository.findUntoldEntries(released)
          yield* repository.markReleased(released)
          const deliveries = yield* Effect.forEach(untold, (entry) => deliveryOf(entry, "open", {}))
          yield* queueDeliveries(deliveries, at)
          yield* repository.markNotified(released, at)
          return deliveries.length
        })
      )
      .pipe(Effect.withSpan("OpenAlerts.release"))

    /**
     * Lets monitors with changed tags join and leave the rules that follow these tags. Alerts of rules that they left
     * close without a notification, and rules that follow any of the tags are reviewed.
     */
    const follow = Effect.fn("OpenAlerts.follow")(function* (
      projectId: ProjectId,
      ids: ReadonlyArray<MonitorId>,
      tags: ReadonlyArray<string>,
      at: EpochMillis
    ) {
      yield* cancel({ _tag: "Left", ids }, at, "The monitor no longer carries a tag of the rule")
      yield* reviews.reviewFollowers(projectId, tags)
    })

    return {
      context,
      save,
      /** Closes the alerts of monitors without a notification. Waiting notifications fail with `reason`. */
      cancel: (ids: ReadonlyArray<MonitorId>, at: EpochMillis, reason: string) =>
        cancel({ _tag: "Monitors", ids }, at, reason),
      /**
       * Takes monitors of a project that are deleted out of its rules. A rule that would be left without monitors and tags keeps them,
       * because it would watch every monitor.
       */
      forget: Effect.fn("OpenAlerts.forget")((projectId: ProjectId, ids: ReadonlyArray<MonitorId>) =>
        watched.forget(projectId, ids)
      ),
      follow,
      remind,
      release
    }
  })
}) {
  static readonly layer = Layer.effect(OpenAlerts, OpenAlerts.make)
}

/** The alert as escalation takes it; none without a policy. */
const escalated = ({ at, id, policyId, projectId, silence }: InsertedAlert): ReadonlyArray<EscalatedAlert> =>
  policyId === null ? [] : [{ id, projectId, policyId, at, isHeld: silence !== null }]

const idOf = ({ id }: { readonly id: string }): string => id

/** Alerts of one transaction of reminders. */
const reminderBatch = 500

/** The error of an entry with an alert that began and ended during a silence. */
const silenced = "Not sent: the alert ended while its monitor was silenced"

/** The error of an entry without a channel. */
const noChannels = "No notification was sent: neither the project nor the rule has a channel"
