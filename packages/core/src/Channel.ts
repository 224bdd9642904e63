/**
 * The contract of a channel kind: how a notice reaches people.
 *
 * The host starts one channel per configured record and calls `deliver` once per attempt; calls for one channel do not
 * overlap, calls for different channels do. A channel tries once. The error says whether trying again can help, and the
 * host decides when: `Rejected` is final, `Gone` is final and switches the channel off, `Unreachable` is retried with
 * backoff, `Throttled` after the time the destination gave, or with backoff when it gave none. Anything else is a defect and costs the channel its scope.
 * The host interrupts an attempt that takes too long. No error, log or span may hold a secret of the configuration.
 */
import { decodeStrict, type FieldError, InvalidFields } from "@kanmon/domain/FieldErrors"
import { type Effect, Result, Schema, type Scope } from "effect"
import type { Dialer } from "./Dialer.ts"
import type { Notice } from "./Notice.ts"
import type { RecipientField } from "./Recipient.ts"

/** The destination refused the notice; sending it again unchanged cannot succeed. */
export class Rejected extends Schema.TaggedError<Rejected>()("Rejected", { detail: Schema.String }) {}

/** The destination is gone for good: nothing is to be sent there again until a person changes the channel. */
export class Gone extends Schema.TaggedError<Gone>()("Gone", { detail: Schema.String }) {}

/** The destination could not be reached, or is out of order. */
export class Unreachable extends Schema.TaggedError<Unreachable>()("Unreachable", { detail: Schema.String }) {}

/** The destination asked us to slow down. `retryAfter` in seconds, where it said for how long. */
export class Throttled extends Schema.TaggedError<Throttled>()("Throttled", {
  detail: Schema.String,
  retryAfter: Schema.optionalKey(Schema.Finite)
}) {}

/** The only failure a channel may raise. */
export class DeliveryError extends Schema.TaggedError<DeliveryError>()("DeliveryError", {
  reason: Schema.Union([Rejected, Gone, Unreachable, Throttled])
}) {
  get isRetryable(): boolean {
    return this.reason._tag === "Unreachable" || this.reason._tag === "Throttled"
  }
  override get message(): string {
    return this.reason.detail
  }
}

export const rejected = (detail: string) => new DeliveryError({ reason: new Rejected({ detail }) })
export const gone = (detail: string) => new DeliveryError({ reason: new Gone({ detail }) })
export const unreachable = (detail: string) => new DeliveryError({ reason: new Unreachable({ detail }) })
/** `retryAfter`: seconds, where the destination said for how long. */
export const throttled = (detail: string, retryAfter?: number) =>
  new DeliveryError({ reason: new Throttled({ detail, ...(retryAfter === undefined ? {} : { retryAfter }) }) })

/** What the destination said when it took the notice. Many accept first and fail later: this is no proof of delivery. */
export interface Receipt {
  /** The destination's own id of the message, when it gives one. */
  readonly reference?: string
  /** Its answer in a few words: `202 Event processed`. */
  readonly detail: string
}

/** What a channel may ask of the host: nothing ambient, and the network only through its policy. */
export type Capabilities = Dialer | Scope.Scope

/** A message of the host's own to a recipient, such as a confirmation code. It holds no text that a user wrote. */
export interface Message {
  /** The same in every attempt. */
  readonly id: string
  /** For kinds that show one. */
  readonly subject: string
  /** Plain text; for phones, one line. */
  readonly text: string
}

/** A started channel. */
export interface Started {
  readonly deliver: (notice: Notice) => Effect.Effect<Receipt, DeliveryError, Dialer>
  /** Sends a message of the host's own, once, under the rules of `deliver`. A kind with a `recipient` has it. */
  readonly message?: (message: Message) => Effect.Effect<Receipt, DeliveryError, Dialer>
}

/** A channel kind as the host holds it. */
export interface Channel {
  readonly kind: "channel"
  /** The `type` of the channels it serves: lower case, letters, digits and dashes. */
  readonly type: string
  /** One sentence for the catalogue. */
  readonly summary: string
  /** The fields of `config`. Descriptions are product text. */
  readonly config: Schema.Struct<Schema.Struct.Fields>
  /** One valid configuration: the docs print it and the contract suite delivers with it. */
  readonly example: Schema.JsonObject
  /** Fields that are write-only, with everything in them. */
  readonly secrets: ReadonlyArray<string>
  /**
   * What it sends opens an incident that stays open at the destination until a notice with the same `alertId` closes it. The
   * host closes that of a test right after it opened it.
   */
  readonly opensIncidents: boolean
  /**
   * The field that names a person who is sent to, where anybody's address could be entered. The host then sends notices only
   * after the person has confirmed with a code, which it sends through `message`, and bounds how many there are.
   */
  readonly recipient?: RecipientField | undefined
  /**
   * Fields that decide where secrets are sent. When one of them changes, stored secrets are dropped: the caller sends
   * them again (422 names them). URLs count by their origin, and in undeclared fields, too. Not given: every field that
   * is not secret, so that a kind that says nothing is safe.
   */
  readonly destination?: ReadonlyArray<string> | undefined
  /**
   * What the operator sets for all channels of this kind, by the names of environment variables. Every value is a
   * string; the host reads them at the start and refuses to start on a bad one.
   */
  readonly settings: Schema.Struct<Schema.Struct.Fields>
  /** Whether the operator's settings suffice to send. */
  readonly isSetUp?: ((settings: unknown) => boolean) | undefined
  /** Addresses the operator's settings name (`https://…`, `smtp://…`): the network policy lets them through. */
  readonly destinations: (settings: unknown) => ReadonlyArray<string>
  /** Decodes a configuration that is to be stored, strictly; every broken field is named. The result is what is stored. */
  readonly normalize: (config: unknown) => Result.Result<Schema.JsonObject, InvalidFields>
  /** Decodes a stored configuration and the operator's settings and makes the channel ready to start. */
  readonly start: (
    config: unknown,
    settings?: unknown
  ) => Result.Result<Effect.Effect<Started, never, Capabilities>, InvalidFields>
}

/** Defines a channel kind. */
export const define = <
  const Fields extends Schema.Struct.Fields,
  const Settings extends Schema.Struct.Fields = Record<never, never>
>(options: {
  readonly type: string
  readonly summary: string
  readonly config: Schema.Struct<Fields>
  readonly example: Schema.Struct<Fields>["Encoded"]
  readonly secrets?: ReadonlyArray<keyof Fields & string>
  readonly opensIncidents?: boolean
  /**
   * Rules beyond the schema for a configuration that is set from now on. One that was stored before them goes on being used, so
   * that a stricter version loses no notification.
   */
  readonly validate?: (config: Schema.Struct<Fields>["Type"]) => ReadonlyArray<FieldError>
  readonly recipient?: RecipientField & { readonly field: keyof Fields & string }
  readonly destination?: ReadonlyArray<keyof Fields & string>
  readonly settings?: Schema.Struct<Settings>
  readonly isSetUp?: (settings: Schema.Struct<Settings>["Type"]) => boolean
  readonly destinations?: (settings: Schema.Struct<Settings>["Type"]) => ReadonlyArray<string>
  readonly make: (
    config: Schema.Struct<Fields>["Type"],
    settings: Schema.Struct<Settings>["Type"]
  ) => Effect.Effect<Started, never, Capabilities>
}): Channel => {
  type Config = Schema.Struct<Fields>["Type"]
  type OperatorSettings = Schema.Struct<Settings>["Type"]
  // The host only decodes unknown input and encodes what came of it, so the fields' own type may be forgotten here.
  const schema = options.config as unknown as Schema.Codec<Config, Schema.JsonObject>
  const settingsSchema = (options.settings ?? Schema.Struct({})) as unknown as Schema.Codec<OperatorSettings, object>
  const decode = decodeStrict(schema)
  const decodeSettings = decodeStrict(settingsSchema)
  const encode = Schema.encodeUnknownResult(schema)
  return {
    kind: "channel",
    type: options.type,
    summary: options.summary,
    config: options.config as unknown as Channel["config"],
    example: options.example as Schema.JsonObject,
    secrets: options.secrets ?? [],
    opensIncidents: options.opensIncidents ?? false,
    recipient: options.recipient,
    isSetUp: (settings) =>
      Result.match(decodeSettings(settings), {
        onFailure: () => false,
        onSuccess: (decoded) => options.isSetUp?.(decoded) ?? true
      }),
    destination: options.destination,
    settings: settingsSchema as unknown as Channel["settings"],
    destinations: (settings) =>
      Result.match(decodeSettings(settings), {
        onFailure: () => [],
        onSuccess: (decoded) => options.destinations?.(decoded) ?? []
      }),
    normalize: (config) =>
      Result.flatMap(decode(config), (decoded) => {
        const errors = options.validate?.(decoded) ?? []
        // What was decoded can be encoded: a failure here is a defect of the schema, not of the input.
        return errors.length > 0
          ? Result.fail(new InvalidFields({ errors }))
          : Result.succeed(Result.getOrThrow(encode(decoded)))
      }),
    start: (config, settings = {}) =>
      Result.flatMap(decode(config), (decoded) =>
        Result.map(decodeSettings(settings), (operator) => options.make(decoded, operator))
      )
  }
}
