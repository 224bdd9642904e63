/**
 * What a check found, as it goes into an observation. What plugins say passes through here: numbers that are none and facts
 * that cannot be sent are the plugin's fault and throw; text that a database would refuse is mended, and sizes are bounded.
 */
import type { Facts, Failure, Timing } from "@kanmon/domain/Observation"
import type { RegionStatus } from "@kanmon/domain/Status"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import type { CheckFailed, Passed, Stage } from "./Check.ts"

export interface CheckResult {
  readonly status: RegionStatus
  readonly responseTime: number | null
  readonly timing: Timing
  readonly failure: Failure | null
  readonly facts: Facts
  /** When the check really began, if it had to wait for its turn. */
  readonly checkedAt?: EpochMillis
}

/** Facts beyond this many characters of JSON are left out: an observation has to fit into a message. */
const factsLimit = 32_768
const messageLimit = 1000

export const passed = ({ degraded, facts, responseTime, timing }: Passed): CheckResult => ({
  status: degraded === undefined ? "up" : "degraded",
  responseTime: finite("response time", responseTime),
  timing: finiteTiming(timing),
  failure: degraded === undefined ? null : failure(degraded),
  facts: bounded(facts)
})

export const failed = (found: CheckFailed): CheckResult => ({
  status: found.status,
  responseTime: found.responseTime === undefined ? null : finite("response time", found.responseTime),
  timing: finiteTiming(found.timing),
  failure: failure(found),
  facts: bounded(found.facts)
})

const stageWords: Record<Exclude<Stage, "evaluate">, readonly [code: string, words: string]> = {
  dns: ["dns_timeout", "while looking up its name"],
  connect: ["connect_timeout", "while connecting"],
  tls: ["tls_timeout", "during the TLS handshake"],
  request: ["timeout", "waiting for an answer"],
  download: ["timeout", "while the answer was coming"]
}

export const timedOut = (target: string, stage: Stage, timeoutMillis: number): CheckResult => {
  if (stage === "evaluate") return notEvaluated
  const [code, words] = stageWords[stage]
  return {
    status: "down",
    responseTime: null,
    timing: {},
    failure: failure({ code, message: `${target} took more than ${timeoutMillis / 1000} s, ${words}` }),
    facts: {}
  }
}

/** The check had no turn before the next one was due: nobody looked. */
export const saturated: CheckResult = {
  status: "unknown",
  responseTime: null,
  timing: {},
  failure: { code: "probe_saturated", message: "This probe had no room for the check before the next one was due" },
  facts: {}
}

/** The target answered in time, and the answer was not evaluated in time: nobody knows whether it is good. */
const notEvaluated: CheckResult = {
  status: "unknown",
  responseTime: null,
  timing: {},
  failure: { code: "evaluation_unavailable", message: "This probe had no time to evaluate the target's answer" },
  facts: {}
}

/** The probe's process stood still during the check: nobody knows what came of it. */
export const paused: CheckResult = {
  status: "unknown",
  responseTime: null,
  timing: {},
  failure: { code: "probe_paused", message: "This probe did not run for a while during the check" },
  facts: {}
}

/** The check threw where it should have answered. */
export const byItsOwnFault: CheckResult = {
  status: "unknown",
  responseTime: null,
  timing: {},
  failure: { code: "check_defect", message: "The check failed by its own fault, so nobody knows how the target is" },
  facts: {}
}

const finite = (name: string, value: number): number => {
  if (!Number.isFinite(value))
    throw new TypeError(`The check reported a ${name} that is not a number: ${String(value)}`)
  return value
}

const finiteTiming = (timing: Timing | undefined): Timing => {
  if (timing === undefined) return {}
  for (const stage in timing) {
    const millis = timing[stage as keyof Timing]
    if (millis !== undefined) finite(`time for ${stage}`, millis)
  }
  return timing
}

const failure = ({ code, message }: Failure): Failure => ({
  code: text(code),
  message: text(message.length > messageLimit ? `${message.slice(0, messageLimit)}…` : message)
})

/** PostgreSQL keeps neither NUL nor half a surrogate pair, and what a target says can hold both. */
const text = (value: string): string => value.toWellFormed().replaceAll("\0", "\uFFFD")

/** JSON writes what {@link text} mends as an escape. */
const suspicious = /\\u(?:0000|d[89a-f])/

const bounded = (facts: Facts | undefined): Facts => {
  if (facts === undefined) return {}
  const json = JSON.stringify(facts)
  if (json?.[0] !== "{") throw new TypeError("The check reported facts that are not a JSON object")
  if (json.length > factsLimit) return { truncated: true }
  return suspicious.test(json) ? (mended(JSON.parse(json)) as Facts) : facts
}

const mended = (value: unknown): unknown =>
  typeof value === "string"
    ? text(value)
    : Array.isArray(value)
      ? value.map(mended)
      : typeof value === "object" && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [text(key), mended(inner)]))
        : value
