/** Channels as the API shows and accepts them: secrets are masked in answers, and masks stand for what is stored. */
import type { Channel } from "@kanmon/core/Channel"
import { dots, hidden, masked, unmasked } from "@kanmon/core/Masking"
import { InvalidFields } from "@kanmon/domain/FieldErrors"
import * as ChannelBody from "@kanmon/protocol/ChannelBody"
import { Predicate, Result, Schema } from "effect"
import type { StoredChannel } from "./ChannelRecords.ts"

type Kinds = ReadonlyMap<string, Channel>

export const show = (
  kinds: Kinds,
  channel: StoredChannel,
  recipients: ChannelBody.ChannelRecord["recipients"]
): ChannelBody.ChannelRecord => ({ ...channel, recipients, config: shownConfig(kinds, channel) })

/** The channel as callers see it who may not see where it leads. */
export const withoutConfig = (channel: ChannelBody.ChannelRecord): ChannelBody.ChannelRecord => ({
  ...channel,
  recipients: channel.recipients.map((one) => ({ ...one, recipient: dots })),
  config: hiddenConfig(channel.config)
})

/** The settings of such a channel. */
export const hiddenConfig = (config: Schema.JsonObject): Schema.JsonObject => hidden(config, Object.keys(config))

/** Decodes a body. Masked fields of a channel that exists keep their stored values. */
export const decode = (
  kinds: Kinds,
  body: unknown,
  current?: ChannelBody.ChannelDraft,
  of: Pick<ChannelBody.ChannelDraft, "config"> | undefined = current
): Result.Result<ChannelBody.ChannelDraft, InvalidFields> => {
  const fields = Predicate.isObject(body) ? new Map(Object.entries(body)) : new Map<string, unknown>()
  const type = fields.get("type")
  const kind = typeof type === "string" ? kinds.get(type) : undefined
  const config = fields.get("config")
  if (kind === undefined || !isJsonObject(config)) return ChannelBody.decode(kinds, body)
  const stored = of !== undefined && current?.type === type ? of.config : {}
  return unmasked(config, stored, kind).pipe(
    Result.mapError(({ errors }) => new InvalidFields({ errors: errors.map(ChannelBody.below) })),
    Result.flatMap((restored) =>
      ChannelBody.decode(kinds, { ...Object.fromEntries(fields), config: restored }, current)
    )
  )
}

/**
 * Decodes a partial body as a whole channel: merged with the channel as reads show it. `as`: what the caller takes the channel to
 * be. What is sent is examined although it is presumed to be stored.
 */
export const decodeChange = (
  kinds: Kinds,
  current: ChannelBody.ChannelDraft,
  change: unknown,
  as: ChannelBody.ChannelDraft = current
) =>
  decode(
    kinds,
    ChannelBody.merge({ ...current, config: shownConfig(kinds, as) }, change),
    as === current ? current : { ...current, config: {} },
    as
  )

/**
 * The channel as a caller may take it to be who may not see where it leads: it has the settings that are sent. The answer to a
 * change of it says nothing about the stored ones.
 */
export const presumed = <A extends ChannelBody.ChannelDraft>(current: A, change: unknown): A => {
  const sent = Predicate.isObject(change) ? new Map(Object.entries(change)) : new Map<string, unknown>()
  const config = sent.get("config")
  const { type = current.type } = Object.fromEntries(sent)
  if (!isJsonObject(config) || type !== current.type) return current
  const settings = Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null))
  return { ...current, config: { ...current.config, ...settings } }
}

const isJsonObject = Schema.is(Schema.Record(Schema.String, Schema.Json))

/** Every field counts as a secret when the plugin of the kind is not loaded. */
export const shownConfig = (
  kinds: Kinds,
  { config, type }: Pick<ChannelBody.ChannelDraft, "config" | "type">
): Schema.JsonObject => masked(config, kinds.get(type) ?? { secrets: Object.keys(config) })
