/**
 * Does the work of operations: a batch of monitors with each transaction, which also notes how far the operation is. So nothing is
 * done twice, and what a process leaves behind when it dies goes on in another one, or after a restart. When a batch is refused,
 * smaller ones find the monitors that are the cause.
 */
import type { MonitorId, OperationId } from "@kanmon/domain/Ids"
import { isNews, nextBatch, type OperationFailure } from "@kanmon/domain/Operation"
import { PaymentGateway } from "@kanmon/identity/billing"
import { CurrentActor } from "@kanmon/platform/CurrentActor"
import { DueWork } from "@kanmon/platform/DueWork"
import { Transaction } from "@kanmon/platform/Transaction"
import * as MonitorBulkBody from "@kanmon/protocol/MonitorBulkBody"
import type { Problem } from "@kanmon/protocol/Problem"
import { Clock, Effect, Layer, Result, Schema } from "effect"
import { Monitors, MonitorVetting, MonitorWrites } from "../monitors/index.ts"
import { RegistryRepository } from "../registry/index.ts"
import { isRunDue, OperationRepository, type OperationWork } from "./OperationRepository.ts"
import { Operations } from "./Operations.ts"

const largestBatch = 100
/** A process that says nothing for so long is taken to be dead. */
const leaseMillis = 15_000
/** Operations of several projects go on beside each other. */
const concurrency = 4
const pauseWhenBusy = "2 seconds"

const { action: _a, filter: _f, ids: _i, ...changeFields } = MonitorBulkBody.operationFields
const decodeChange = Schema.decodeUnknownSync(Schema.Struct(changeFields))

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const repository = yield* OperationRepository
    const { announce } = yield* Operations
    const monitors = yield* Monitors
    const registry = yield* RegistryRepository
    const vetting = yield* MonitorVetting.make
    const transaction = yield* Transaction
    const refusing = MonitorWrites.refusals((yield* PaymentGateway).configured)
    const { watch } = yield* DueWork

    /** Changes or deletes these monitors, all or none. */
    const apply = ({ change, operation: { action, projectId } }: OperationWork, ids: ReadonlyArray<MonitorId>) => {
      if (ids.length === 0) return Effect.void
      if (action === "delete") return Effect.asVoid(monitors.removeMany(projectId, { ids }))
      const wanted = decodeChange(change)
      return Effect.asVoid(
        monitors.updateMany(projectId, { ids }, (all) =>
          vetting.change(projectId, all, ({ tags }) => MonitorBulkBody.changeOf(wanted, tags))
        )
      )
    }

    /** Notes what became of the next monitors; ends the operation after the last. */
    const note = Effect.fnUntraced(function* (
      id: OperationId,
      done: number,
      failures: ReadonlyArray<OperationFailure>
    ) {
      const at = yield* Clock.currentTimeMillis
      const advanced = yield* repository.advance(id, { done, failures }, at + leaseMillis)
      if (advanced === undefined) return true
      const isLast = advanced.done + advanced.failed >= advanced.total
      const operation = isLast ? yield* repository.finish(id, "completed", at) : advanced
      if (operation !== undefined && (isLast || isNews(operation, done + failures.length)))
        yield* announce(operation, at)
      return isLast
    })

    /** The next monitors of an operation in one transaction; true when there is nothing more to do. */
    const batch = (id: OperationId, size: number) =>
      transaction
        .run(
          Effect.gen(function* () {
            const work = yield* repository.lock(id, size)
            if (work === undefined) return true
            const known = yield* registry.existing(work.operation.projectId, work.next)
            const present = work.next.filter((monitorId) => known.has(monitorId))
            yield* Effect.provideService(apply(work, present), CurrentActor, work.acting)
            const missing = work.next.filter((monitorId) => !known.has(monitorId))
            // What was to be deleted is.
            return yield* work.operation.action === "delete"
              ? note(id, work.next.length, [])
              : note(
                  id,
                  present.length,
                  missing.map((monitorId) => ({ monitorId, name: "", message: "The monitor no longer exists" }))
                )
          })
        )
        .pipe(refusing)

    /** Notes that the next monitor was refused. */
    const refuse = (id: OperationId, problem: Problem) =>
      transaction.run(
        Effect.gen(function* () {
          const work = yield* repository.lock(id, 1)
          const monitorId = work?.next[0]
          if (monitorId === undefined) return true
          const name = (yield* registry.namesOf([monitorId])).get(monitorId) ?? ""
          return yield* note(id, 0, [{ monitorId, name, message: wordsOf(problem, monitorId, name) }])
        })
      )

    const run = Effect.fn("OperationRunner.run")(function* (id: OperationId) {
      let size = largestBatch
      for (;;) {
        const result = yield* Effect.result(batch(id, size))
        if (Result.isSuccess(result)) {
          if (result.success) return
          size = nextBatch(size, true, largestBatch)
        } else if (result.failure.code === "unavailable") yield* Effect.sleep(pauseWhenBusy)
        else if (size > 1) size = nextBatch(size, false, largestBatch)
        else if (yield* refuse(id, result.failure)) return
      }
    })

    const claim = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      return yield* repository.claim(now, now + leaseMillis)
    })

    /** Runs operations that no process has, until there is none. */
    const drain = Effect.gen(function* () {
      for (let id = yield* claim; id !== undefined; id = yield* claim) yield* run(id)
    })

    for (let lane = 0; lane < concurrency; lane++) yield* watch(isRunDue, "Running operations", drain)
  })
).pipe(Layer.provide(RegistryRepository.layer))

/** Why a monitor was refused, without the id and the name, which stand beside it. */
const wordsOf = ({ code, detail, errors = [] }: Problem, id: MonitorId, name: string): string => {
  const messages = code === "validation_failed" ? errors.map(({ message }) => message) : [detail]
  const prefix = `${id} (${name}): `
  return messages
    .map((message) => (message.startsWith(prefix) ? message.slice(prefix.length) : message))
    .join("; ")
    .slice(0, 500)
}
