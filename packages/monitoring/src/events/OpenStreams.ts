/** Limits the open event streams per project and account, and closes them when the server stops. */
import type { ProjectId } from "@kanmon/domain/Ids"
import { maxStreams, maxStreamsOfAccount } from "@kanmon/protocol/EventsApi"
import { Problem } from "@kanmon/protocol/Problem"
import { Context, Effect, Latch, Layer, Metric } from "effect"
import { metrics } from "@kanmon/platform/http/HttpMetrics"
import * as Places from "@kanmon/platform/http/Places"

const retryAfter = 30

export class OpenStreams extends Context.Service<OpenStreams>()("@kanmon/monitoring/events/OpenStreams", {
  make: Effect.sync(() => {
    const places = Places.make(retryAfter)
    let open = 0
    const stopping = Latch.makeUnsafe(false)
    const empty = Latch.makeUnsafe(true)
    let stopped = false

    const enter = Effect.fnUntraced(function* (holders: ReadonlyArray<Places.Holder>) {
      if (stopped)
        return yield* new Problem({
          code: "unavailable",
          detail: "The server is about to stop; try again",
          retryAfter: 5
        })
      yield* places.enter(holders)
      empty.closeUnsafe()
      yield* Metric.update(metrics.eventStreams, ++open)
    })

    const leave = Effect.fnUntraced(function* (holders: ReadonlyArray<Places.Holder>) {
      yield* places.leave(holders)
      if (--open === 0) empty.openUnsafe()
      yield* Metric.update(metrics.eventStreams, open)
    })

    return {
      /** Counts a stream against the limits of the project and its account until the scope closes. */
      enter: (projectId: ProjectId, account: string) => {
        const holders = [
          holder("project", projectId, maxStreams),
          holder("account", `account ${account}`, maxStreamsOfAccount)
        ]
        return Effect.acquireRelease(enter(holders), () => leave(holders))
      },
      /** Completes when the server is about to stop, so that streams end. */
      stopping: stopping.await,
      /** Ends all streams, refuses new ones, and returns when all are closed. */
      stop: Effect.suspend(() => {
        stopped = true
        stopping.openUnsafe()
        return empty.await
      })
    }
  })
}) {
  static readonly layer = Layer.effect(OpenStreams, OpenStreams.make)
}

const holder = (whose: string, name: string, limit: number): Places.Holder => ({
  key: name,
  limit,
  refusal: (taken) => `The ${whose} has ${taken} event streams open, of at most ${limit}; close one and try again`
})
