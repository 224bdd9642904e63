/**
 * Spans of checks, for traces that lead from a check to the notification that it causes. Only with an exporting tracer. A
 * span is created when its check has ended, because its outcome decides whether it is traced.
 */
import * as TraceContext from "@kanmon/core/TraceContext"
import * as Allowance from "@kanmon/domain/Allowance"
import type { Observation } from "@kanmon/domain/Observation"
import { Context, Effect, Exit, Option, Random } from "effect"

export interface CheckSpans {
  /** Exports the span of a check of a monitor type. Returns its `traceparent`; undefined if the check is not traced. */
  readonly record: (observation: Observation, type: string) => string | undefined
  /** The monitor is no longer checked here. */
  readonly forget: (monitorId: string) => void
}

/** Checks of one probe that are traced because of their result. When everything is down, further ones would explain nothing. */
export const maxTraced: Allowance.Rate = { limit: 600, periodMillis: 60_000 }

/**
 * Checks that found a target down or degraded are traced, and so is the first that passes afterwards: they can cause
 * notifications. Beyond `maxTraced`, and of all others, only `share` is traced, from 0 to 1. Undefined without an exporting
 * tracer.
 */
export const make = Effect.fnUntraced(function* (share: number): Effect.fn.Return<CheckSpans | undefined> {
  const tracer = yield* TraceContext.exporting
  if (tracer === undefined) return undefined
  const random = yield* Random.Random
  /** Monitors with a target that was down or degraded in their last check. */
  const failing = new Set<string>()

  let usedUpTo: number | undefined
  const isAllowed = (now: number): boolean => {
    const taken = Allowance.take(usedUpTo, maxTraced, now)
    if (taken._tag === "Allowed") usedUpTo = taken.usedUpTo
    return taken._tag === "Allowed"
  }

  const isTelling = ({ monitorId, status }: Observation): boolean => {
    if (status !== "down" && status !== "degraded") return status === "up" && failing.delete(monitorId)
    failing.add(monitorId)
    return true
  }

  const isTraced = (observation: Observation): boolean =>
    (isTelling(observation) && isAllowed(observation.finishedAt ?? observation.checkedAt)) ||
    random.nextDoubleUnsafe() < share

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
