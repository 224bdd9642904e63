/**
 * The contract of a channel plugin: it delivers a notice.
 *
 * The host starts one channel per configured record and calls `deliver` once per attempt. Calls for one channel do not
 * overlap; calls for different channels do. The channel makes one attempt and the host decides about retries by the error:
 * `Rejected` is final; `Gone` is final and disables the channel; `Unreachable` is retried with backoff; `Throttled` is
 * retried after the destination's delay, or with backoff without one. Any other failure is a defect and restarts the
 * channel. The host interrupts attempts that take too long. Errors, logs and spans must not contain secrets of the
 * configuration.
 */
import { strictDecoder, type FieldError, InvalidFields } from "@kanmon/domain/FieldErrors"
import type { Locale } from "@kanmon/domain/Locale"
import { type Effect, Result, Schema, type Scope } from "effect"
import type { ConfigSchema, StructOf } from "./ConfigSchema.ts"
import type { Dialer } from "./Dialer.ts"
import type { Notice } from "./Notice.ts"
import type { RecipientField } from "./Recipient.ts"
import type { Replies } from "./Replies.ts"
import { titleOf } from "./TypeTitle.ts"

/** The destination refused the notice; sending it again unchanged cannot succeed. */
export class Rejected extends Schema.TaggedError<Rejected>()("Rejected", { detail: Schema.String }) {}

/** The destination no longer exists: nothing is sent to it until a user changes the channel. */
export class Gone extends Schema.TaggedError<Gone>()("Gone", { detail: Schema.String }) {}

/** The destination could not be reached, or failed. */
export class Unreachable extends Schema.TaggedError<Unreachable>()("Unreachable", { detail: Schema.String }) {}

/** The destination limits our rate. `retryAfter`: its delay in seconds, if it gave one. */
export class Throttled extends Schema.TaggedError<Throttled>()("Throttled", {
  detail: Schema.String,
  retryAfter: Schema.optionalKey(Schema.Finite)
}) {}

/** The only failure of a channel. */
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
/** `retryAfter`: the destination's delay in seconds, if it gave one. */
export const throttled = (detail: string, retryAfter?: number) =>
  new DeliveryError({ reason: new Throttled({ detail, ...(retryAfter === undefined ? {} : { retryAfter }) }) })

/** The destination's answer when it accepted the notice. Many accept first and fail later, so this is no proof of delivery. */
export interface Receipt {
  /** The destination's message id, if it gave one. */
  readonly reference?: string
  /** A short form of its answer: `202 Event processed`. */
  readonly detail: string
}

/** The services a channel may use: the network only through the host's policy. */
export type Capabilities = Dialer | Scope.Scope

/** A message from Kanmon itself to a recipient, such as a confirmation code. Names that people chose are quoted, and no links. */
export interface Message {
  /** The same in every attempt. */
  readonly id: string
  /** For kinds with a subject line. */
  readonly subject: string
  /** Plain text; one line for phones. */
  readonly text: string
  /** The same as a page, for mail. */
  readonly html?: string
  /** The language of its texts; absent: English. */
  readonly language?: Locale
}

/** A started channel. */
export interface Started {
  readonly deliver: (notice: Notice) => Effect.Effect<Receipt, DeliveryError, Dialer>
  /**
   * Sends a message from Kanmon itself, once, under the rules of `deliver`. Required for kinds with a `recipient`, and for those that
   * reach a person.
   */
  readonly message?: (message: Message) => Effect.Effect<Receipt, DeliveryError, Dialer>
  /**
   * Ends or changes a message to a person that the provider has accepted and that has lost its purpose: a call that rings ends, a message
   * in a chat says who has the alert. One that is over already, or cannot be changed any more, is no failure. Required for kinds with
   * `callsOff`.
   */
  readonly callOff?: (message: CalledOff) => Effect.Effect<void, DeliveryError, Dialer>
}

/** A message that has lost its purpose. */
export interface CalledOff {
  /** That of its receipt. */
  readonly reference: string
  /** As it was sent, without the link. */
  readonly notice: Notice
  /** Why, in a few words: `Ada has it`. */
  readonly because: string
}

/** A channel kind as the host uses it. */
export interface Channel {
  readonly kind: "channel"
  /** The `type` of its channels: lower-case letters, digits and dashes. */
  readonly type: string
  /** Its display name, such as `Redis`; by default the type in words. */
  readonly title: string
  /** One sentence for the list of types. */
  readonly summary: string
  /** The fields of `config`. Their descriptions are shown to users. */
  readonly config: ConfigSchema
  /** A valid configuration, used in the documentation and by the contract suite. */
  readonly example: Schema.JsonObject
  /** Write-only fields, including everything nested in them. */
  readonly secrets: ReadonlyArray<string>
  /**
   * Fields that responses show, but that give access to everyone who knows them, such as a name that is hard to guess. Files of
   * `kanmon pull` and `kanmon import` have variables in their place, as they have for addresses with a query or a user.
   */
  readonly sensitive?: ReadonlyArray<string> | undefined
  /**
   * Whether it opens an incident at the destination that stays open until a notice with the same `alertId` closes it. The
   * host closes that of a test immediately.
   */
  readonly opensIncidents: boolean
  /**
   * The field with a person's address, for kinds in which anyone's could be entered, and a field with the addresses of more.
   * The host then sends notices only to those who have confirmed with a code sent through `message`, and limits their number.
   * It starts the channel once for each recipient, with a configuration that names that one alone: an attempt is one
   * message to one recipient.
   */
  readonly recipient?: RecipientField | undefined
  /**
   * Whether a person can be reached by it on their own device: people may add contact methods of this kind, and confirm them
   * with a code that is sent through `message`. Kinds that reach a room or another system do not declare it.
   */
  readonly reachesPerson?: boolean | undefined
  /**
   * Whether a message rings until somebody answers, as a phone call does. The host sends a person only messages that
   * need an answer this way: a recovery does not wake people.
   */
  readonly rings?: boolean | undefined
  /** Whether it has `callOff`: messages can be ended or changed after the provider has accepted them. */
  readonly callsOff?: boolean | undefined
  /** The number in the operator's settings from which messages are sent; undefined where there is none. */
  readonly sender?: ((settings: unknown) => string | undefined) | undefined
  /** How people answer its messages from their devices. Notices to them then have `replyTo`. */
  readonly replies?: Replies | undefined
  /**
   * Fields that decide where secrets are sent. When one changes, stored secrets are dropped and the caller must send them
   * again (a 422 error names them). URLs count by their origin, also in undeclared fields. Default: every field that is not
   * secret, which is the safe choice.
   */
  readonly destination?: ReadonlyArray<string> | undefined
  /**
   * The operator's settings for all channels of this kind, by environment variable. All values are strings. The host reads
   * them at startup and does not start with invalid ones.
   */
  readonly settings: ConfigSchema
  /** Whether the operator's settings are sufficient to send. */
  readonly isSetUp?: ((settings: unknown) => boolean) | undefined
  /** Addresses from the operator's settings (`https://…`, `smtp://…`) that the network policy allows. */
  readonly destinations: (settings: unknown) => ReadonlyArray<string>
  /** Strictly decodes a configuration that is to be stored; every invalid field is reported. Returns what is stored. */
  readonly normalize: (config: unknown) => Result.Result<Schema.JsonObject, InvalidFields>
  /** Decodes a stored configuration and the operator's settings, and returns the channel ready to start. */
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
  readonly title?: string
  readonly summary: string
  readonly config: StructOf<Fields>
  readonly example: Schema.Struct<Fields>["Encoded"]
  readonly secrets?: ReadonlyArray<keyof Fields & string>
  readonly sensitive?: ReadonlyArray<keyof Fields & string>
  readonly opensIncidents?: boolean
  /**
   * Rules beyond the schema, applied when a configuration is set. Stored configurations stay valid, so that stricter rules
   * lose no notification.
   */
  readonly validate?: (config: Schema.Struct<Fields>["Type"]) => ReadonlyArray<FieldError>
  readonly recipient?: RecipientField & { readonly field: keyof Fields & string; readonly more?: keyof Fields & string }
  readonly reachesPerson?: boolean
  readonly rings?: boolean
  readonly callsOff?: boolean
  readonly sender?: (settings: Schema.Struct<Settings>["Type"]) => string | undefined
  readonly replies?: Replies<Schema.Struct<Settings>["Type"]>
  readonly destination?: ReadonlyArray<keyof Fields & string>
  readonly settings?: StructOf<Settings>
  readonly isSetUp?: (settings: Schema.Struct<Settings>["Type"]) => boolean
  readonly destinations?: (settings: Schema.Struct<Settings>["Type"]) => ReadonlyArray<string>
  readonly make: (
    config: Schema.Struct<Fields>["Type"],
    settings: Schema.Struct<Settings>["Type"]
  ) => Effect.Effect<Started, never, Capabilities>
}): Channel => {
  // Without `settings`, the type parameter has its default: no fields.
  const settingsSchema = (options.settings ?? Schema.Struct({})) as StructOf<Settings>
  const decode = strictDecoder(options.config)
  const decodeSettings = strictDecoder(settingsSchema)
  const encode = Schema.encodeUnknownResult(options.config)
  const within = (settings: unknown, holds: (decoded: Schema.Struct<Settings>["Type"]) => boolean): boolean =>
    Result.match(decodeSettings(settings), { onFailure: () => false, onSuccess: holds })
  return {
    kind: "channel",
    type: options.type,
    title: options.title ?? titleOf(options.type),
    summary: options.summary,
    config: options.config,
    example: options.example as Schema.JsonObject,
    secrets: options.secrets ?? [],
    sensitive: options.sensitive ?? [],
    opensIncidents: options.opensIncidents ?? false,
    recipient: options.recipient,
    reachesPerson: options.reachesPerson ?? false,
    rings: options.rings ?? false,
    callsOff: options.callsOff ?? false,
    sender: (settings) =>
      Result.match(decodeSettings(settings), {
        onFailure: () => undefined,
        onSuccess: (decoded) => options.sender?.(decoded)
      }),
    replies:
      options.replies === undefined
        ? undefined
        : {
            ...options.replies,
            isSetUp: (settings) => within(settings, options.replies!.isSetUp),
            isFrom: (incoming, settings) => within(settings, (decoded) => options.replies!.isFrom(incoming, decoded))
          },
    isSetUp: (settings) => within(settings, (decoded) => options.isSetUp?.(decoded) ?? true),
    destination: options.destination,
    settings: settingsSchema,
    destinations: (settings) =>
      Result.match(decodeSettings(settings), {
        onFailure: () => [],
        onSuccess: (decoded) => options.destinations?.(decoded) ?? []
      }),
    normalize: (config) =>
      Result.flatMap(decode(config), (decoded) => {
        const errors = options.validate?.(decoded) ?? []
        // A decoded value can be encoded; a failure here is a defect of the schema.
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
