/**
 * The contract of a check kind: a pure description and one attempt.
 *
 * The host calls `run` once for every slot of a monitor's schedule, and never twice at the same time for one monitor.
 * A check makes one attempt. Timeouts, schedules, retries and concurrency belong to the host: it interrupts `run` when
 * the monitor's timeout has passed, and reports the stage the check had announced. Anything but a `CheckFailed` that
 * comes out of `run` is a defect: it costs the monitor its actor's state, and tells nobody that the target is down.
 */
import type { Facts, Timing } from "@kanmon/domain/Observation"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { type FieldError, InvalidFields, decodeStrict, fieldErrors } from "@kanmon/domain/FieldErrors"
import { type Effect, Result, Schema } from "effect"
import type { BoundedEvaluator } from "./BoundedEvaluator.ts"
import type { Dialer } from "./Dialer.ts"
import type { Resolver } from "./Resolver.ts"
import type { Stage } from "./Stage.ts"

export type { Stage } from "./Stage.ts"

/** What the host tells a check about this attempt. */
export interface Attempt {
  /** The label of the region this probe stands in. */
  readonly region: string
  /**
   * Announces a stage. Cheap: call it as often as there is news. A timeout of any other stage is reported without naming it. From
   * `evaluate` on, which follows the target's whole answer, it is not the target that takes time: the monitor's timeout no longer
   * makes it `down`.
   */
  readonly stage: (stage: Stage) => void
}

/** What a check may ask of the host: nothing ambient, the network only through its policy, and users' patterns bounded. */
export type Capabilities = Dialer | Resolver | BoundedEvaluator

/** The target passed. */
export interface Passed {
  /** Milliseconds. */
  readonly responseTime: number
  readonly timing?: Timing
  /** Plain JSON for people and for later rules: `statusCode`, `certificate`, `records`… */
  readonly facts?: Facts
  /** The target passed, but not well: the reason in words. */
  readonly degraded?: { readonly code: string; readonly message: string }
}

/**
 * The target did not pass (`down`), or we could not look (`unknown`: our own resolver, egress or file descriptors).
 * `message` is one sentence for a person on call; it must not hold secrets of the monitor's configuration.
 */
export class CheckFailed extends Schema.TaggedError<CheckFailed>()("CheckFailed", {
  status: Schema.Literals(["down", "unknown"]),
  /** Stable, snake_case: `connect_refused`, `status_mismatch`… */
  code: Schema.String,
  message: Schema.String,
  responseTime: Schema.optionalKey(Schema.Finite),
  timing: Schema.optionalKey(Schema.Any),
  facts: Schema.optionalKey(Schema.Any)
}) {
  declare readonly timing?: Timing
  declare readonly facts?: Facts
}

/** One monitor's check, ready to run: its configuration has been decoded. */
export interface Prepared {
  /** The host that is asked, for the per-host limit on concurrency. */
  readonly host: string
  /** Names and addresses that have to be allowed by the network policy for a check to pass; the host when absent. */
  readonly reaches?: () => ReadonlyArray<string>
  /** What is checked, in the words a person would use (an URL, `host:port`), without secrets. */
  readonly target: string
  readonly run: (attempt: Attempt) => Effect.Effect<Passed, CheckFailed, Capabilities>
}

/** What is known of a passive monitor when its deadline is asked for. */
export interface Expectation {
  /** Seconds. */
  readonly interval: number
  /** The newest signal that ended a run, or the deadline that was missed last; null before the first. */
  readonly lastSignal: EpochMillis | null
  /** When it was created, or resumed before its first signal. */
  readonly createdAt: EpochMillis
  /** When the newest run that has not ended began; null when none is under way. */
  readonly startedAt: EpochMillis | null
}

/** One passive monitor, its configuration decoded. Pure and cheap: asked for every signal. */
export interface PreparedPassive {
  /** When it counts as missed if nothing comes before; null: not for as long as it is so. */
  readonly overdueAt: (expected: Expectation) => EpochMillis | null
  /** What a signal of success says by its metrics; undefined: that all is well. */
  readonly objection: (
    metrics: Readonly<Record<string, number>>
  ) => { readonly status: "degraded" | "down"; readonly code: string; readonly message: string } | undefined
}

/** How monitors of a kind can be turned around: up while their check fails. The host does it, for timeouts too. */
export interface Inversion {
  /** Name of the boolean field that asks for it. */
  readonly field: string
  /** Codes of failures that do not show that the target fails: with these the monitor stays down. */
  readonly inconclusive?: ReadonlyArray<string>
}

/** A check kind as the host holds it: the type of its configuration is closed over. */
export interface Check {
  readonly kind: "check"
  /** The monitor `type` that this check serves: lower case, letters, digits and dashes. */
  readonly type: string
  /** One sentence for the catalogue. */
  readonly summary: string
  /** The fields that a monitor of this type has besides the common ones. Descriptions are product text. */
  readonly config: Schema.Struct<Schema.Struct.Fields>
  /** One valid configuration: the docs print it and the contract suite runs it. */
  readonly example: Schema.JsonObject
  /** Names of fields whose values must not be logged. */
  readonly secrets: ReadonlyArray<string>
  readonly defaults: {
    /** Seconds. */
    readonly timeout: number
  }
  /** Present for kinds whose monitors can be up while their check fails. */
  readonly inversion?: Inversion
  /** Decodes a configuration, strictly; every broken field is named. The result is what is stored and shown. */
  readonly normalize: (config: unknown) => Result.Result<Schema.JsonObject, InvalidFields>
  /** Decodes a stored configuration and makes it ready to run. */
  readonly prepare: (config: unknown) => Result.Result<Prepared, InvalidFields>
  /** Present for kinds that wait for signals instead of looking themselves: no probe runs them. */
  readonly passive?: (config: unknown) => Result.Result<PreparedPassive, InvalidFields>
}

/** Defines a check kind. `config` is a struct, because its fields stand flat in the monitor. */
export const define = <const Fields extends Schema.Struct.Fields>(options: {
  readonly type: string
  readonly summary: string
  readonly config: Schema.Struct<Fields>
  readonly example: Schema.Struct<Fields>["Encoded"]
  readonly secrets?: ReadonlyArray<string>
  readonly defaults: { readonly timeout: number }
  readonly inversion?: Inversion & { readonly field: keyof Fields }
  /** Rules that span several fields; each returned row names the field it belongs to. */
  readonly validate?: (config: Schema.Struct<Fields>["Type"]) => ReadonlyArray<FieldError>
  readonly host: (config: Schema.Struct<Fields>["Type"]) => string
  readonly reaches?: (config: Schema.Struct<Fields>["Type"]) => ReadonlyArray<string>
  readonly target: (config: Schema.Struct<Fields>["Type"]) => string
  readonly run: (
    config: Schema.Struct<Fields>["Type"],
    attempt: Attempt
  ) => Effect.Effect<Passed, CheckFailed, Capabilities>
}): Check => {
  type Config = Schema.Struct<Fields>["Type"]
  // The host only decodes unknown input and encodes what came of it, so the fields' own type may be forgotten here.
  const schema = options.config as unknown as Schema.Codec<Config, Schema.JsonObject>
  const decodeFields = decodeStrict(schema)
  const encode = Schema.encodeUnknownResult(schema)
  const decode = (input: unknown): Result.Result<Config, InvalidFields> =>
    Result.flatMap(decodeFields(input), (config) => {
      const errors = options.validate?.(config) ?? []
      return errors.length === 0 ? Result.succeed(config) : Result.fail(new InvalidFields({ errors }))
    })
  return {
    kind: "check",
    type: options.type,
    summary: options.summary,
    config: options.config as unknown as Check["config"],
    example: options.example as Schema.JsonObject,
    secrets: options.secrets ?? [],
    defaults: options.defaults,
    ...(options.inversion === undefined ? {} : { inversion: options.inversion }),
    normalize: (input) =>
      Result.flatMap(decode(input), (config) =>
        Result.mapError(encode(config), (error) => new InvalidFields({ errors: fieldErrors(error.issue) }))
      ),
    prepare: (input) =>
      Result.map(decode(input), (config) => ({
        host: options.host(config),
        ...(options.reaches === undefined ? {} : { reaches: () => options.reaches!(config) }),
        target: options.target(config),
        run: (attempt) => options.run(config, attempt)
      }))
  }
}

/** Defines a check kind that waits for signals and says when one is overdue. Receiving them belongs to the host. */
export const passive = <const Fields extends Schema.Struct.Fields>(options: {
  readonly type: string
  readonly summary: string
  readonly config: Schema.Struct<Fields>
  readonly example: Schema.Struct<Fields>["Encoded"]
  readonly validate?: (config: Schema.Struct<Fields>["Type"]) => ReadonlyArray<FieldError>
  readonly overdueAt: (config: Schema.Struct<Fields>["Type"], expected: Expectation) => EpochMillis | null
  readonly objection?: (
    config: Schema.Struct<Fields>["Type"],
    metrics: Readonly<Record<string, number>>
  ) => ReturnType<PreparedPassive["objection"]>
}): Check => {
  const { objection, overdueAt, ...common } = options
  const active = define({
    ...common,
    defaults: { timeout: 10 },
    host: () => "",
    target: () => options.type,
    run: () =>
      new CheckFailed({ status: "unknown", code: "passive", message: "This monitor waits for signals; nobody looks" })
  })
  const decode = decodeStrict(
    options.config as unknown as Schema.Codec<Schema.Struct<Fields>["Type"], Schema.JsonObject>
  )
  return {
    ...active,
    passive: (input) =>
      Result.map(decode(input), (config) => ({
        overdueAt: (expected) => overdueAt(config, expected),
        objection: (metrics) => objection?.(config, metrics)
      }))
  }
}
