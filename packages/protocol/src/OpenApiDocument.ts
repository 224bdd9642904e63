/** The OpenAPI 3.1 document of an installation: derived from the contract, with the bodies of the plugins that were loaded. */
import { cookiePrefix } from "@kanmon/domain/CookiePrefix"
import { jsonSchema, type Json, object } from "./JsonSchema.ts"
import { OpenApi } from "effect/http-api"
import { Contract } from "./Api.ts"
import type { DescribedChannelKind } from "./ChannelSchemas.ts"
import type { CheckKind } from "./MonitorBody.ts"
import { ProblemDetails } from "./Problem.ts"
import { ScimError } from "./ScimApi.ts"
import { requestSchemas } from "./RequestSchemas.ts"
import { withDefaultsInWords } from "./internal/DefaultsInWords.ts"
import { type Endpoint, endpoints } from "./internal/Endpoints.ts"
import { pluginRequests, recordSchemas } from "./internal/PluginSchemas.ts"
import { requestBody } from "./internal/RequestBodies.ts"
import { isPaged, parameters, sharedParameters } from "./internal/Parameters.ts"
import { headers, problems, responses } from "./internal/Responses.ts"
import { withOneNameEach } from "./internal/SchemaNames.ts"

/** The plugins that define bodies of the document. */
export interface Kinds {
  readonly checks: ReadonlyMap<string, CheckKind>
  readonly channels: ReadonlyMap<string, DescribedChannelKind>
}

/** The parts of the document that its readers rely on. */
export interface Document extends Json {
  readonly paths: Readonly<Record<string, Json>>
  readonly components: { readonly schemas: Json; readonly responses: Json; readonly parameters: Json } & Json
}

const license = { name: "Apache-2.0", identifier: "Apache-2.0" }
const contact = { name: "Kanmon" }

/** The document for an installation at this address. */
export const make = ({ channels, checks }: Kinds, baseUrl: string, version: string): Document => {
  const { components, info, paths: described, tags, ...spec } = OpenApi.fromApi(Contract)
  const { paths, schemas } = withOneNameEach({ ...described }, { ...components.schemas })
  return {
    ...spec,
    info: { ...info, version, license, contact },
    servers: [{ url: baseUrl }],
    tags: tags.filter(({ description }) => description !== undefined),
    paths: Object.fromEntries(Object.entries(paths).map(([path, operations]) => [path, pathItem(object(operations))])),
    components: {
      schemas: {
        ...schemas,
        ...recordSchemas([...checks.values()]),
        ...withDefaultsInWords({
          ...requestSchemas(),
          ...pluginRequests([...checks.values()], [...channels.values()])
        }),
        Problem: jsonSchema(ProblemDetails),
        ScimError: jsonSchema(ScimError)
      },
      parameters: sharedParameters,
      responses: problems(),
      headers,
      securitySchemes: securitySchemes(baseUrl)
    }
  }
}

const pathItem = (operations: Json): Json =>
  Object.fromEntries(
    Object.entries(operations).map(([method, operation]) => {
      const described = object(operation)
      const endpoint = endpoints.get(String(described["operationId"]))
      return [method, endpoint === undefined ? described : completed(described, endpoint)]
    })
  )

/** An operation as the schemas describe it, with what the endpoint declares besides. */
const completed = ({ requestBody: body, ...operation }: Json, endpoint: Endpoint): Json => ({
  ...operation,
  security: security(endpoint),
  "x-role": endpoint.caller,
  ...(endpoint.isOfOrganization ? { "x-role-of": "organization" } : {}),
  parameters: parameters(operation["parameters"], endpoint),
  ...(body === undefined ? {} : { requestBody: requestBody(object(body), endpoint.operation) }),
  responses: responses(object(operation["responses"]), endpoint, isPaged(operation["parameters"]))
})

/** Sessions are of browsers or of programs; the routes of accounts are for browsers. */
const security = ({ credentials, isOfBrowser }: Endpoint): ReadonlyArray<Json> =>
  credentials.flatMap((credential): ReadonlyArray<Json> => {
    if (credential === "none") return [{}]
    return credential === "session" && !isOfBrowser ? [{ session: [] }, { token: [] }] : [{ [credential]: [] }]
  })

const securitySchemes = (baseUrl: string): Json => ({
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "x-api-key",
    description: "An API key of a project, `km_…`, or of an organization, `kmo_…`"
  },
  session: {
    type: "apiKey",
    in: "cookie",
    name: `${cookiePrefix(baseUrl)}.session_token`,
    description: "Set by signing in. Writes with the `Origin` of another site are refused."
  },
  scimToken: {
    type: "http",
    scheme: "bearer",
    description: "A token for provisioning, `kms_…`, of an organization's identity provider"
  },
  token: {
    type: "http",
    scheme: "bearer",
    description: "The session of a program, which `POST /auth/device/token` begins; `kanmon login` has one"
  }
})
