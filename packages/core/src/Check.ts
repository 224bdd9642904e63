/**
 * The contract of a check plugin: a pure description and one attempt.
 *
 * The host calls `run` once per slot of a monitor's schedule, and never concurrently for one monitor. A check makes one
 * attempt; timeouts, schedules, retries and concurrency belong to the host, which interrupts `run` at the monitor's timeout
 * and reports the stage that the check announced last. Any failure of `run` other than `CheckFailed` is a defect: it
 * restarts the monitor's actor and does not report the target as down.
 */
import type { Capture } from "@kanmon/domain/Capture"
import type { Explanation } from "@kanmon/domain/Explanation"
import { reason } from "@kanmon/domain/Reason"
import type { Facts, Timing } from "@kanmon/domain/Observation"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { type FieldError, InvalidFields, strictDecoder, fieldErrors } from "@kanmon/domain/FieldErrors"
import { type Effect, Result, Schema } from "effect"
import type { BoundedEvaluator } from "./BoundedEvaluator.ts"
import type { ConfigSchema, StructOf } from "./ConfigSchema.ts"
import type { Dialer } from "./Dialer.ts"
import type { Resolver } from "./Resolver.ts"
import type { Stage } from "./Stage.ts"
import { titleOf } from "./TypeTitle.ts"

export type { Stage } from "./Stage.ts"

/** The host's data for one attempt. */
export interface Attempt {
  /** The region of this probe. */
  readonly region: string
  /**
   * Announces a stage. Cheap: call it as often as needed. A timeout in any other stage is reported without naming one.
   * `evaluate` comes after the target's complete answer; from then on the monitor's timeout no longer makes it `down`.
   */
  readonly stage: (stage: Stage) => void
  /**
   * Announces what the target has answered so far, so that a timeout keeps it: the host asks for the capture only then, and
   * waits for it a second at most. Undefined takes the announcement back. Absent where no captures are kept.
   */
  readonly answered?: (capture: Effect.Effect<Capture> | undefined) => void
}

/** The services a check may use: the network only through the host's policy, and users' patterns only within limits. */
export type Capabilities = Dialer | Resolver | BoundedEvaluator

/** The target passed. */
export interface Passed {
  /** Milliseconds. */
  readonly responseTime: number
  readonly timing?: Timing
  /** Plain JSON for display and further rules: `statusCode`, `certificate`, `records`… */
  readonly facts?: Facts
  /** The target passed with a problem; `message` describes it, and `explanation` is as in {@link CheckFailed}. */
  readonly degraded?: {
    readonly code: string
    readonly message: string
    readonly explanation?: Explanation | undefined
  }
}

/**
 * The target did not pass (`down`), or could not be checked (`unknown`: the probe's own resolver, egress or file
 * descriptors failed). `message` is one sentence for the person on call and must not contain secrets of the configuration.
 * Without `explanation` it is shown as it is, in every language.
 */
export class CheckFailed extends Schema.TaggedError<CheckFailed>()("CheckFailed", {
  status: Schema.Literals(["down", "unknown"]),
  /** Stable, snake_case: `connect_refused`, `status_mismatch`… */
  code: Schema.String,
  message: Schema.String,
  /** The message as a code of Kanmon's own reasons and its parameters: `reason` of `@kanmon/domain/Reason` makes both. */
  explanation: Schema.optional(Schema.Any),
  responseTime: Schema.optionalKey(Schema.Finite),
  timing: Schema.optionalKey(Schema.Any),
  facts: Schema.optionalKey(Schema.Any),
  /** The target's response, without secrets of the configuration. The host limits its size; it may drop it. */
  capture: Schema.optionalKey(Schema.Any)
}) {
  declare readonly explanation?: Explanation | undefined
  declare readonly timing?: Timing
  declare readonly facts?: Facts
  declare readonly capture?: Capture
}

/** The check of one monitor with its decoded configuration. */
export interface Prepared {
  /** The target host, for the limit on concurrent checks per host. */
  readonly host: string
  /** Names and addresses that the network policy must allow for a check to pass; defaults to the host. */
  readonly reaches?: () => ReadonlyArray<string>
  /** The target in a form users recognise (a URL, `host:port`), without secrets. */
  readonly target: string
  readonly run: (attempt: Attempt) => Effect.Effect<Passed, CheckFailed, Capabilities>
}

/** The state of a passive monitor when its deadline is computed. */
export interface Expectation {
  /** Seconds. */
  readonly interval: number
  /** The newest signal that ended a run, or the deadline missed last; null before the first. */
  readonly lastSignal: EpochMillis | null
  /** Whether `lastSignal` is no signal but a deadline that was missed or excused, or when the monitor was resumed. */
  readonly isMissed?: boolean
  /** When it was created, or resumed before its first signal. */
  readonly createdAt: EpochMillis
  /** When the newest running job started; null when none is running. */
  readonly startedAt: EpochMillis | null
}

/** A passive monitor with its decoded configuration. Must be pure and cheap, because it is called for every signal. */
export interface PreparedPassive {
  /** When the monitor is overdue without a signal; null when it has no deadline. */
  readonly overdueAt: (expected: Expectation) => EpochMillis | null
  /**
   * Why a success signal counts as a failure, by its metrics and by what the job said: the text that is kept of its body and its
   * message, at most some 200 kB, empty when there was none. Undefined when it does not.
   */
  readonly objection: (metrics: Readonly<Record<string, number>>, said: string) => Objection | undefined
}

/** Why a success signal counts as a failure. */
export interface Objection {
  readonly status: "degraded" | "down"
  readonly code: string
  readonly message: string
  /** As in {@link CheckFailed}. */
  readonly explanation?: Explanation | undefined
}

/**
 * How a kind supports inverted monitors, which are up while their check fails. The host inverts results, including
 * timeouts.
 */
export interface Inversion {
  /** The boolean field that inverts a monitor. */
  readonly field: string
  /** Failure codes that do not prove that the target fails: the monitor stays down. */
  readonly inconclusive?: ReadonlyArray<string>
}

/**
 * The part of a validation with a cost that depends on user input: patterns to compile, keys to open. The host runs it
 * in the bounded evaluator, once for all the configurations of a request, so that a request of any size has one budget
 * of CPU time. It accepts exactly the input that `normalize` accepts.
 */
export interface Vetting {
  /** The module's URL, as for an {@link Evaluation}. It is imported in a process that has none of the host's state. */
  readonly module: string
  /**
   * The input to examine from the fields of a configuration, which may be invalid otherwise; undefined for nothing.
   * Cheap. It is copied to another process, so it is data.
   */
  readonly of: (fields: Readonly<Record<string, unknown>>) => object | undefined
  /** The invalid fields of each thing that `of` returns. A function that the module exports under its own name. */
  function(all: ReadonlyArray<object>, input: null): ReadonlyArray<ReadonlyArray<FieldError>>
}

/** A check kind as the host uses it, without the type of its configuration. */
export interface Check {
  readonly kind: "check"
  /** The monitor `type` of its checks: lower-case letters, digits and dashes. */
  readonly type: string
  /** Its display name, such as `Redis`; by default the type in words. */
  readonly title: string
  /** One sentence for the list of types. */
  readonly summary: string
  /** The fields of this type in addition to the common ones. Their descriptions are shown to users. */
  readonly config: ConfigSchema
  /** A valid configuration, used in the documentation and by the contract suite. */
  readonly example: Schema.JsonObject
  /** Fields that must not be logged. */
  readonly secrets: ReadonlyArray<string>
  /** Secret fields that are stored encrypted, and that the API masks in answers. */
  readonly writeOnly?: ReadonlyArray<string>
  /** Fields that decide where write-only ones are sent: a kept secret is refused when their origin changes. */
  readonly destination?: ReadonlyArray<string>
  readonly defaults: {
    /** Seconds. */
    readonly timeout: number
  }
  /** Present if monitors of this kind can be inverted. */
  readonly inversion?: Inversion
  /**
   * Strictly decodes a configuration; every invalid field is reported. Returns what is stored and shown. Its cost depends on
   * what is in there if the kind has a `vetting`.
   */
  readonly normalize: (config: unknown) => Result.Result<Schema.JsonObject, InvalidFields>
  /** Present for kinds with costly validation: `normalize` without it is cheap. */
  readonly vetting?: Vetting & Pick<Check, "normalize">
  /** Decodes a stored configuration into a runnable check. */
  readonly prepare: (config: unknown) => Result.Result<Prepared, InvalidFields>
  /** Present for kinds that wait for signals; no probe runs them. */
  readonly passive?: (config: unknown) => Result.Result<PreparedPassive, InvalidFields>
}

/** Defines a check kind. `config` is a struct because its fields are flat in the monitor. */
export const define = <const Fields extends Schema.Struct.Fields>(options: {
  readonly type: string
  readonly title?: string
  readonly summary: string
  readonly config: StructOf<Fields>
  readonly example: Schema.Struct<Fields>["Encoded"]
  readonly secrets?: ReadonlyArray<string>
  readonly writeOnly?: ReadonlyArray<string>
  readonly destination?: ReadonlyArray<string>
  readonly defaults: { readonly timeout: number }
  readonly inversion?: Inversion & { readonly field: keyof Fields }
  /** Rules across fields; each returned row names its field. */
  readonly validate?: (config: Schema.Struct<Fields>["Type"]) => ReadonlyArray<FieldError>
  /** Rules that take time: see {@link Vetting}. Stored configurations have passed them. */
  readonly vetting?: Vetting
  readonly host: (config: Schema.Struct<Fields>["Type"]) => string
  readonly reaches?: (config: Schema.Struct<Fields>["Type"]) => ReadonlyArray<string>
  readonly target: (config: Schema.Struct<Fields>["Type"]) => string
  readonly run: (
    config: Schema.Struct<Fields>["Type"],
    attempt: Attempt
  ) => Effect.Effect<Passed, CheckFailed, Capabilities>
}): Check => {
  type Config = Schema.Struct<Fields>["Type"]
  const decodeFields = strictDecoder(options.config)
  const encode = Schema.encodeUnknownResult(options.config)
  const decode = (input: unknown): Result.Result<Config, InvalidFields> =>
    Result.flatMap(decodeFields(input), (config) => {
      const errors = options.validate?.(config) ?? []
      return errors.length === 0 ? Result.succeed(config) : Result.fail(new InvalidFields({ errors }))
    })
  const normalize: Check["normalize"] = (input) =>
    Result.flatMap(decode(input), (config) =>
      Result.mapError(encode(config), (error) => new InvalidFields({ errors: fieldErrors(error.issue) }))
    )
  const { vetting } = options
  return {
    kind: "check",
    type: options.type,
    title: options.title ?? titleOf(options.type),
    summary: options.summary,
    config: options.config,
    example: options.example as Schema.JsonObject,
    secrets: options.secrets ?? [],
    writeOnly: options.writeOnly ?? [],
    destination: options.destination ?? [],
    defaults: options.defaults,
    ...(options.inversion === undefined ? {} : { inversion: options.inversion }),
    normalize: vetting === undefined ? normalize : (input) => vetted(normalize(input), examined(vetting, input)),
    ...(vetting === undefined ? {} : { vetting: { ...vetting, normalize } }),
    prepare: (input) =>
      Result.map(decode(input), (config) => ({
        host: options.host(config),
        ...(options.reaches === undefined ? {} : { reaches: () => options.reaches!(config) }),
        target: options.target(config),
        run: (attempt) => options.run(config, attempt)
      }))
  }
}

/** A decoded configuration with what its examination found. */
export const vetted = <A>(
  decoded: Result.Result<A, InvalidFields>,
  found: ReadonlyArray<FieldError>
): Result.Result<A, InvalidFields> => {
  if (found.length === 0) return decoded
  const own = Result.isFailure(decoded) ? decoded.failure.errors : []
  const known = new Set(own.map(({ path }) => path))
  return Result.fail(new InvalidFields({ errors: [...own, ...found.filter(({ path }) => !known.has(path))] }))
}

/** Runs the examination here. */
const examined = (vetting: Vetting, input: unknown): ReadonlyArray<FieldError> => {
  const settings = typeof input === "object" && input !== null ? vetting.of({ ...input }) : undefined
  return settings === undefined ? [] : (vetting.function([settings], null)[0] ?? [])
}

/** Defines a check kind that waits for signals and decides when one is overdue. The host receives the signals. */
export const passive = <const Fields extends Schema.Struct.Fields>(options: {
  readonly type: string
  readonly title?: string
  readonly summary: string
  readonly config: StructOf<Fields>
  readonly example: Schema.Struct<Fields>["Encoded"]
  readonly validate?: (config: Schema.Struct<Fields>["Type"]) => ReadonlyArray<FieldError>
  readonly overdueAt: (config: Schema.Struct<Fields>["Type"], expected: Expectation) => EpochMillis | null
  readonly objection?: (
    config: Schema.Struct<Fields>["Type"],
    metrics: Readonly<Record<string, number>>,
    said: string
  ) => ReturnType<PreparedPassive["objection"]>
}): Check => {
  const { objection, overdueAt, ...common } = options
  const active = define({
    ...common,
    defaults: { timeout: 10 },
    host: () => "",
    target: () => options.type,
    run: () =>
      new CheckFailed({
        status: "unknown",
        code: "passive",
        ...reason("not_checked", {})
      })
  })
  const decode = strictDecoder(options.config)
  return {
    ...active,
    passive: (input) =>
      Result.map(decode(input), (config) => ({
        overdueAt: (expected) => overdueAt(config, expected),
        objection: (metrics, said) => objection?.(config, metrics, said)
      }))
  }
}
