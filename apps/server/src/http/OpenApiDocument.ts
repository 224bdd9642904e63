/** The OpenAPI 3.1 document: generated from the contract, with the monitors' bodies as the loaded check kinds have them. */
import type { Check } from "@kanmon/core/Check"
import { Api, basePath } from "@kanmon/protocol/Api"
import { commonFields } from "@kanmon/protocol/MonitorBody"
import { codes, ProblemDetails } from "@kanmon/protocol/Problem"
import { MonitorStatus } from "@kanmon/domain/Status"
import { Schema } from "effect"
import { OpenApi } from "effect/http-api"

// oxlint-disable-next-line typescript/no-explicit-any -- a document under construction is a tree of anything.
type Json = { [key: string]: any }

const jsonSchema = (schema: Schema.Constraint): Json => {
  const document = Schema.toJsonSchemaDocument(schema as Schema.Top) as unknown as { schema: Json; definitions?: Json }
  return inlined(document.schema, document.definitions ?? {}) as Json
}

/** Definitions are written where they are used: a config has few, and the document stays easy to read. */
const inlined = (node: unknown, definitions: Json, depth = 0): unknown => {
  if (Array.isArray(node)) return node.map((entry) => inlined(entry, definitions, depth))
  if (typeof node !== "object" || node === null) return node
  const reference = (node as Json)["$ref"]
  if (typeof reference === "string" && depth < 8) {
    const name = reference.split("/").at(-1)!.replaceAll("~1", "/")
    return definitions[name] === undefined ? {} : inlined(definitions[name], definitions, depth + 1)
  }
  if (typeof reference === "string") return {}
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, inlined(value, definitions, depth)]))
}

const string = { type: "string" }
const time = { type: "string", format: "date-time" }

const readOnly: Json = {
  id: string,
  projectId: string,
  status: { type: "string", enum: [...MonitorStatus.literals] },
  lastCheckedAt: { type: ["string", "null"], format: "date-time" },
  createdAt: time,
  updatedAt: time
}

/** Request and record of one type. */
const schemasOf = (check: Check): { readonly request: Json; readonly record: Json } => {
  const common = jsonSchema(Schema.Struct(commonFields))
  const own = jsonSchema(check.config)
  const type = { type: "string", const: check.type }
  const properties = { type, ...common["properties"], ...own["properties"] }
  const required = ["name", "type", ...((own["required"] as ReadonlyArray<string> | undefined) ?? [])]
  return {
    request: {
      type: "object",
      title: `${check.type} monitor`,
      description: check.summary,
      properties,
      required,
      additionalProperties: false,
      examples: [{ name: "Example", type: check.type, ...check.example }]
    },
    record: {
      type: "object",
      title: `${check.type} monitor`,
      properties: { ...readOnly, ...properties },
      required: [...Object.keys(readOnly), ...required]
    }
  }
}

const problemResponse = (code: keyof typeof codes): Json => ({
  description: `${codes[code].title} (\`${code}\`): ${codes[code].when}`,
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } }
})

const problemsOf = (path: string, method: string): ReadonlyArray<keyof typeof codes> => {
  if (path.includes("/health")) return []
  return [
    "unauthorized",
    "forbidden",
    "rate_limited",
    "unavailable",
    ...(path.includes("{") ? (["not_found"] as const) : []),
    ...(method === "post" || method === "patch"
      ? (["malformed_request", "validation_failed", "payload_too_large"] as const)
      : []),
    ...(/daily|times|metrics/.test(path) || method === "get" ? (["malformed_request"] as const) : [])
  ]
}

/** The document for an installation at this address. */
export const make = (checks: ReadonlyMap<string, Check>, baseUrl: string, version: string): Json => {
  const spec = structuredClone(OpenApi.fromApi(Api)) as unknown as Json
  const kinds = [...checks.values()].map((check) => [check.type, schemasOf(check)] as const)
  spec["info"] = { ...spec["info"], version }
  spec["servers"] = [{ url: baseUrl }]
  const schemas: Json = { ...spec["components"]?.["schemas"], Problem: jsonSchema(ProblemDetails) }
  for (const [type, { record, request }] of kinds) {
    schemas[`MonitorRequest.${type}`] = request
    schemas[`Monitor.${type}`] = record
  }
  schemas["Monitor"] = oneOf("Monitor", kinds)
  spec["components"] = {
    ...spec["components"],
    schemas,
    securitySchemes: {
      apiKey: { type: "apiKey", in: "header", name: "x-api-key", description: "A project's key" },
      session: { type: "apiKey", in: "cookie", name: "kanmon.session_token", description: "Set by signing in" }
    }
  }
  for (const [path, methods] of Object.entries(spec["paths"] as Json)) {
    for (const [method, operation] of Object.entries(methods as Json))
      describeOperation(path, method, operation as Json, kinds)
  }
  Object.assign(spec["paths"] as Json, authPaths)
  return spec
}

const oneOf = (prefix: string, kinds: ReadonlyArray<readonly [string, unknown]>): Json => ({
  oneOf: kinds.map(([type]) => ({ $ref: `#/components/schemas/${prefix}.${type}` })),
  discriminator: {
    propertyName: "type",
    mapping: Object.fromEntries(kinds.map(([type]) => [type, `#/components/schemas/${prefix}.${type}`]))
  }
})

const describeOperation = (
  path: string,
  method: string,
  operation: Json,
  kinds: ReadonlyArray<readonly [string, { readonly request: Json }]>
): void => {
  const responses = operation["responses"] as Json
  // The contract's one problem schema stands for all of them; each status is told apart here.
  for (const status of Object.keys(responses))
    if (Number(status) >= 400 && !path.includes("/health")) delete responses[status]
  for (const code of problemsOf(path, method)) responses[String(codes[code].status)] = problemResponse(code)
  if (path.includes("/monitors")) operation["security"] = [{ apiKey: [] }]
  if (path.includes("/projects"))
    operation["security"] =
      path.endsWith("/projects") || path.endsWith("/projects/") ? [{ session: [] }] : [{ apiKey: [] }, { session: [] }]
  const content = operation["requestBody"]?.["content"]?.["application/json"] as Json | undefined
  if (content === undefined) return
  if (path.includes("/monitors") && method === "post") content["schema"] = oneOf("MonitorRequest", kinds)
  else if (path.includes("/monitors")) {
    content["schema"] = {
      type: "object",
      description: "Any of the fields of the monitor's type",
      minProperties: 1,
      anyOf: kinds.map(([, { request }]) => ({
        ...request,
        title: `Change of a ${String(request["title"])}`,
        required: [],
        examples: []
      }))
    }
  } else {
    content["schema"] = {
      type: "object",
      properties: { name: { type: "string", minLength: 1, maxLength: 200 } },
      required: ["name"],
      additionalProperties: false
    }
  }
}

const credentials = (fields: ReadonlyArray<string>): Json => ({
  required: true,
  content: {
    "application/json": {
      schema: {
        type: "object",
        properties: Object.fromEntries(fields.map((field) => [field, string])),
        required: [...fields]
      }
    }
  }
})

const answer = (description: string): Json => ({ description, content: { "application/json": { schema: {} } } })

const authPaths: Json = {
  [`${basePath}/auth/sign-up/email`]: {
    post: {
      tags: ["auth"],
      operationId: "auth.signUp",
      summary: "Creates an account and its first project",
      requestBody: credentials(["name", "email", "password"]),
      responses: {
        "200": answer("The account; sets the session cookie"),
        "409": problemResponse("conflict"),
        "422": problemResponse("validation_failed")
      }
    }
  },
  [`${basePath}/auth/sign-in/email`]: {
    post: {
      tags: ["auth"],
      operationId: "auth.signIn",
      summary: "Begins a session",
      requestBody: credentials(["email", "password"]),
      responses: {
        "200": answer("The account; sets the session cookie"),
        "401": problemResponse("unauthorized"),
        "429": problemResponse("rate_limited")
      }
    }
  },
  [`${basePath}/auth/sign-out`]: {
    post: {
      tags: ["auth"],
      operationId: "auth.signOut",
      summary: "Ends the session",
      responses: { "200": answer("Done") }
    }
  },
  [`${basePath}/auth/get-session`]: {
    get: {
      tags: ["auth"],
      operationId: "auth.session",
      summary: "The current session, or null",
      responses: { "200": answer("Session and account") }
    }
  }
}
