/** Holds answers of the running product against its OpenAPI document: their status, their headers and their bodies. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { inPlace } from "./ReadableDocument.ts"

/** A request and the answer to it. */
export interface Exchange {
  readonly method: string
  /** From the host on; with or without a query. */
  readonly path: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** What the contract does not allow about an answer; nothing when it allows all of it. */
export type Objections = (exchange: Exchange) => ReadonlyArray<string>

/** Headers that clients act on: none comes without being described. */
const watched = [
  "etag",
  "idempotency-replayed",
  "link",
  "ratelimit",
  "ratelimit-policy",
  "retry-after",
  "set-cookie",
  "x-request-id"
]

/** Generated clients may meet new fields one day; those of today are all described. */
const closed = (schemas: Readonly<Record<string, any>>) =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      /^(Monitor\.|Problem$)/.test(name) ? { ...schema, additionalProperties: false } : schema
    ])
  )

const compiler = (schemas: Readonly<Record<string, any>>) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajv.addFormat("date-time", /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  ajv.addFormat("email", /^[^@\s]+@[^@\s]+$/)
  ajv.addFormat("uri", (text) => URL.canParse(text))
  ajv.addSchema({ $id: "document", components: { schemas: closed(schemas) } })
  const compiled = new Map<unknown, ValidateFunction>()
  // Hundreds of refusals are described alike: what reads the same is compiled once.
  const alike = new Map<string, ValidateFunction>()
  return (schema: unknown): ValidateFunction => {
    const known = compiled.get(schema)
    if (known !== undefined) return known
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')
    const validate = alike.get(text) ?? ajv.compile(JSON.parse(text))
    alike.set(text, validate)
    compiled.set(schema, validate)
    return validate
  }
}

const routesOf = (paths: Readonly<Record<string, any>>) =>
  Object.entries(paths)
    .map(([path, operations]) => ({
      pattern: new RegExp(`^${path.replace(/\/$/, "").replaceAll(/\{[^}]+\}/g, "[^/]+")}/?$`),
      parameters: path.split("{").length,
      operations
    }))
    // A path that is written out is none of a pattern's.
    .toSorted((one, other) => one.parameters - other.parameters)

/** The objections that a document leads to. */
export const make = (document: any): Objections => {
  const routes = routesOf(inPlace(document).paths)
  const validatorOf = compiler(document.components.schemas)

  const ofBody = (content: any, { headers, text }: Exchange): ReadonlyArray<string> => {
    const mediaType = (headers.get("content-type") ?? "").split(";")[0]!.trim()
    const media = content[mediaType]
    if (media === undefined) return [`the media type "${mediaType}" is not described`]
    if (!mediaType.endsWith("json") || media.schema.type === "string") return []
    const validate = validatorOf(media.schema)
    if (validate(JSON.parse(text))) return []
    return (validate.errors ?? []).map(
      ({ instancePath, message }) => `${instancePath} ${message}: ${text.slice(0, 300)}`
    )
  }

  return (exchange) => {
    const { headers, method, path, status, text } = exchange
    const route = routes.find(({ pattern }) => pattern.test(path.split("?")[0]!))
    const operation = route?.operations[method === "HEAD" ? "get" : method.toLowerCase()]
    // Where there is no operation, an error is the right answer.
    if (operation === undefined)
      return status < 400 && method !== "OPTIONS" ? [`${method} ${path} is not described`] : []
    const response = operation.responses[status]
    const name = `${operation.operationId} ${status}`
    if (response === undefined) return [`${name} is not described: ${text.slice(0, 300)}`]
    const known = new Set(Object.keys(response.headers ?? {}).map((header) => header.toLowerCase()))
    return [
      ...watched
        .filter((header) => headers.has(header) && !known.has(header))
        .map((header) => `the header ${header} is not described`),
      ...(method === "HEAD" || response.content === undefined ? [] : ofBody(response.content, exchange))
    ].map((objection) => `${name}: ${objection}`)
  }
}
