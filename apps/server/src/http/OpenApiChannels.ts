/** Schemas of the bodies of channels and alert rules for OpenAPI; those of channels from the kinds that were loaded. */
import type { Channel } from "@kanmon/core/Channel"
import { basePath } from "@kanmon/protocol/Api"
import * as Body from "@kanmon/protocol/Body"
import { ConfirmationCode } from "@kanmon/protocol/ChannelsApi"
import type { ProblemCode } from "@kanmon/protocol/Problem"
import { ruleFields } from "@kanmon/protocol/RuleBody"
import { Schema } from "effect"
import { type Json, jsonSchema, properties } from "./OpenApiMonitors.ts"

const { key } = properties({ key: Body.key }, {})
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
  description: "Any of the fields. Fields that `config` leaves out stay as they are; null removes one",
  properties: { key, name, type: { type: "string" }, config: { type: "object" } },
  additionalProperties: false
}

export const confirmationRequest: Json = {
  ...jsonSchema(ConfirmationCode),
  additionalProperties: false,
  examples: [{ code: "482915" }]
}

const html: Json = { "text/html": { schema: { type: "string" } } }
const confirmationPage = { tags: ["Notification channels"], security: [] }
const channelId: Json = { name: "channelId", in: "path", required: true, schema: { type: "string" } }

/** The page for recipients stands outside the contract: it is opened from a mail. */
export const confirmationProblems: Readonly<Record<string, ReadonlyArray<ProblemCode>>> = {
  showConfirmationPage: [],
  confirmRecipientFromPage: ["conflict", "not_found", "validation_failed"]
}

export const confirmationPaths: Json = {
  [`${basePath}/public/channel-confirmations/{channelId}`]: {
    get: {
      ...confirmationPage,
      operationId: "showConfirmationPage",
      summary: "Show the confirmation page",
      description: "Shows the page that the link in a confirmation mail opens. It has a button and changes nothing.",
      parameters: [channelId, { name: "code", in: "query", required: true, schema: { type: "string" } }],
      responses: { "200": { description: "The page", content: html } }
    },
    post: {
      ...confirmationPage,
      operationId: "confirmRecipientFromPage",
      summary: "Confirm from the page",
      description:
        "Confirms the recipient with the code from the mail; the button of the page sends it. Errors are shown as pages.",
      parameters: [channelId],
      requestBody: {
        required: true,
        content: { "application/x-www-form-urlencoded": { schema: confirmationRequest, example: { code: "482915" } } }
      },
      responses: { "200": { description: "The recipient is confirmed", content: html } }
    }
  }
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

/** Any change of a rule. What is left out stays as it is: nothing has a default. */
export const ruleChange: Json = {
  type: "object",
  description: "Any of the fields. Fields that are left out stay as they are",
  properties: properties(ruleFields, {}),
  additionalProperties: false,
  examples: [{ consecutiveFailures: 3 }]
}
