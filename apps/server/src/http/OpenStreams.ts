/** Event streams that are open in this process: so many for each project and account, and none when the server stops. */
import type { ProjectId } from "@kanmon/domain/Ids"
import { Problem } from "@kanmon/protocol/Problem"
import { Context, Effect, Latch, Layer, Metric, type Scope } from "effect"
import { metrics } from "./HttpMetrics.ts"
import * as Places from "./Places.ts"

/** Most streams of one project, and of all projects of an account. */
export const mostStreams = 20
export const mostStreamsOfAccount = 50

const retryAfter = 30

export class OpenStreams extends Context.Service<
  OpenStreams,
  {
    /** Takes one of the places of the project and of its account until the scope closes. */
    readonly enter: (projectId: ProjectId, account: string) => Effect.Effect<void, Problem, Scope.Scope>
    /** Returns when the server is about to stop: time to end the stream. */
    readonly stopping: Effect.Effect<void>
    /** Says so to every stream, lets nobody in any more, and returns when all have left. */
    readonly stop: Effect.Effect<void>
  }
>()("@kanmon/server/OpenStreams") {
  static readonly layer = Layer.effect(
    OpenStreams,
    Effect.sync(() => {
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

      return OpenStreams.of({
        enter: (projectId, account) => {
          const holders = [
            holder("project", projectId, mostStreams),
            holder("account", `account ${account}`, mostStreamsOfAccount)
          ]
          return Effect.acquireRelease(enter(holders), () => leave(holders))
        },
        stopping: stopping.await,
        stop: Effect.suspend(() => {
          stopped = true
          stopping.openUnsafe()
          return empty.await
        })
      })
    })
  )
}

const holder = (whose: string, name: string, limit: number): Places.Holder => ({
  name,
  limit,
  refusal: (taken) => `The ${whose} has ${taken} event streams open, and may have ${limit}; close one, then try again`
})
