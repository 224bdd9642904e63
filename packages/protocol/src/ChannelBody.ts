/**
 * The bodies of channels. Their `config` depends on the type's plugin, so it is decoded by the kinds that were loaded at the
 * start. Secrets that come back as they were shown keep their stored value.
 */
import { decodeStrict, type FieldError, InvalidFields } from "@kanmon/domain/FieldErrors"
import { ChannelId, ProjectId } from "@kanmon/domain/Ids"
import { Key } from "@kanmon/domain/Key"
import { QuietHours } from "@kanmon/domain/QuietHours"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Effect, Result, Schema } from "effect"
import * as Body from "./Body.ts"
import type { BundledChannelTypes } from "./internal/BundledTypes.gen.ts"

/** The properties of a channel type that the decoder of a body needs. */
export interface ChannelKind {
  readonly type: string
  readonly normalize: (config: unknown) => Result.Result<Schema.JsonObject, InvalidFields>
}

/**
 * The channel types that bodies are typed by: an entry's `config` holds the fields of its type. The plugins that come with
 * Kanmon are there; the types of others are added by declaration merging:
 *
 * ```ts
 * declare module "@kanmon/protocol/ChannelBody" {
 *   interface ChannelTypes {
 *     readonly rocketchat: { readonly config: { readonly webhookUrl: string } }
 *   }
 * }
 * ```
 */
export interface ChannelTypes extends BundledChannelTypes {}

interface Common {
  /** Name under which files find it again; null for what is made by hand. */
  readonly key?: string | null
  /** Display name. */
  readonly name: string
  /** When less urgent notifications wait; null: never. */
  readonly quietHours?: QuietHours | null
}

/** The body of a new channel, as it is sent. */
export type ChannelRequest = {
  [Type in keyof ChannelTypes]: Common & { readonly type: Type; readonly config: ChannelTypes[Type]["config"] }
}[keyof ChannelTypes]

/**
 * The body of a change. Fields that are left out stay as they are, those of `config` too, unless the type changes; null takes
 * a field of `config` away.
 */
export type ChannelUpdate = {
  [Type in keyof ChannelTypes]: Body.Change<Common> & {
    readonly type?: Type
    readonly config?: Body.Change<ChannelTypes[Type]["config"]>
  }
}[keyof ChannelTypes]

export interface ChannelDraft {
  readonly key: string | null
  readonly name: string
  readonly type: string
  readonly config: Schema.JsonObject
  readonly quietHours: QuietHours | null
}

/** The quiet hours of a channel in a body; a new channel has none. */
export const quietHours = Schema.NullOr(QuietHours)
  .annotate({
    description:
      "When notifications below `holdBelow` wait: they arrive as one message at the end of the hours, without what was resolved meanwhile. Channels that an escalation policy names get its pages at any time. null: never"
  })
  .pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))

const decodeCommon = decodeStrict(Schema.Struct({ key: Body.key, name: Body.name, quietHours }))
const fields = new Set(["key", "name", "type", "config", "quietHours"])

/**
 * Decodes a channel's body; every broken field is named, those of the configuration below `config`. `current` is the channel that
 * the body changes: an unchanged stored configuration is not validated again.
 */
export const decode = (
  kinds: ReadonlyMap<string, ChannelKind>,
  body: unknown,
  current?: ChannelDraft
): Result.Result<ChannelDraft, InvalidFields> => {
  if (!Body.isObject(body)) return refuse([{ path: "", message: "Expected a JSON object" }])
  const unfit = Body.objection(body)
  if (unfit !== undefined) return refuse([unfit])
  const { config, key, name, quietHours: hours, type } = body
  const errors: Array<FieldError> = Object.keys(body)
    .filter((field) => !fields.has(field))
    .map((path) => ({ path, message: "Unknown field" }))
  const common = decodeCommon({
    ...(key === undefined ? {} : { key }),
    ...(name === undefined ? {} : { name }),
    ...(hours === undefined ? {} : { quietHours: hours })
  })
  if (Result.isFailure(common)) errors.push(...common.failure.errors)
  const kind = typeof type === "string" ? kinds.get(type) : undefined
  if (kind === undefined) {
    const message = type === undefined ? "Required" : `Expected one of ${[...kinds.keys()].join(", ")}`
    return refuse([...errors, { path: "type", message }])
  }
  if (!Body.isObject(config)) {
    const message = config === undefined ? "Required" : "Expected an object"
    return refuse([...errors, { path: "config", message }])
  }
  const kept = current?.type === kind.type && JSON.stringify(config) === JSON.stringify(current.config)
  const normal = kept ? Result.succeed(current.config) : kind.normalize(config)
  if (Result.isFailure(normal)) errors.push(...normal.failure.errors.map(below))
  return errors.length > 0 || Result.isFailure(common) || Result.isFailure(normal)
    ? refuse(errors)
    : Result.succeed({ ...common.success, type: kind.type, config: normal.success })
}

/** Lays a change over a channel. A new `config` replaces the old one as a whole, but for fields it leaves out on the same type. */
export const merge = (current: ChannelDraft, change: unknown): unknown => {
  if (!Body.isObject(change)) return change
  const sameType = change["type"] === undefined || change["type"] === current.type
  const config = change["config"]
  const merged = Body.isObject(config)
    ? Object.fromEntries(
        Object.entries(sameType ? { ...current.config, ...config } : config).filter(([, value]) => value !== null)
      )
    : config === undefined && sameType
      ? current.config
      : config
  const { key, name, quietHours, type } = current
  return { key, name, type, quietHours, ...change, config: merged }
}

/** A row of the configuration as a row of the body. */
export const below = ({ message, path }: FieldError): FieldError => ({
  path: path === "" ? "config" : path.startsWith("[") ? `config${path}` : `config.${path}`,
  message
})

const refuse = (errors: ReadonlyArray<FieldError>): Result.Result<never, InvalidFields> =>
  Result.fail(new InvalidFields({ errors }))

/** How the newest attempt to deliver went. */
const LastDelivery = Schema.Struct({
  at: Timestamp,
  status: Schema.Literals(["delivered", "retrying", "failed"]),
  detail: Schema.String
})

const Confirmation = Schema.Literals(["not_needed", "pending", "confirmed"])

/** A channel in a response. */
export const ChannelRecord = Schema.Struct({
  id: ChannelId,
  projectId: ProjectId,
  key: Schema.NullOr(Key),
  name: Schema.String,
  type: Schema.String,
  /** Its fields depend on the type; secrets are shown as four dots and their last four characters. */
  config: Schema.JsonObject,
  quietHours: Schema.NullOr(QuietHours).annotate({
    description: "When notifications below `holdBelow` wait for the end of the hours; null: never"
  }),
  confirmation: Confirmation.annotate({
    description:
      "Whether a recipient agreed to get notifications. `pending`: nothing but a confirmation code is sent until the code is entered"
  }),
  confirmedAt: Schema.NullOr(Timestamp).annotate({
    description: "When the recipient confirmed, of several the first; null when none did"
  }),
  recipients: Schema.Array(
    Schema.Struct({
      recipient: Schema.String.annotate({ description: "The address or number" }),
      confirmation: Confirmation,
      confirmedAt: Schema.NullOr(Timestamp)
    })
  ).annotate({
    description:
      "The people that the channel sends to, each with its own confirmation: one that is `pending` gets nothing, while the others do. Empty for types without recipients"
  }),
  /** Why nothing is sent there any more; null while it works. Changing the configuration switches it on again. */
  disabledReason: Schema.NullOr(Schema.String),
  lastDelivery: Schema.NullOr(LastDelivery),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "NotificationChannel" })
export type ChannelRecord = typeof ChannelRecord.Type
