/** The JSON Schema of the files, for editors. Derived from the schemas that decode them, with the fields of the plugins. */
import { Key } from "@kanmon/domain/Key"
import { DisplayGroup } from "@kanmon/domain/StatusPage"
import { Schema } from "effect"
import { ofChannel } from "@kanmon/protocol/ChannelSchemas"
import { isObject, type Json, jsonSchema, object } from "@kanmon/protocol/JsonSchema"
import { ofCheck } from "@kanmon/protocol/MonitorSchemas"
import {
  incidentRequest,
  integrationRequest,
  pageRequest,
  policyRequest,
  ruleRequest,
  scheduleRequest
} from "@kanmon/protocol/RequestSchemas"
import type { Kind, Kinds } from "./Resource.ts"

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
    maintenance: section("Maintenance windows by their keys", { $ref: "#/$defs/maintenance" }),
    rules: section("Alert rules by their keys", { $ref: "#/$defs/rule" }),
    schedules: section("On-call schedules of the organization by their keys", { $ref: "#/$defs/schedule" }),
    policies: section("Escalation policies of the organization by their keys", { $ref: "#/$defs/policy" }),
    integrations: section("Integrations by their keys: other software that sends its alerts", {
      $ref: "#/$defs/integration"
    }),
    pages: section("Status pages by their keys", { $ref: "#/$defs/page" })
  },
  patternProperties: { "^x-": { description: "Any content, for YAML anchors that other parts refer to" } },
  additionalProperties: false,
  $defs: {
    key: jsonSchema(Key),
    variable: {
      type: "string",
      pattern: String.raw`\$\{[A-Za-z_][A-Za-z0-9_]*\}`,
      description: "From the environment"
    },
    monitor: byType([...checks.values()].map((check) => [check.type, ofCheck(check).request])),
    channel: byType([...channels.values()].map((channel) => [channel.type, ofChannel(channel)])),
    maintenance: {
      ...inFiles(incidentRequest(), {
        monitorIds: ["monitors", listOf("Monitors that are maintained, beside those with the tags", ref("key"))],
        status: undefined,
        maintenance: undefined,
        series: undefined
      }),
      required: ["scheduledStart", "scheduledEnd"]
    },
    rule: inFiles(ruleRequest(), {
      monitorIds: ["monitors", listOf("Monitors of the rule; default: all monitors of the project", ref("key"))],
      channelIds: ["channels", listOf("Channels to notify; default: all channels of the project", ref("key"))],
      escalationPolicyId: undefined,
      escalationPolicyKey: [
        "escalationPolicy",
        {
          description:
            "Escalation policy of the organization by its key, or by its ID if it has none. Without channels, the rule then tells no channel by itself",
          anyOf: [ref("key"), { type: "null" }]
        }
      ]
    }),
    schedule: withNames(inFiles(scheduleRequest(), {})),
    policy: withNames(inFiles(policyRequest(), {})),
    integration: {
      ...inFiles(integrationRequest(), {
        ruleId: [
          "rule",
          { description: "Rule by which its alerts notify, with the trigger `external`, by its key", ...ref("key") }
        ]
      }),
      required: ["type", "rule"]
    },
    page: inFiles(pageRequest(), {
      monitorIds: ["monitors", listOf("Monitors on the page, in this order", { anyOf: [ref("key"), shown()] })],
      monitors: undefined
    })
  }
})

const ref = (name: string): Json => ({ $ref: `#/$defs/${name}` })
const listOf = (description: string, items: Json): Json => ({ type: "array", description, items })

const shown = (): Json => ({
  type: "object",
  properties: { monitor: ref("key"), group: jsonSchema(Schema.NullOr(DisplayGroup)) },
  required: ["monitor"],
  additionalProperties: false
})

const section = (description: string, entry: Json): Json => ({
  type: ["object", "null"],
  description,
  propertyNames: ref("key"),
  additionalProperties: entry
})

/** The fields depend on the type. `if`/`then` makes editors report the invalid field instead of the whole entry. */
const byType = (requests: ReadonlyArray<readonly [type: string, request: Json]>): Json => ({
  type: "object",
  properties: { type: { enum: requests.map(([type]) => type) } },
  required: ["type"],
  allOf: requests.map(([type, request]) => ({
    if: { properties: { type: { const: type } }, required: ["type"] },
    // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
    then: inFiles(request, {
      dependsOn: ["dependsOn", listOf("Monitors that this one cannot work without", ref("key"))]
    })
  }))
})

const names: Readonly<Record<string, Json>> = {
  schedule: { type: "string", description: "The person who is on call in the schedule with this key" },
  user: { type: "string", description: "The member with this e-mail address" },
  team: { type: "string", description: "Everybody in the team with this name" },
  channel: { type: "string", description: "The channel with this key; by its ID, if it belongs to another project" }
}

const person: Json = { type: "string", description: "The e-mail address of a member" }

/** The schema of a schedule or a policy with people, teams, schedules and channels by their names. */
const withNames = (node: Json): Json => named(node) as Json

const named = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(named)
  if (!isObject(node)) return node
  const properties = object(node["properties"])
  if ("participants" in properties)
    return {
      ...(mapValues(node, named) as Json),
      properties: {
        ...(mapValues(properties, named) as Json),
        participants: { ...object(properties["participants"]), items: person }
      }
    }
  const renamed = Object.fromEntries(
    Object.entries(properties).map(([field, inner]) => {
      const target = field.endsWith("Id") ? names[field.slice(0, -2)] : undefined
      return target === undefined ? [field, named(inner)] : [field.slice(0, -2), target]
    })
  )
  const required = Array.isArray(node["required"])
    ? { required: node["required"].map((field) => String(field).replace(/Id$/, "")) }
    : {}
  return { ...mapValues(node, named), ...("properties" in node ? { properties: renamed, ...required } : {}) }
}

const mapValues = (node: Json, change: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(node).map(([name, value]) => [name, change(value)])) as Json

type Renamed = Readonly<Record<string, readonly [name: string, schema: Json] | undefined>>

/** The schema of a request in the form of files: no key, an optional name, references by keys, and variables. */
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

/** A constrained text may be a variable instead. */
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

/** The schemas that the value at a path within an entry of this kind and type may have to fit. */
export const schemasAt = (
  document: Json,
  kind: Kind,
  type: unknown,
  path: ReadonlyArray<string | number>
): ReadonlyArray<Json> => {
  const defs = object(document["$defs"])
  /** The schemas that a value may have to fit, without those of other types. */
  const alternatives = (schema: Json): ReadonlyArray<Json> => {
    const { $ref: target, if: condition } = schema
    const wanted = object(object(object(condition)["properties"])["type"])["const"]
    if (condition !== undefined && wanted !== type) return []
    const inner = [schema["anyOf"], schema["oneOf"], schema["allOf"], [schema["then"]]].flatMap((list) =>
      Array.isArray(list) ? list.filter(isObject) : []
    )
    const referred = typeof target === "string" ? [object(defs[target.slice("#/$defs/".length)])] : []
    return [schema, ...[...inner, ...referred].flatMap(alternatives)]
  }
  const below = (schemas: ReadonlyArray<Json>, part: string | number): ReadonlyArray<Json> =>
    schemas.flatMap((schema) => {
      const own =
        typeof part === "number"
          ? schema["items"]
          : (object(schema["properties"])[part] ?? schema["additionalProperties"])
      return isObject(own) ? alternatives(own) : []
    })
  return path.reduce(below, alternatives(object(defs[kind])))
}

/** The names of the fields of the object at a path within an entry of this kind and type. */
export const namesAt = (...at: Parameters<typeof schemasAt>): ReadonlyArray<string> => [
  ...new Set(schemasAt(...at).flatMap(({ properties }) => Object.keys(object(properties))))
]
