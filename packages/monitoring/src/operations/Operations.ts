/** Operations as people start, read and stop them. */
import type { AlertActor } from "@kanmon/domain/Alert"
import { nextOperationId, type OperationId, type ProjectId } from "@kanmon/domain/Ids"
import { OperationNotFound } from "@kanmon/domain/NotFound"
import { summaryOf } from "@kanmon/domain/Operation"
import { operationEvent } from "@kanmon/domain/OperationEvents"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { AuditLog } from "@kanmon/identity/audit"
import { CurrentActor } from "@kanmon/platform/CurrentActor"
import type { PageOptions } from "@kanmon/platform/database/Page"
import { Outbox } from "@kanmon/platform/outbox/Outbox"
import { Transaction } from "@kanmon/platform/Transaction"
import type * as MonitorBulkBody from "@kanmon/protocol/MonitorBulkBody"
import { Clock, Context, Effect, Layer, type Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { Monitors } from "../monitors/index.ts"
import { OperationRepository, type StoredOperation } from "./OperationRepository.ts"

const keptDays = 30

type Request = Result.Result.Success<ReturnType<typeof MonitorBulkBody.decodeOperation>>

export class Operations extends Context.Service<Operations>()("@kanmon/monitoring/operations/Operations", {
  make: Effect.gen(function* () {
    const repository = yield* OperationRepository
    const monitors = yield* Monitors
    const audit = yield* AuditLog
    const outbox = yield* Outbox
    const transaction = yield* Transaction
    const random = yield* SecureRandom.SecureRandom

    /** Tells subscribers how far it is; must run in the transaction of the change. */
    const announce = Effect.fnUntraced(function* (operation: StoredOperation, at: EpochMillis) {
      yield* outbox.append([operationEvent(operation, at, yield* random.ulid)])
    })

    /** Fixes which monitors are meant, and leaves the work to a runner. */
    const start = Effect.fn("Operations.start")(function* (
      projectId: ProjectId,
      { action, filter, ids, ...change }: Request,
      createdBy: AlertActor
    ) {
      const at = yield* Clock.currentTimeMillis
      yield* repository.forget(projectId, at - keptDays * dayMillis)
      const selected =
        ids === undefined ? yield* monitors.selected(projectId, { ...filter, tag: filter?.tags }) : [...new Set(ids)]
      const operation: StoredOperation = {
        id: yield* Effect.provideService(nextOperationId, SecureRandom.SecureRandom, random),
        projectId,
        action,
        status: "running",
        total: selected.length,
        done: 0,
        failed: 0,
        failures: [],
        createdBy,
        createdAt: at,
        finishedAt: null
      }
      yield* repository.insert(operation, { change, acting: yield* CurrentActor, ids: selected })
      yield* audit.record([
        {
          action: "operation.started",
          target: { id: operation.id, name: action },
          projectId,
          after: { action, total: selected.length, ...change }
        }
      ])
      yield* announce(operation, at)
      return shown(operation)
    }, transaction.run)

    const get = Effect.fn("Operations.get")(function* (projectId: ProjectId, id: OperationId) {
      const found = yield* repository.find(projectId, id)
      return found === undefined ? yield* new OperationNotFound({ id }) : shown(found)
    })

    const stop = Effect.fn("Operations.stop")(function* (projectId: ProjectId, id: OperationId) {
      const at = yield* Clock.currentTimeMillis
      if ((yield* repository.find(projectId, id)) === undefined) return yield* new OperationNotFound({ id })
      // Waits for the batch that is under way, which has the row.
      const stopped = yield* repository.finish(id, "stopped", at)
      if (stopped === undefined) return yield* get(projectId, id)
      yield* audit.record([
        {
          action: "operation.stopped",
          target: { id, name: stopped.action },
          projectId,
          before: { status: "running" },
          after: { status: "stopped", done: stopped.done, total: stopped.total }
        }
      ])
      yield* announce(stopped, at)
      return shown(stopped)
    }, transaction.run)

    return {
      start,
      get,
      stop,
      announce,
      list: (projectId: ProjectId, options: PageOptions) =>
        Effect.map(repository.list(projectId, options), ({ items, next }) => ({ items: items.map(shown), next }))
    }
  })
}) {
  static readonly layer = Layer.effect(Operations, Operations.make)
}

const shown = (operation: StoredOperation) => ({ ...operation, summary: summaryOf(operation) })
