/** Schemas of the bodies of channels and alert rules for OpenAPI; those of channels from the kinds that were loaded. */
import type { Channel } from "@kanmon/core/Channel"
import * as Body from "@kanmon/protocol/Body"
import { ruleFields } from "@kanmon/protocol/RuleBody"
import { Schema } from "effect"
import { type Json, jsonSchema, properties } from "./OpenApiMonitors.ts"

const { key } = properties({ key: Body.key }, { key: null })
const name: Json = { type: "string", minLength: 1, maxLength: 200, description: "Display name" }

/** Request of one kind of channel. */
export const ofChannel = (channel: Channel): Json => {
  const config = jsonSchema(channel.config)
  const described = properties(channel.config.fields, {}) as Record<string, Json>
  return {
    type: "object",
    title: `${channel.type} channel`,
    description: channel.summary,
    properties: {
      key,
      name,
      type: { type: "string", const: channel.type },
      config: {
        ...config,
        properties: Object.fromEntries(
          Object.entries(described).map(([field, schema]) => [
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
  }
}

/** Any change of a channel: fields that are left out stay as they are. */
export const channelChange: Json = {
  type: "object",
  description: "Any of the fields. Fields that `config` leaves out stay as they are; null takes one away",
  properties: { key, name, type: { type: "string" }, config: { type: "object" } },
  additionalProperties: false
}

const rule = jsonSchema(Schema.Struct(ruleFields))
const ruleProperties = properties(ruleFields, {
  key: null,
  monitorIds: [],
  channelIds: [],
  trigger: "monitor_down",
  consecutiveFailures: 1,
  resendEvery: 0
})

export const ruleRequest: Json = {
  ...rule,
  properties: ruleProperties,
  required: ["name"],
  additionalProperties: false,
  examples: [{ name: "Down", monitorIds: [], channelIds: [], trigger: "monitor_down", consecutiveFailures: 2 }]
}

export const ruleChange: Json = { ...ruleRequest, required: [], examples: [{ consecutiveFailures: 3 }] }
