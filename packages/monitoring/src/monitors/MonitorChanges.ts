/**
 * Effects of every change of monitors: new specs for the probes, public events, audit log entries, and a status history that restarts on pause
 * and resume. Runs inside the transaction of the change.
 */
import type { AuditAction } from "@kanmon/domain/AuditEntry"
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import type { Monitor } from "@kanmon/domain/Monitor"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { OpenAlerts } from "../alerts/index.ts"
import { MonitorStateRepository } from "../evaluation/index.ts"
import { MaintenanceSchedule } from "../maintenance/index.ts"
import { monitorEvent } from "@kanmon/domain/MonitorEvents"
import { AuditLog } from "@kanmon/identity/audit"
import { Outbox } from "@kanmon/platform/outbox/Outbox"
import { SpecUpdates } from "../specs/index.ts"
import * as MonitorAudit from "./MonitorAudit.ts"

/** A monitor and what happened to it. */
export interface MonitorChange {
  readonly monitor: Pick<Monitor, "id" | "projectId" | "name" | "type">
  readonly names: ReadonlyArray<Parameters<typeof monitorEvent>[1]>
  /** The user's fields for the audit log, before and after. Undefined before a creation and after a deletion. */
  readonly before: object | undefined
  readonly after: object | undefined
}

/** Pausing and resuming say more than that something was updated. */
const actionOf = ({ names }: MonitorChange): AuditAction => {
  const name = auditedNames.find((one) => names.includes(one)) ?? "updated"
  return `monitor.${name}`
}
const auditedNames = ["created", "deleted", "paused", "resumed"] as const

export class MonitorChanges extends Context.Service<MonitorChanges>()("@kanmon/monitoring/monitors/MonitorChanges", {
  make: Effect.gen(function* () {
    const alerts = yield* OpenAlerts
    /** Closes the alerts of these monitors without a notification, and cancels pending ones. */
    const dropAlerts = alerts.cancel
    const maintenance = yield* MaintenanceSchedule
    const states = yield* MonitorStateRepository
    const outbox = yield* Outbox
    const specs = yield* SpecUpdates
    const audit = yield* AuditLog
    const random = yield* SecureRandom.SecureRandom

    /** Subscribers first, then the audit log. */
    const record = Effect.fnUntraced(function* (changes: ReadonlyArray<MonitorChange>, at: EpochMillis) {
      const events = yield* Effect.forEach(
        changes.flatMap(({ monitor, names }) => names.map((name) => ({ monitor, name }))),
        ({ monitor, name }) => Effect.map(random.ulid, (id) => monitorEvent(monitor, name, at, id))
      )
      yield* outbox.append(events)
      yield* Effect.flatMap(
        Effect.forEach(changes, (change) => MonitorAudit.changeOf(actionOf(change), change.monitor, change)),
        audit.record
      )
    })

    /** Publishes changes that do not concern probes to subscribers. */
    const announce = (changes: ReadonlyArray<MonitorChange>, at: EpochMillis) => outbox.together(record(changes, at))

    /** Publishes changes to probes and subscribers. */
    const publish = Effect.fn("MonitorChanges.publish")(function* (
      changes: ReadonlyArray<MonitorChange>,
      at: EpochMillis
    ) {
      const ids = changes.map(({ monitor }) => monitor.id)
      // A new interval or timeout changes when the monitor becomes stale. A new monitor has its time already.
      const changed = changes.filter(({ names }) => !names.includes("created"))
      if (changed.length > 0)
        yield* states.checkStaleness(
          changed.map(({ monitor }) => monitor.id),
          at
        )
      // The probes first. One statement for the outbox, because the account is locked meanwhile.
      yield* outbox.together(Effect.andThen(specs.append(ids), record(changes, at)))
    })

    /**
     * Lets monitors of a project with changed tags join and leave rules and maintenance windows that follow these tags.
     * Rules decide how often a failed check is repeated, so probes get the specs again.
     */
    const follow = Effect.fn("MonitorChanges.follow")(function* (
      projectId: ProjectId,
      monitors: ReadonlyArray<Pick<Monitor, "id" | "retryInterval">>,
      tags: ReadonlyArray<string>,
      at: EpochMillis
    ) {
      if (tags.length === 0) return
      const ids = monitors.map(({ id }) => id)
      yield* alerts.follow(projectId, ids, tags, at)
      yield* maintenance.follow(projectId, tags, at)
      yield* specs.append(monitors.flatMap(({ id, retryInterval }) => (retryInterval === null ? [] : [id])))
    })

    return {
      follow,
      announce,
      publish,
      /** Starts the status history of these monitors again as pending. */
      resume: (ids: ReadonlyArray<MonitorId>, at: EpochMillis) => states.restart(ids, "pending", at),
      /** Ends the status history of these monitors in a pause, and closes their alerts without a notification. */
      pause: (ids: ReadonlyArray<MonitorId>, at: EpochMillis, reason: string) =>
        Effect.andThen(states.restart(ids, "paused", at), dropAlerts(ids, at, reason)),
      dropAlerts,
      /** Takes monitors of a project that are deleted out of its alert rules. */
      leaveRules: alerts.forget
    }
  })
}) {
  static readonly layer = Layer.effect(MonitorChanges, MonitorChanges.make).pipe(
    Layer.provide(MonitorStateRepository.layer)
  )
}
