/** Fits the monitors of an account to its plan, in the transaction that changes the plan. The account is locked. */
import { fit } from "@kanmon/domain/PlanFit"
import { Effect, Layer } from "effect"
import { PlanChanged } from "@kanmon/identity/billing"
import { MonitorStateRepository } from "../evaluation/index.ts"
import { TokenRepository } from "../heartbeats/index.ts"
import { MonitorRecordRepository } from "../registry/index.ts"
import { MonitorChanges } from "./MonitorChanges.ts"
import { PlanFittingRepository } from "./PlanFittingRepository.ts"

export const layer = Layer.effect(
  PlanChanged,
  Effect.gen(function* () {
    const repository = yield* PlanFittingRepository
    const records = yield* MonitorRecordRepository
    const states = yield* MonitorStateRepository
    const tokens = yield* TokenRepository
    const monitorChanges = yield* MonitorChanges

    return Effect.fn("PlanFitting.fit")(function* (organizationId, limits, at) {
      // While the account is locked, its monitors cannot be paused, resumed or given another interval, only deleted.
      const all = yield* repository.ofOrganization(organizationId)
      const necessary = fit(all, limits)
      if (necessary.length === 0) return 0
      const left = new Set(yield* states.lock(necessary.map(({ id }) => id)))
      const byId = new Map(all.map((monitor) => [monitor.id, monitor]))
      const changes = necessary.flatMap((change) => {
        const monitor = byId.get(change.id)
        return monitor !== undefined && left.has(change.id) ? [{ change, monitor }] : []
      })
      if (changes.length === 0) return 0

      yield* records.fit(
        changes.map(({ change }) => change),
        at
      )
      yield* tokens.expireDeadlines(changes.map(({ change }) => change.id))
      const turned = (paused: boolean) =>
        changes.flatMap(({ change, monitor }) =>
          change.paused === paused && monitor.paused !== paused ? [change.id] : []
        )
      const [stopped, resumed] = [turned(true), turned(false)]
      if (stopped.length > 0)
        yield* monitorChanges.pause(stopped, at, "The plan has no room for the monitor; it was paused")
      if (resumed.length > 0) yield* monitorChanges.resume(resumed, at)
      yield* monitorChanges.publish(
        changes.map(({ change, monitor }) => {
          const turn = change.paused ? ("paused" as const) : ("resumed" as const)
          const { interval, paused, retryInterval } = monitor
          return {
            monitor,
            names: change.paused === paused ? ["updated"] : ["updated", turn],
            before: { interval, paused, retryInterval },
            after: { interval: change.interval, paused: change.paused, retryInterval: change.retryInterval }
          }
        }),
        at
      )
      return changes.length
    })
  })
).pipe(
  Layer.provide([
    MonitorChanges.layer,
    MonitorRecordRepository.layer,
    MonitorStateRepository.layer,
    PlanFittingRepository.layer,
    TokenRepository.layer
  ])
)
