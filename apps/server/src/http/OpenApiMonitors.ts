/** Schemas of the monitors' bodies for OpenAPI, from the check kinds that were loaded. */
import type { Check } from "@kanmon/core/Check"
import { CertificateSummary } from "@kanmon/domain/Certificate"
import { MonitorStatus } from "@kanmon/domain/Status"
import { commonFields, DomainSummary, Warning } from "@kanmon/protocol/MonitorBody"
import { Result, Schema, SchemaAST } from "effect"

export type Json = Readonly<Record<string, unknown>>

const string = { type: "string" }
const time = { type: "string", format: "date-time" }

const readOnly: Json = {
  id: string,
  projectId: string,
  pausedReason: {
    type: ["string", "null"],
    enum: ["plan_limit", null],
    description: "`plan_limit`: the plan has no room for it; null when a user paused it, or it is not paused"
  },
  wantedInterval: {
    type: ["integer", "null"],
    description: "The chosen interval, where the plan has raised it"
  },
  status: { type: "string", enum: [...MonitorStatus.literals] },
  stale: {
    type: "boolean",
    description:
      "Results are overdue: there was none for three intervals plus the timeout. `status` is the last known one"
  },
  lastCheckedAt: { type: ["string", "null"], format: "date-time" },
  createdAt: time,
  updatedAt: time
}

/** What is found out about a URL besides how it answers. */
const watched: Json = {
  certificate: { anyOf: [jsonSchemaOf(CertificateSummary), { type: "null" }] },
  domain: { anyOf: [jsonSchemaOf(DomainSummary), { type: "null" }] }
}

const warnings: Json = {
  type: "array",
  items: jsonSchemaOf(Warning),
  description:
    "In responses to creation and update: what was accepted but will not work. Absent when there is nothing to warn about"
}

/** A schema with its definitions written where they are used: a config has few, and the document stays easy to read. */
export const jsonSchema = (schema: Schema.Constraint): Json => jsonSchemaOf(schema)

function jsonSchemaOf(schema: Schema.Constraint): Json {
  const document = Schema.toJsonSchemaDocument(schema as Schema.Top)
  return inlined(document.schema, document.definitions as Json) as Json
}

function inlined(node: unknown, definitions: Json, depth = 0): unknown {
  if (Array.isArray(node)) return node.map((entry) => inlined(entry, definitions, depth))
  if (typeof node !== "object" || node === null) return node
  const { $ref } = node as { readonly $ref?: unknown }
  if (typeof $ref === "string") {
    const found = definitions[$ref.split("/").at(-1)!.replaceAll("~1", "/")]
    return depth < 8 && found !== undefined ? inlined(found, definitions, depth + 1) : {}
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, inlined(value, definitions, depth)]))
}

/** Properties by field. A check's description does not always reach its JSON Schema, and defaults never do. */
export const properties = (fields: Schema.Struct.Fields, defaults: Json): Json => {
  const described = (jsonSchema(Schema.Struct(fields))["properties"] ?? {}) as Record<string, Json>
  return Object.fromEntries(
    Object.entries(described).map(([name, property]) => {
      const description = SchemaAST.resolveDescription(fields[name]!.ast) ?? property["description"]
      return [
        name,
        {
          ...property,
          ...(description === undefined ? {} : { description }),
          ...(name in defaults ? { default: defaults[name] } : {})
        }
      ]
    })
  )
}

/** Request, change and record of one type. */
export const ofCheck = (check: Check): { readonly request: Json; readonly change: Json; readonly record: Json } => {
  const example = { name: "Example", type: check.type, ...check.example }
  const type = { type: "string", const: check.type }
  const fields: Json = {
    ...properties(commonFields, {
      key: null,
      interval: 60,
      timeout: check.defaults.timeout,
      regions: [],
      paused: false
    }),
    ...properties(check.config.fields, defaultsOf(check))
  }
  const own = (jsonSchema(check.config)["required"] ?? []) as ReadonlyArray<string>
  const title = `${check.type} monitor`
  const found: Json =
    check.passive !== undefined
      ? { heartbeatUrl: { type: "string", format: "uri", description: "Where the job sends its signals" } }
      : "url" in check.config.fields
        ? watched
        : {}
  return {
    request: {
      type: "object",
      title,
      description: check.summary,
      properties: { type, ...fields },
      required: ["name", "type", ...own],
      additionalProperties: false,
      examples: [example]
    },
    change: {
      type: "object",
      title: `Change of a ${title}`,
      description: "Any of the fields; null takes one back to its default",
      properties: { type, ...optional(fields, ["name", ...own]) },
      additionalProperties: false
    },
    record: {
      type: "object",
      title,
      properties: { ...readOnly, type, ...fields, ...found, warnings },
      required: [...Object.keys(readOnly), "type", "key", "name", "interval", "timeout", "regions", "paused", ...own]
    }
  }
}

const optional = (fields: Json, required: ReadonlyArray<string>): Json =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      required.includes(name) ? field : { anyOf: [field, { type: "null" }] }
    ])
  )

/** What the type fills in by itself: it comes back from an example that has been robbed of the field. */
const defaultsOf = (check: Check): Json => {
  const found: Record<string, unknown> = {}
  for (const name of Object.keys(check.config.fields)) {
    const { [name]: _, ...rest } = check.example
    const normal = check.normalize(rest)
    if (Result.isSuccess(normal) && normal.success[name] !== undefined) found[name] = normal.success[name]
  }
  return found
}
