/** The signals of a monitor, for those who may read it. */
import type { MonitorId, ProjectId, SignalId } from "@kanmon/domain/Ids"
import { MonitorNotFound } from "@kanmon/domain/NotFound"
import { notFound } from "@kanmon/protocol/Problem"
import { Context, Effect, Layer } from "effect"
import { RegistryRepository } from "../registry/index.ts"
import { type SignalFilter, SignalRepository } from "./SignalRepository.ts"

export class SignalLog extends Context.Service<SignalLog>()("@kanmon/monitoring/heartbeats/SignalLog", {
  make: Effect.gen(function* () {
    const repository = yield* SignalRepository
    const registry = yield* RegistryRepository
    const known = Effect.fnUntraced(function* (projectId: ProjectId, id: MonitorId) {
      if (!(yield* registry.has(projectId, id))) return yield* new MonitorNotFound({ id })
    })

    return {
      /** Signals, newest first, and the place at which the next page begins. */
      list: Effect.fn("SignalLog.list")(function* (projectId: ProjectId, filter: SignalFilter) {
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
      text: Effect.fn("SignalLog.text")(function* (projectId: ProjectId, monitorId: MonitorId, id: SignalId) {
        yield* known(projectId, monitorId)
        const text = yield* repository.findText(monitorId, id)
        return text ?? (yield* notFound("text of a signal"))
      })
    }
  })
}) {
  static readonly layer = Layer.effect(SignalLog, SignalLog.make).pipe(
    Layer.provide([RegistryRepository.layer, SignalRepository.layer])
  )
}
