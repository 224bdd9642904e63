/** The signals of a monitor, for those who may read it. */
import type { MonitorId, ProjectId, SignalId } from "@kanmon/domain/Ids"
import { MonitorNotFound } from "@kanmon/domain/NotFound"
import { notFound, type Problem } from "@kanmon/protocol/Problem"
import type { SignalRecord } from "@kanmon/protocol/SignalsApi"
import { Context, Effect, Layer } from "effect"
import { RegistryRepository } from "../registry/index.ts"
import { type Place, type SignalFilter, SignalRepository } from "./SignalRepository.ts"

type Record = typeof SignalRecord.Type

export class SignalLog extends Context.Service<
  SignalLog,
  {
    /** Signals, newest first, and the place at which the next page begins. */
    readonly list: (
      projectId: ProjectId,
      filter: SignalFilter
    ) => Effect.Effect<{ readonly items: ReadonlyArray<Record>; readonly last: Place | undefined }, MonitorNotFound>
    readonly text: (
      projectId: ProjectId,
      monitorId: MonitorId,
      id: SignalId
    ) => Effect.Effect<string, MonitorNotFound | Problem<"not_found">>
  }
>()("@kanmon/monitoring/heartbeats/SignalLog") {
  static readonly layer = Layer.effect(
    SignalLog,
    Effect.gen(function* () {
      const repository = yield* SignalRepository
      const registry = yield* RegistryRepository
      const known = Effect.fnUntraced(function* (projectId: ProjectId, id: MonitorId) {
        if (!(yield* registry.has(projectId, id))) return yield* new MonitorNotFound({ id })
      })

      return SignalLog.of({
        list: Effect.fn("SignalLog.list")(function* (projectId, filter) {
          yield* known(projectId, filter.monitorId)
          const rows = yield* repository.list({ ...filter, limit: filter.limit + 1 })
          const items = rows.slice(0, filter.limit)
          return {
            items: items.map(({ duration, metrics, ...signal }) => ({
              ...signal,
              metrics: metrics ?? {},
              durationSeconds: duration === null ? null : duration / 1000
            })),
            last: rows.length > filter.limit ? items.at(-1) : undefined
          }
        }),
        text: Effect.fn("SignalLog.text")(function* (projectId, monitorId, id) {
          yield* known(projectId, monitorId)
          const text = yield* repository.findText(monitorId, id)
          return text ?? (yield* notFound("text of a signal"))
        })
      })
    })
  ).pipe(Layer.provide([RegistryRepository.layer, SignalRepository.layer]))
}
