/**
 * Responses of the OpenAPI document: the bodies that the schemas name, and the problems that the endpoint declares. Problems are
 * described once, in the components, since most of them are possible everywhere.
 */
import { freePlanId } from "@kanmon/domain/Plan"
import { codes, type ProblemCode } from "@kanmon/domain/ProblemCode"
import { errorSchema, scimMediaType } from "@kanmon/domain/Scim"
import { type Json, object } from "../JsonSchema.ts"
import type { HeaderName } from "../Middleware.ts"
import { Problem, toDetails } from "../Problem.ts"
import { type Endpoint, endpoints } from "./Endpoints.ts"
import { schemaRef } from "./PluginSchemas.ts"
import { withExamples } from "./RequestBodies.ts"

const header = (description: string, type: string): Json => ({ description, schema: { type } })

/** Headers of responses, by their names. */
export const headers: Readonly<Record<HeaderName, Json>> = {
  "X-Request-Id": header("The id of the request, from the client or generated; it is in the logs", "string"),
  RateLimit: header("The rest of the limit, and the seconds until it is reset", "string"),
  "RateLimit-Policy": header("The limit and its window in seconds", "string"),
  "Retry-After": header("Seconds to wait", "integer"),
  "Idempotency-Replayed": header("`true` when this is the response to an earlier request with the same key", "string"),
  Link: header('The next page, rel="next" (RFC 8288)', "string")
}

const headerRefs = (names: ReadonlyArray<HeaderName>): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** The responses by their statuses. */
export const responses = (described: Json, endpoint: Endpoint, paged: boolean): Json => ({
  ...Object.fromEntries(
    Object.entries(described)
      .filter(([status]) => endpoint.successes.has(status))
      .map(([status, response]) => [status, success(Number(status), object(response), endpoint, paged)])
  ),
  ...Object.fromEntries(
    byStatus(endpoint).map(([status, alike]) => [String(status), responseRef(nameOf(alike, endpoint))])
  ),
  // Operations that only redirect: readers of the document want to know every outcome.
  ...([...endpoint.successes].some((status) => status.startsWith("2")) ? {} : { default: responseRef("AnyOther") })
})

const responseRef = (name: string): Json => ({ $ref: `#/components/responses/${name}` })

const inOrder = Object.keys(codes)

/** The problems of an endpoint by their statuses, both in the order of the catalogue. */
const byStatus = ({ codes: possible }: Endpoint): ReadonlyArray<readonly [number, ReadonlyArray<ProblemCode>]> =>
  [
    ...Map.groupBy(
      possible.toSorted((one, other) => inOrder.indexOf(one) - inOrder.indexOf(other)),
      (code) => codes[code].status
    )
  ].toSorted(([one], [other]) => one - other)

const pascal = (code: ProblemCode): string =>
  code
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("")

/** The name of a response: its problems, and how it differs from that of most operations. */
const nameOf = (alike: ReadonlyArray<ProblemCode>, { headers: around, operation }: Endpoint): string =>
  [
    alike.map(pascal).join("Or"),
    operation.isScim === true ? "Scim" : "",
    operation.errorPages === true ? "Page" : "",
    around.length === 0 ? "Unlimited" : ""
  ]
    .filter((part) => part !== "")
    .join(".")

/** Every problem that an operation can answer with, by the names that operations refer to. */
export const problems = (): Json => {
  const found: Record<string, Json> = {}
  for (const endpoint of endpoints.values())
    for (const [, alike] of byStatus(endpoint)) {
      const name = nameOf(alike, endpoint)
      const described = problem(alike, endpoint)
      if (name in found && JSON.stringify(found[name]) !== JSON.stringify(described))
        throw new Error(`${endpoint.operation.id}: another response is named ${name}, too`)
      found[name] = described
    }
  return {
    AnyOther: anyOther,
    ...Object.fromEntries(Object.entries(found).toSorted(([one], [other]) => (one < other ? -1 : 1)))
  }
}

const anyOther: Json = {
  description: "Any other error, as problem details",
  content: { "application/problem+json": { schema: schemaRef("Problem") } }
}

const success = (
  status: number,
  response: Json,
  { headers: around, isIdempotent, operation }: Endpoint,
  paged: boolean
): Json => ({
  ...response,
  headers: {
    ...headerRefs([
      "X-Request-Id",
      ...around,
      ...(isIdempotent ? (["Idempotency-Replayed"] as const) : []),
      ...(isTemporary(status) ? (["Retry-After"] as const) : []),
      ...(paged ? (["Link"] as const) : [])
    ]),
    ...Object.fromEntries(Object.entries(operation.headers ?? {}).map(([name, text]) => [name, header(text, "string")]))
  },
  ...(response["content"] === undefined
    ? {}
    : {
        content: {
          ...withExamples(object(response["content"]), operation.response),
          ...asText("text/csv", operation.csv),
          ...asText("text/event-stream", operation.events)
        }
      })
})

/** The same as text of another media type, which `Accept` selects. */
const asText = (mediaType: string, example: string | undefined): Json =>
  example === undefined ? {} : { [mediaType]: { schema: { type: "string" }, example } }

/** Statuses that are worth a retry. */
const isTemporary = (status: number): boolean => status === 409 || status === 429 || status === 503

/** One status, for one reason or several. */
const problem = (alike: ReadonlyArray<ProblemCode>, { headers: around, operation }: Endpoint): Json => {
  const [first] = alike
  if (first === undefined) return {}
  return {
    description: alike.map((code) => `${codes[code].title} (\`${code}\`): ${codes[code].when}`).join(". "),
    headers: headerRefs([
      "X-Request-Id",
      ...around,
      ...(isTemporary(codes[first].status) ? (["Retry-After"] as const) : [])
    ]),
    content: {
      ...(operation.isScim === true
        ? { [scimMediaType]: { schema: schemaRef("ScimError"), example: scimExample(first) } }
        : { "application/problem+json": { schema: schemaRef("Problem"), example: problemExample(first) } }),
      ...(operation.errorPages === true ? { "text/html": { schema: { type: "string" } } } : {})
    }
  }
}

const scimExample = (code: ProblemCode): Json => ({
  schemas: [errorSchema],
  status: String(codes[code].status),
  detail: codes[code].when
})

const problemExample = (code: ProblemCode): Json => ({
  ...toDetails(
    new Problem({
      code,
      detail: codes[code].when,
      ...(code === "validation_failed" ? { errors: [{ path: "interval", message: "Expected whole seconds" }] } : {}),
      ...(code === "plan_limit_reached" ? { planLimit: { limit: 50, current: 50, planId: freePlanId } } : {}),
      ...(code === "account_limit_reached" ? { accountLimit: { limit: 100, current: 100 } } : {})
    }),
    "01m7xs8mrbmd3ef5jxd1fat24r"
  )
})
