/** JSON Schemas of the bodies of notification channels, from the channel kinds that were loaded. */
import { Result, Schema } from "effect"
import * as Body from "./Body.ts"
import { type ChannelKind, quietHours } from "./ChannelBody.ts"
import { changeSchema, type Json, jsonSchema, properties } from "./JsonSchema.ts"

/** The properties of a channel type that the schemas need. */
export interface DescribedChannelKind extends ChannelKind {
  readonly summary: string
  readonly config: Schema.Constraint & { readonly fields: Schema.Struct.Fields }
  readonly example: Schema.JsonObject
  /** Fields that reads mask. */
  readonly secrets: ReadonlyArray<string>
}

const commonFields = { key: Body.key, name: Body.name.annotate({ description: "Display name" }), quietHours }

/** The body that creates a channel of one type. */
export const ofChannel = (channel: DescribedChannelKind): Json => ({
  type: "object",
  title: `${channel.type} channel`,
  description: channel.summary,
  properties: {
    ...properties(commonFields, {}),
    type: { type: "string", const: channel.type },
    config: {
      ...jsonSchema(channel.config),
      properties: Object.fromEntries(
        Object.entries(properties(channel.config.fields, defaultsOf(channel))).map(([field, schema]) => [
          field,
          channel.secrets.includes(field) ? { ...schema, writeOnly: true } : schema
        ])
      ),
      additionalProperties: false
    }
  },
  required: ["name", "type", "config"],
  additionalProperties: false,
  examples: [{ name: "Example", type: channel.type, config: channel.example }]
})

/** The defaults of the type: the fields that decoding an example adds. */
const defaultsOf = (channel: DescribedChannelKind): Json => {
  const found: Record<string, unknown> = {}
  for (const name of Object.keys(channel.config.fields)) {
    const { [name]: _, ...rest } = channel.example
    const normal = channel.normalize(rest)
    if (Result.isSuccess(normal) && normal.success[name] !== undefined) found[name] = normal.success[name]
  }
  return found
}

/** The body that changes a channel. */
export const channelChange = (): Json =>
  changeSchema(
    { ...commonFields, type: Schema.String, config: Schema.JsonObject },
    { description: "Any of the fields. Fields that `config` leaves out stay as they are; null removes one" }
  )
