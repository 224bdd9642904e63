/** Which projects have event streams open in this process: so many and no more, and none when the server stops. */
import type { ProjectId } from "@kanmon/domain/Ids"
import { Problem } from "@kanmon/protocol/Problem"
import { Context, Effect, Latch, Layer, Metric, type Scope } from "effect"
import { metrics } from "./HttpMetrics.ts"

/** Most streams of one project. */
export const mostStreams = 20

const retryAfter = 30

export class OpenStreams extends Context.Service<
  OpenStreams,
  {
    /** Takes one of the project's places until the scope closes. */
    readonly enter: (projectId: ProjectId) => Effect.Effect<void, Problem, Scope.Scope>
    /** Returns when the server is about to stop: time to end the stream. */
    readonly stopping: Effect.Effect<void>
    /** Says so to every stream, lets nobody in any more, and returns when all have left. */
    readonly stop: Effect.Effect<void>
  }
>()("@kanmon/server/OpenStreams") {
  static readonly layer = Layer.effect(
    OpenStreams,
    Effect.sync(() => {
      const open = new Map<ProjectId, number>()
      let all = 0
      const stopping = Latch.makeUnsafe(false)
      const empty = Latch.makeUnsafe(true)
      let stopped = false

      const enter = Effect.fnUntraced(function* (projectId: ProjectId) {
        if (stopped)
          return yield* new Problem({
            code: "unavailable",
            detail: "The server is about to stop; try again",
            retryAfter: 5
          })
        const count = open.get(projectId) ?? 0
        if (count >= mostStreams)
          return yield* new Problem({
            code: "rate_limited",
            detail: `The project has ${count} event streams open, and may have ${mostStreams}; close one, then try again`,
            retryAfter
          })
        open.set(projectId, count + 1)
        empty.closeUnsafe()
        yield* Metric.update(metrics.eventStreams, ++all)
      })

      const leave = (projectId: ProjectId) =>
        Effect.suspend(() => {
          const rest = open.get(projectId)! - 1
          if (rest > 0) open.set(projectId, rest)
          else open.delete(projectId)
          if (open.size === 0) empty.openUnsafe()
          return Metric.update(metrics.eventStreams, --all)
        })

      return OpenStreams.of({
        enter: (projectId) => Effect.acquireRelease(enter(projectId), () => leave(projectId)),
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
