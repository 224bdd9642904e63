/**
 * The rules of monitors. Every write publishes the new spec and the public event in the same transaction. The plan's limits
 * are checked under a lock on the account, which is taken before any other lock.
 */
import * as TraceContext from "@kanmon/core/TraceContext"
import { OrganizationLock } from "@kanmon/identity/organizations"
import { AuditLog } from "@kanmon/identity/audit"
import { type MonitorId, type ProjectId, type OrganizationId } from "@kanmon/domain/Ids"
import { maxBulk } from "@kanmon/protocol/MonitorBulkBody"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { type FieldError, InvalidFields } from "@kanmon/domain/FieldErrors"
import type { Monitor } from "@kanmon/domain/Monitor"
import { MonitorNotFound } from "@kanmon/domain/NotFound"
import { Clock, Context, Effect, Exit, Layer, type Result } from "effect"
import { Entitlement } from "@kanmon/identity/billing"
import { newSignalToken } from "@kanmon/platform/database/Secrets"
import * as CallCoalescer from "@kanmon/platform/CallCoalescer"
import { Transaction } from "@kanmon/platform/Transaction"
import * as MonitorAudit from "./MonitorAudit.ts"
import { type MonitorChange, MonitorChanges } from "./MonitorChanges.ts"
import type { MonitorCriteria, MonitorFilter } from "./MonitorFilterRepository.ts"
import {
  changed,
  changedTags,
  hasNewRegion,
  isRespecified,
  isUnchanged,
  type MonitorDraft,
  same
} from "./MonitorDraft.ts"
import { DuplicateRepository, type DuplicateTarget } from "./DuplicateRepository.ts"
import { MonitorCreation } from "./MonitorCreation.ts"
import * as MonitorDependencies from "./MonitorDependencies.ts"
import { MonitorStateRepository } from "../evaluation/index.ts"
import { TokenRepository } from "../heartbeats/index.ts"
import { MonitorRecordRepository } from "../registry/index.ts"
import { MonitorRepository } from "./MonitorRepository.ts"
import { SpecRepository } from "../specs/index.ts"

export type { MonitorDraft } from "./MonitorDraft.ts"

/** More than a project can have. */
const maxSelected = 1_000_000

/** Monitors by their ids, or those that fit a filter. */
export interface Selection {
  readonly ids?: ReadonlyArray<MonitorId>
  readonly filter?: MonitorCriteria
}

/** A monitor before and after a change. */
interface WrittenMonitor {
  readonly before: Monitor
  readonly monitor: Monitor
  readonly turn: "paused" | "resumed" | undefined
  /** Probes have to know of it. */
  readonly respecified: boolean
}

export class Monitors extends Context.Service<Monitors>()("@kanmon/monitoring/monitors/Monitors", {
  make: Effect.gen(function* () {
    const repository = yield* MonitorRepository
    const records = yield* MonitorRecordRepository
    const states = yield* MonitorStateRepository
    const tokens = yield* TokenRepository
    const admitDependencies = MonitorDependencies.admitting(records)
    const { create, createMany } = yield* MonitorCreation
    const duplicated = yield* DuplicateRepository
    const organizations = yield* OrganizationLock
    const { find: specs } = yield* SpecRepository
    const changes = yield* MonitorChanges
    const transaction = yield* Transaction
    const audit = yield* AuditLog
    const entitlement = yield* Entitlement

    // Requests that write at the same time share a query.
    const duplicatesOf = yield* CallCoalescer.make({
      limit: maxBulk,
      handle: (_: ProjectId, calls: ReadonlyArray<CallCoalescer.Call<DuplicateTarget>>) =>
        Effect.map(duplicated.find(calls.map(({ input }) => input)), (found) =>
          calls.map(({ input }) => Exit.succeed(found.get(input.id) ?? []))
        )
    })
    /** Other monitors of the project with the same type and target, at most a few. */
    const duplicates = (monitor: DuplicateTarget) => duplicatesOf(monitor.projectId, monitor)

    const list = Effect.fn("Monitors.list")(function* (projectId: ProjectId, filter: MonitorFilter) {
      return yield* repository.list(projectId, filter, yield* Clock.currentTimeMillis)
    })

    const get = Effect.fn("Monitors.get")(function* (projectId: ProjectId, id: MonitorId) {
      const monitor = yield* repository.find(projectId, id, yield* Clock.currentTimeMillis)
      return monitor ?? (yield* new MonitorNotFound({ id }))
    }, spanAbout)

    /** Checks the change of a locked monitor and writes it. `publish` handles the effects. */
    const write = Effect.fnUntraced(function* (
      owner: OrganizationId,
      before: Monitor,
      draft: MonitorDraft,
      at: EpochMillis
    ) {
      const { id } = before
      const { monitor, paced, turn } = changed(before, draft, at)
      const retry = monitor.retryInterval === before.retryInterval ? null : monitor.retryInterval
      if (paced || retry !== null || turn === "resumed") {
        const plan = yield* entitlement.planOf(owner, at)
        if (paced) yield* entitlement.admitInterval(plan, monitor.interval)
        yield* entitlement.admitRetryInterval(plan, retry)
        if (turn === "resumed") yield* entitlement.admitRunning(owner, plan)
      }
      const [dependencies, respecified] = [!same("dependsOn", before, monitor), isRespecified(before, monitor)]
      if (dependencies) yield* admitDependencies(monitor)
      yield* records.update(monitor, draft.writeOnly ?? [], respecified)
      if (dependencies) yield* records.replaceDependencies(id, monitor.dependsOn)
      if (respecified) {
        if (before.signalToken !== null) yield* tokens.expireDeadlines([id])
        if (turn === "paused") yield* changes.pause([id], at, "The monitor was paused")
        if (turn === "resumed") yield* changes.resume([id], at)
        else if (hasNewRegion(before.regions, monitor.regions)) yield* states.awaitQuorum(id, at)
      }
      return { before, monitor, turn, respecified }
    })

    /** The effects of changes to monitors of one project. */
    const publish = Effect.fnUntraced(function* (
      projectId: ProjectId,
      written: ReadonlyArray<WrittenMonitor>,
      at: EpochMillis
    ) {
      const tagged = written.filter(({ before, monitor }) => changedTags(before, monitor).length > 0)
      const tags = new Set(tagged.flatMap(({ before, monitor }) => changedTags(before, monitor)))
      yield* changes.follow(
        projectId,
        tagged.map(({ monitor }) => monitor),
        [...tags],
        at
      )
      const which = (respecified: boolean) =>
        written
          .filter((one) => one.respecified === respecified)
          .map(({ before, monitor, turn }): MonitorChange => ({
            monitor,
            names: turn === undefined ? ["updated"] : ["updated", turn],
            before: MonitorAudit.fieldsOf(before),
            after: MonitorAudit.fieldsOf(monitor)
          }))
      const [noted, respecified] = [which(false), which(true)]
      if (noted.length > 0) yield* changes.announce(noted, at)
      if (respecified.length > 0) yield* changes.publish(respecified, at)
    })

    /**
     * Reads, changes and writes under a row lock, so that concurrent changes both take effect. Pausing and resuming start the
     * status history again. The plan limits the interval and how many monitors may run. A change of nothing but notes leaves
     * probes and the status alone.
     */
    const update = <E>(
      projectId: ProjectId,
      id: MonitorId,
      change: (current: Monitor) => Effect.Effect<MonitorDraft, E>
    ) =>
      Effect.gen(function* () {
        const at = yield* Clock.currentTimeMillis
        return yield* transaction.run(
          Effect.gen(function* () {
            const owner = yield* organizations.holdOwner(projectId)
            const [current] = yield* repository.lock(projectId, [id], at)
            if (current === undefined || owner === undefined) return yield* new MonitorNotFound({ id })
            const written = yield* write(owner, current, yield* change(current), at)
            yield* publish(projectId, [written], at)
            return written.monitor
          })
        )
      }).pipe(TraceContext.about({ monitorId: id, projectId }), Effect.withSpan("Monitors.update"))

    /** The ids that a selection means, in its order. */
    const select = Effect.fnUntraced(function* (projectId: ProjectId, { filter, ids }: Selection, at: EpochMillis) {
      if (ids !== undefined) return [...new Set(ids)]
      const found = yield* repository.select(projectId, filter ?? {}, maxBulk + 1, at)
      if (found.length <= maxBulk) return found
      const message = `Expected a filter that at most ${maxBulk} monitors fit`
      return yield* new InvalidFields({ errors: [{ path: "filter", message }] })
    })

    /** Names the monitors of a selection that the project does not have. */
    const admitFound = Effect.fnUntraced(function* (selection: Selection, locked: ReadonlyArray<Monitor>) {
      const known = new Set<string>(locked.map(({ id }) => id))
      const errors = (selection.ids ?? []).flatMap((id, index): ReadonlyArray<FieldError> =>
        known.has(id) ? [] : [{ path: `ids[${index}]`, message: `This project has no ${id}` }]
      )
      if (errors.length > 0) return yield* new InvalidFields({ errors })
    })

    /**
     * Changes many monitors, all or none of them, and returns them in the order of the selection. Invalid fields name the
     * monitor that they are about; monitors that stay as they are cause no event. At most `maxBulk`. `change` returns a draft
     * for each of the monitors that it gets.
     */
    const updateMany = <E>(
      projectId: ProjectId,
      selection: Selection,
      change: (
        all: ReadonlyArray<Monitor>
      ) => Effect.Effect<ReadonlyArray<Result.Result<MonitorDraft, InvalidFields>>, E>
    ) =>
      Effect.gen(function* () {
        const at = yield* Clock.currentTimeMillis
        const owner = yield* organizations.holdOwner(projectId)
        const ids = yield* select(projectId, selection, at)
        const locked = yield* repository.lock(projectId, ids, at)
        yield* admitFound(selection, locked)
        const after = new Map<MonitorId, Monitor>()
        const written: Array<WrittenMonitor> = []
        const drafts = yield* change(locked)
        for (const [index, current] of locked.entries()) {
          after.set(current.id, current)
          const named = nameItem(selection, current)
          const draft = yield* Effect.mapError(Effect.fromResult(drafts[index]!), named)
          if (owner === undefined || isUnchanged(current, changed(current, draft, at).monitor)) continue
          const one = yield* Effect.mapError(write(owner, current, draft, at), named)
          written.push(one)
          after.set(current.id, one.monitor)
        }
        yield* publish(projectId, written, at)
        return ids.flatMap((id) => after.get(id) ?? [])
      }).pipe(transaction.run, Effect.withSpan("Monitors.updateMany"))

    const removeLocked = Effect.fnUntraced(function* (
      projectId: ProjectId,
      monitors: ReadonlyArray<Monitor>,
      at: EpochMillis
    ) {
      const ids = monitors.map(({ id }) => id)
      if (ids.length === 0) return
      yield* changes.publish(
        monitors.map((monitor) => ({
          monitor,
          names: ["deleted"],
          before: MonitorAudit.fieldsOf(monitor),
          after: undefined
        })),
        at
      )
      yield* changes.dropAlerts(ids, at, "The monitor was deleted")
      yield* changes.leaveRules(projectId, ids)
      yield* states.deleteObservations(ids)
      yield* records.remove(ids)
    })

    const lockForRemoval = (projectId: ProjectId, ids: ReadonlyArray<MonitorId>, at: EpochMillis) =>
      // The states first, in the order in which evaluation takes its locks.
      Effect.andThen(states.lockForRemoval(ids), repository.lockForRemoval(projectId, ids, at))

    const remove = Effect.fn("Monitors.remove")(function* (projectId: ProjectId, id: MonitorId) {
      const at = yield* Clock.currentTimeMillis
      yield* transaction.run(
        Effect.gen(function* () {
          const locked = yield* lockForRemoval(projectId, [id], at)
          if (locked.length === 0) return yield* new MonitorNotFound({ id })
          yield* removeLocked(projectId, locked, at)
        })
      )
    }, spanAbout)

    /** Deletes many monitors, all or none of them; returns their ids. At most `maxBulk`. */
    const removeMany = (projectId: ProjectId, selection: Selection) =>
      Effect.gen(function* () {
        const at = yield* Clock.currentTimeMillis
        const ids = yield* select(projectId, selection, at)
        const locked = yield* lockForRemoval(projectId, ids, at)
        yield* admitFound(selection, locked)
        yield* removeLocked(projectId, locked, at)
        const known = new Set(locked.map(({ id }) => id))
        return ids.filter((id) => known.has(id))
      }).pipe(transaction.run, Effect.withSpan("Monitors.removeMany"))

    /** Gives a passive monitor a new signal token; the old one stops working immediately. */
    const rotateToken = Effect.fn("Monitors.rotateToken")(
      function* (projectId: ProjectId, id: MonitorId) {
        const replaced = yield* tokens.replace(projectId, id, newSignalToken())
        if (!replaced) return yield* new MonitorNotFound({ id })
        const monitor = yield* get(projectId, id)
        yield* audit.record([yield* MonitorAudit.changeOf("monitor.token_rotated", monitor, { before: {}, after: {} })])
        return monitor
      },
      transaction.run,
      spanAbout
    )

    return {
      list,
      /** The ids of all monitors that fit a filter at this moment. */
      selected: (projectId: ProjectId, filter: MonitorCriteria) =>
        Effect.flatMap(Clock.currentTimeMillis, (at) => repository.select(projectId, filter, maxSelected, at)),
      duplicates,
      get,
      create,
      createMany,
      update,
      updateMany,
      remove,
      removeMany,
      rotateToken,
      /** The specs of these monitors; monitors that are not to be checked are left out. */
      specs
    }
  })
}) {
  static readonly layer = Layer.effect(Monitors, Monitors.make).pipe(
    Layer.provide([
      OrganizationLock.layer,
      Entitlement.layer,
      MonitorRecordRepository.layer,
      MonitorRepository.layer,
      MonitorStateRepository.layer,
      TokenRepository.layer,
      DuplicateRepository.layer,
      MonitorChanges.layer
    ])
  )
}

const spanAbout = <A, E, R>(effect: Effect.Effect<A, E, R>, projectId: ProjectId, monitorId: MonitorId) =>
  TraceContext.about({ monitorId, projectId })(effect)

/** Says of invalid fields which monitor of a selection they are about. */
const nameItem =
  ({ ids }: Selection, { id, name }: Monitor) =>
  <E>(error: E | InvalidFields): E | InvalidFields =>
    error instanceof InvalidFields
      ? new InvalidFields({
          errors: error.errors.map(({ message, path }) => ({
            path: ids === undefined ? "filter" : `ids[${ids.indexOf(id)}]`,
            message: `${id} (${name}): ${path === "" ? "" : `${path}: `}${message}`
          }))
        })
      : error
