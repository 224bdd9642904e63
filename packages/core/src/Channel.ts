/**
 * The contract of a channel kind: how a notice reaches people.
 *
 * The host starts one channel per configured record and calls `deliver` once per attempt; calls for one channel do not
 * overlap. A channel tries once. The error says whether trying again can help, and the host decides when: `Rejected` is
 * final, `Unreachable` is retried with backoff, `Throttled` after the time the destination gave. Anything else is a
 * defect and costs the channel its scope. No error, log or span may hold a secret of the configuration.
 */
import { type InvalidFields, decodeStrict } from "@kanmon/domain/FieldErrors"
import { type Effect, Result, Schema, type Scope } from "effect"
import type { Dialer } from "./Dialer.ts"
import type { Notice } from "./Notice.ts"

/** The destination refused the notice; sending it again unchanged cannot succeed. */
export class Rejected extends Schema.TaggedError<Rejected>()("Rejected", { detail: Schema.String }) {}

/** The destination could not be reached, or its answer made no sense. */
export class Unreachable extends Schema.TaggedError<Unreachable>()("Unreachable", { detail: Schema.String }) {}

/** The destination asked us to slow down. `retryAfter` in seconds. */
export class Throttled extends Schema.TaggedError<Throttled>()("Throttled", {
  detail: Schema.String,
  retryAfter: Schema.Finite
}) {}

/** The only failure a channel may raise. */
export class DeliveryError extends Schema.TaggedError<DeliveryError>()("DeliveryError", {
  reason: Schema.Union([Rejected, Unreachable, Throttled])
}) {
  get isRetryable(): boolean {
    return this.reason._tag !== "Rejected"
  }
}

/** What the destination said when it took the notice. Many accept first and fail later: this is no proof of delivery. */
export interface Receipt {
  /** The destination's own id of the message, when it gives one. */
  readonly reference?: string
  readonly detail?: string
}

/** What a channel may ask of the host. Its scope closes when the channel is changed or removed. */
export type Capabilities = Dialer | Scope.Scope

/** A started channel. */
export interface Started {
  readonly deliver: (notice: Notice) => Effect.Effect<Receipt, DeliveryError, Dialer>
}

/** A channel kind as the host holds it. */
export interface Channel {
  readonly kind: "channel"
  readonly type: string
  readonly summary: string
  readonly config: Schema.Struct<Schema.Struct.Fields>
  readonly example: Schema.JsonObject
  /** Fields that are write-only and stored encrypted. */
  readonly secrets: ReadonlyArray<string>
  readonly start: (config: unknown) => Result.Result<Effect.Effect<Started, never, Capabilities>, InvalidFields>
}

/** Defines a channel kind. */
export const define = <const Fields extends Schema.Struct.Fields>(options: {
  readonly type: string
  readonly summary: string
  readonly config: Schema.Struct<Fields>
  readonly example: Schema.Struct<Fields>["Encoded"]
  readonly secrets?: ReadonlyArray<string>
  readonly make: (config: Schema.Struct<Fields>["Type"]) => Effect.Effect<Started, never, Capabilities>
}): Channel => {
  const decode = decodeStrict(
    options.config as unknown as Schema.Codec<Schema.Struct<Fields>["Type"], Schema.JsonObject>
  )
  return {
    kind: "channel",
    type: options.type,
    summary: options.summary,
    config: options.config as unknown as Channel["config"],
    example: options.example as Schema.JsonObject,
    secrets: options.secrets ?? [],
    start: (config) => Result.map(decode(config), options.make)
  }
}
