/**
 * Spans of checks, for traces that lead from a check to the notification that it causes. Only with an exporting tracer. A
 * span is created when its check has ended, because its outcome decides whether it is traced.
 */
import * as TraceContext from "@kanmon/core/TraceContext"
import type { Observation } from "@kanmon/domain/Observation"
import { Context, Effect, Exit, Option, Random } from "effect"

export interface CheckSpans {
  /** Exports the span of a check of a monitor type. Returns its `traceparent`; undefined if the check is not traced. */
  readonly record: (observation: Observation, type: string) => string | undefined
  /** The monitor is no longer checked here. */
  readonly forget: (monitorId: string) => void
}

/**
 * Checks that found a target down or degraded are traced, and so is the first that passes afterwards: they can cause
 * notifications. Of all others only `share` is traced, from 0 to 1. Undefined without an exporting tracer.
 */
export const make = Effect.fnUntraced(function* (share: number): Effect.fn.Return<CheckSpans | undefined> {
  const tracer = yield* TraceContext.exporting
  if (tracer === undefined) return undefined
  const random = yield* Random.Random
  /** Monitors whose last check found the target down or degraded. */
  const failing = new Set<string>()

  const isTraced = ({ monitorId, status }: Observation): boolean => {
    if (status === "down" || status === "degraded") {
      failing.add(monitorId)
      return true
    }
    return (status === "up" && failing.delete(monitorId)) || random.nextDoubleUnsafe() < share
  }

  return {
    record: (observation, type) => {
      if (!isTraced(observation)) return undefined
      const { checkedAt, failure, finishedAt, scheduledAt, status } = observation
      const span = tracer.span({
        name: "Check.run",
        parent: Option.none(),
        annotations: Context.empty(),
        links: [],
        startTime: nanos(checkedAt),
        kind: "client",
        root: true,
        sampled: true
      })
      const attributes = { ...TraceContext.attributesOf(observation), "kanmon.check.type": type }
      for (const [name, value] of Object.entries(attributes)) span.attribute(name, value)
      span.attribute("kanmon.check.status", status)
      span.attribute("kanmon.check.delay_ms", checkedAt - scheduledAt)
      if (failure !== null) span.attribute("kanmon.check.failure", failure.code)
      span.end(nanos(finishedAt ?? checkedAt), status === "down" ? Exit.fail(failure?.message ?? status) : Exit.void)
      return span.sampled ? TraceContext.write(span) : undefined
    },
    forget: (monitorId) => void failing.delete(monitorId)
  }
})

const nanos = (millis: number): bigint => BigInt(Math.round(millis)) * 1_000_000n
