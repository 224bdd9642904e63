/** Parameters of the OpenAPI document. */
import { type Json, object } from "../JsonSchema.ts"
import { organizationHeader, organizationParameter, projectHeader } from "../Middleware.ts"
import type { Endpoint } from "./Endpoints.ts"

const organizationText = "The organization, `org_…`. Default: the oldest one in which the account is an owner or admin"

/** Parameters of middleware, by the names that operations refer to. */
export const sharedParameters = {
  Project: {
    name: projectHeader,
    in: "header",
    required: false,
    description:
      "The project, `prj_…`. Required with a session or an organization's API key; ignored with a project's API key",
    schema: { type: "string" }
  },
  // Either of the two.
  Organization: {
    name: organizationHeader,
    in: "header",
    required: false,
    description: organizationText,
    schema: { type: "string" }
  },
  OrganizationInQuery: {
    name: organizationParameter,
    in: "query",
    required: false,
    description: organizationText,
    schema: { type: "string" }
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "For 24 hours a repeated request with the same key and body gets the first response and has no second effect",
    schema: { type: "string", maxLength: 255 }
  }
}

/** Numbers in a query are text to the decoder. */
const limitSchema: Json = { type: "integer", minimum: 1, maximum: 1000, default: 1000 }

/** Kinds of ids differ for the decoder only: the alternatives of a parameter can be the same text. */
const withoutTwins = ({ anyOf, ...schema }: Json): Json => {
  if (!Array.isArray(anyOf)) return schema
  const [only, ...others] = [...new Map(anyOf.map((each) => [JSON.stringify(each), object(each)])).values()]
  return others.length === 0 ? { ...schema, ...only } : { ...schema, anyOf: [only, ...others] }
}

/** The parameters that the schemas name, with their descriptions and examples, and those of the middleware. */
export const parameters = (
  named: unknown,
  { isIdempotent, isOfOrganization, isOfProject, operation, path }: Endpoint
): ReadonlyArray<Json> => [
  ...(Array.isArray(named) ? named.map(object) : []).map((parameter) => {
    const name = String(parameter["name"])
    const { description, ...schema } = object(parameter["schema"])
    const example = operation.parameters?.[name]
    return {
      ...parameter,
      ...(description === undefined ? {} : { description }),
      schema: name === "limit" ? limitSchema : withoutTwins(schema),
      ...(example === undefined ? {} : { example })
    }
  }),
  ...(isOfProject && !path.includes("{projectId}") ? [parameterRef("Project")] : []),
  ...(isOfOrganization && !path.includes("{organizationId}")
    ? [parameterRef("Organization"), parameterRef("OrganizationInQuery")]
    : []),
  ...(isIdempotent ? [parameterRef("IdempotencyKey")] : [])
]

const parameterRef = (name: keyof typeof sharedParameters): Json => ({ $ref: `#/components/parameters/${name}` })

/** Whether the endpoint lists in pages: the next one is in the `Link` header. */
export const isPaged = (parameters: unknown): boolean =>
  Array.isArray(parameters) &&
  ["limit", "cursor"].every((name) => parameters.some((parameter) => object(parameter)["name"] === name))
