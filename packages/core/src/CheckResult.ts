/**
 * What a check found, as it goes into an observation. What plugins say passes through here: numbers that are none, a status
 * that does not exist and facts that cannot be sent are the plugin's fault and throw; text that a database would refuse is
 * mended, and sizes are bounded. Results hold plain values only: nothing of the plugin's runs when they are read later.
 */
import { type Facts, type Failure, Timing } from "@kanmon/domain/Observation"
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
const codeLimit = 100

export const passed = ({ degraded, facts, responseTime, timing }: Passed): CheckResult => ({
  status: degraded === undefined ? "up" : "degraded",
  responseTime: finite("response time", responseTime),
  timing: finiteTiming(timing),
  failure: degraded === undefined ? null : failure(degraded),
  facts: bounded(facts)
})

export const failed = ({ code, facts, message, responseTime, status, timing }: CheckFailed): CheckResult => {
  // A plugin may have brought its own copy of this package, without types.
  if (status !== "down" && status !== "unknown")
    throw new TypeError("The check failed with a status that does not exist")
  return {
    status,
    responseTime: responseTime === undefined ? null : finite("response time", responseTime),
    timing: finiteTiming(timing),
    failure: failure({ code, message }),
    facts: bounded(facts)
  }
}

const stageWords: Record<Exclude<Stage, "evaluate">, readonly [code: string, words: string]> = {
  dns: ["dns_timeout", "while looking up its name"],
  connect: ["connect_timeout", "while connecting"],
  tls: ["tls_timeout", "during the TLS handshake"],
  request: ["timeout", "waiting for an answer"],
  download: ["timeout", "while the answer was coming"]
}

/** `stage` is what the check announced last, which may be anything: one without words of its own is left out. */
export const timedOut = (target: string, stage: unknown, timeoutMillis: number): CheckResult => {
  if (stage === "evaluate") return notEvaluated
  const known = typeof stage === "string" && Object.hasOwn(stageWords, stage)
  const [code, words] = known ? stageWords[stage as keyof typeof stageWords] : ["timeout", undefined]
  const message = `${target} took more than ${timeoutMillis / 1000} s${words === undefined ? "" : `, ${words}`}`
  return { status: "down", responseTime: null, timing: {}, failure: failure({ code, message }), facts: {} }
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

/** The check threw where it should have answered, or did not come back. */
export const pluginCrashed: CheckResult = {
  status: "unknown",
  responseTime: null,
  timing: {},
  failure: { code: "check_defect", message: "The check crashed, so the target's status is unknown" },
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

const failure = ({ code, message }: Failure): Failure => ({
  code: text(code, codeLimit),
  message: text(message, messageLimit)
})

/** PostgreSQL keeps neither NUL nor half a surrogate pair, and what a target says can hold both. */
const text = (value: unknown, limit: number): string => {
  if (typeof value !== "string") throw new TypeError("The check reported a code or a message that is not text")
  return mendedText(value.length > limit ? `${value.slice(0, limit)}…` : value)
}

const mendedText = (value: string): string => value.toWellFormed().replaceAll("\0", "\uFFFD")

/** JSON writes what {@link mendedText} mends as an escape. */
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
