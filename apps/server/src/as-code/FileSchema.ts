/** The JSON Schema of the files, for editors: from the schemas that decode them, with the plugins' own fields. */
import { Key } from "@kanmon/domain/Key"
import { DisplayGroup } from "@kanmon/domain/StatusPage"
import { Schema } from "effect"
import { ofChannel, ruleRequest } from "../http/OpenApiChannels.ts"
import { type Json, jsonSchema, ofCheck } from "../http/OpenApiMonitors.ts"
import { pageRequest } from "../http/OpenApiPages.ts"
import type { Kinds } from "./Decoding.ts"

type Properties = Readonly<Record<string, Json>>

/** The document for these plugins. */
export const make = ({ channels, checks }: Kinds): Json => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Kanmon: monitors as code",
  description: "A file for `kanmon apply`",
  type: "object",
  properties: {
    monitors: section("Monitors by their keys", { $ref: "#/$defs/monitor" }),
    channels: section("Notification channels by their keys", { $ref: "#/$defs/channel" }),
    rules: section("Alert rules by their keys", { $ref: "#/$defs/rule" }),
    pages: section("Status pages by their keys", { $ref: "#/$defs/page" })
  },
  patternProperties: { "^x-": { description: "Anything: for anchors that other parts refer to" } },
  additionalProperties: false,
  $defs: {
    key,
    variable: {
      type: "string",
      pattern: String.raw`\$\{[A-Za-z_][A-Za-z0-9_]*\}`,
      description: "From the environment"
    },
    monitor: byType([...checks.values()].map((check) => [check.type, ofCheck(check).request])),
    channel: byType([...channels.values()].map((channel) => [channel.type, ofChannel(channel)])),
    rule: inFiles(ruleRequest, {
      monitorIds: [
        "monitors",
        listOf("Monitors that the rule watches; every one of the project unless given", ref("key"))
      ],
      channelIds: ["channels", listOf("Channels that are told; every one of the project unless given", ref("key"))]
    }),
    page: inFiles(pageRequest, {
      monitorIds: ["monitors", listOf("Monitors that the page shows, in this order", { anyOf: [ref("key"), shown] })],
      monitors: undefined
    })
  }
})

const key: Json = jsonSchema(Key)
const ref = (name: string): Json => ({ $ref: `#/$defs/${name}` })
const listOf = (description: string, items: Json): Json => ({ type: "array", description, items })

const shown: Json = {
  type: "object",
  properties: { monitor: ref("key"), group: jsonSchema(Schema.NullOr(DisplayGroup)) },
  required: ["monitor"],
  additionalProperties: false
}

const section = (description: string, entry: Json): Json => ({
  type: ["object", "null"],
  description,
  propertyNames: ref("key"),
  additionalProperties: entry
})

/** Which fields there are depends on the type; said so that editors complain about the field and not about the whole. */
const byType = (requests: ReadonlyArray<readonly [type: string, request: Json]>): Json => ({
  type: "object",
  properties: { type: { enum: requests.map(([type]) => type) } },
  required: ["type"],
  allOf: requests.map(([type, request]) => ({
    if: { properties: { type: { const: type } }, required: ["type"] },
    // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
    then: inFiles(request, {})
  }))
})

type Renamed = Readonly<Record<string, readonly [name: string, schema: Json] | undefined>>

/** A request's schema as files have it: without key, a name that may be left out, other references, and variables. */
const inFiles = (request: Json, renamed: Renamed): Json => {
  const { description, properties, required, title } = request
  const entries = Object.entries(properties as Properties).flatMap(([name, schema]): ReadonlyArray<[string, Json]> => {
    if (name === "key") return []
    const other = renamed[name]
    if (other !== undefined) return [[other[0], other[1]]]
    return name in renamed ? [] : [[name, withVariables(schema) as Json]]
  })
  return {
    type: "object",
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    properties: Object.fromEntries(entries),
    required: (required as ReadonlyArray<string>).filter((name) => name !== "name"),
    additionalProperties: false
  }
}

/** A text that has a form may come from the environment instead. */
const withVariables = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(withVariables)
  if (typeof node !== "object" || node === null) return node
  const { default: fallback, description, writeOnly, ...rest } = node as Json
  const kept = {
    ...(description === undefined ? {} : { description }),
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(writeOnly === undefined ? {} : { writeOnly })
  }
  const hasForm = rest["type"] === "string" && rest["const"] === undefined && Object.keys(rest).length > 1
  if (hasForm) return { ...kept, anyOf: [rest, ref("variable")] }
  return { ...kept, ...Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, withVariables(inner)])) }
}
