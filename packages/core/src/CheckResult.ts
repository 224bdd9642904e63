/**
 * Validates what a check plugin returned before it becomes part of an observation. Invalid numbers, unknown statuses and
 * facts that are not JSON are the plugin's defect and throw; text that the database would refuse is repaired, and sizes are
 * limited. Results hold plain values only, so that no plugin code runs when they are read later.
 */
import * as Capture from "@kanmon/domain/Capture"
import { bounded as boundedExplanation } from "@kanmon/domain/Explanation"
import { reason } from "@kanmon/domain/Reason"
import { type Facts, type Failure, Timing } from "@kanmon/domain/Observation"
import type { RegionStatus } from "@kanmon/domain/Status"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Option, Schema } from "effect"
import type { CheckFailed, Passed, Stage } from "./Check.ts"

export interface CheckResult {
  readonly status: RegionStatus
  readonly responseTime: number | null
  readonly timing: Timing
  readonly failure: Failure | null
  readonly facts: Facts
  /** The target's response; only for a failed check. */
  readonly capture?: Capture.Capture
  /** When the check actually started, if it was queued. */
  readonly checkedAt?: EpochMillis
}

/** Larger facts (in characters of JSON) are dropped: an observation must fit into a message. */
const factsLimit = 32_768
const messageLimit = 1000
const codeLimit = 100

export const passed = ({ degraded, facts, responseTime, timing }: Passed): CheckResult => ({
  status: degraded === undefined ? "up" : "degraded",
  responseTime: finite("response time", responseTime),
  timing: finiteTiming(timing),
  failure: degraded === undefined ? null : failure(degraded),
  facts: bounded(facts)
})

export const failed = ({
  capture,
  code,
  explanation,
  facts,
  message,
  responseTime,
  status,
  timing
}: CheckFailed): CheckResult => {
  // A plugin may use its own copy of this package, without type checks.
  if (status !== "down" && status !== "unknown")
    throw new TypeError("The check failed with a status that does not exist")
  return {
    status,
    responseTime: responseTime === undefined ? null : finite("response time", responseTime),
    timing: finiteTiming(timing),
    failure: failure({ code, message, explanation }),
    facts: bounded(facts),
    ...(status === "down" ? captured(capture) : {})
  }
}

/** A capture that is not one is left out: it explains a failure, and must not hide it. */
export const captured = (value: unknown): { readonly capture?: Capture.Capture } => {
  if (value === undefined) return {}
  try {
    return Option.match(decodeCapture(value), {
      onNone: () => ({}),
      onSome: (capture) => ({ capture: Capture.bounded(capture) })
    })
  } catch {
    return {}
  }
}

/** Its shape, of any size. */
const decodeCapture = Schema.decodeUnknownOption(Capture.Unbounded)

const timeoutCodes: Record<Exclude<Stage, "evaluate">, string> = {
  dns: "dns_timeout",
  connect: "connect_timeout",
  tls: "tls_timeout",
  request: "timeout",
  download: "timeout"
}

/** `stage` is what the check announced last and may be any value; unknown ones are left out. */
export const timedOut = (target: string, stage: unknown, timeoutMillis: number): CheckResult => {
  if (stage === "evaluate") return notEvaluated
  const known =
    typeof stage === "string" && Object.hasOwn(timeoutCodes, stage) ? (stage as keyof typeof timeoutCodes) : undefined
  const words = reason("took_too_long", { target, seconds: timeoutMillis / 1000, stage: known })
  const code = known === undefined ? "timeout" : timeoutCodes[known]
  return { status: "down", responseTime: null, timing: {}, failure: failure({ code, ...words }), facts: {} }
}

/** The check was still queued when the next one was due. */
export const saturated: CheckResult = {
  status: "unknown",
  responseTime: null,
  timing: {},
  failure: { code: "probe_saturated", ...reason("probe_saturated", {}) },
  facts: {}
}

/** The target answered in time, but the answer was not evaluated in time. */
const notEvaluated: CheckResult = {
  status: "unknown",
  responseTime: null,
  timing: {},
  failure: { code: "evaluation_unavailable", ...reason("evaluation_unavailable", {}) },
  facts: {}
}

/** The probe's process was suspended during the check, so the result is unknown. */
export const paused: CheckResult = {
  status: "unknown",
  responseTime: null,
  timing: {},
  failure: { code: "probe_paused", ...reason("probe_paused", {}) },
  facts: {}
}

/** The check threw or did not return. */
export const pluginCrashed: CheckResult = {
  status: "unknown",
  responseTime: null,
  timing: {},
  failure: { code: "check_defect", ...reason("check_crashed", {}) },
  facts: {}
}

const finite = (name: string, value: number): number => {
  if (!Number.isFinite(value)) throw new TypeError(`The check reported a ${name} that is not a number`)
  return value
}

const stages = Object.keys(Timing.fields) as ReadonlyArray<keyof Timing>

const finiteTiming = (timing: Timing | undefined): Timing => {
  const millis: Partial<Record<keyof Timing, number>> = {}
  if (timing === undefined) return millis
  for (const stage of stages) {
    const value = timing[stage]
    if (value !== undefined) millis[stage] = finite(`time for ${stage}`, value)
  }
  return millis
}

const failure = ({
  code,
  explanation,
  message
}: Pick<Failure, "code" | "message"> & { readonly explanation?: unknown }): Failure => {
  const known = explanation === undefined ? undefined : boundedExplanation(explanation, mendedText)
  return {
    code: text(code, codeLimit),
    message: text(message, messageLimit),
    ...(known === undefined ? {} : { explanation: known })
  }
}

/** PostgreSQL stores neither NUL nor half a surrogate pair; a target's answer may contain both. */
const text = (value: unknown, limit: number): string => {
  if (typeof value !== "string") throw new TypeError("The check reported a code or a message that is not text")
  return mendedText(value.length > limit ? `${value.slice(0, limit)}…` : value)
}

const mendedText = (value: string): string => value.toWellFormed().replaceAll("\0", "\uFFFD")

/** In JSON, characters that {@link mendedText} replaces are escaped. */
const suspicious = /\\u(?:0000|d[89a-f])/

const bounded = (facts: Facts | undefined): Facts => {
  if (facts === undefined) return {}
  const json = JSON.stringify(facts)
  if (json?.[0] !== "{") throw new TypeError("The check reported facts that are not a JSON object")
  if (json.length > factsLimit) return { truncated: true }
  const plain = JSON.parse(json) as Facts
  return suspicious.test(json) ? (mended(plain) as Facts) : plain
}

const mended = (value: unknown): unknown =>
  typeof value === "string"
    ? mendedText(value)
    : Array.isArray(value)
      ? value.map(mended)
      : typeof value === "object" && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [mendedText(key), mended(inner)]))
        : value
