/** Further API keys of a project, and those of an organization, each with a role of its own. */
import { ApiKey, maxApiKeys } from "@kanmon/domain/ApiKey"
import { ApiKeyId, OrganizationId, ProjectId } from "@kanmon/domain/Ids"
import { KeyRole } from "@kanmon/domain/Role"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import { Deleted, pageQuery } from "./Lists.ts"
import { Authorization, Idempotency, JsonBody, Limits, OrganizationOnly, Problems, ProjectOnly } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import * as Examples from "./internal/Examples.ts"
import { operation } from "./internal/Operation.ts"

/** The request body that creates a key. */
export const ApiKeyRequest = Schema.Struct({
  name: Body.name,
  role: KeyRole,
  expiresAt: Schema.optionalKey(Schema.NullOr(Timestamp).annotate({ description: "When the key ends. Default: never" }))
})

/** A key with its secret, as only its creation shows it. */
export const CreatedApiKey = Schema.Struct({
  ...ApiKey.fields,
  apiKey: Schema.String.annotate({
    description: "The secret, `km_…`, or `kmo_…` of an organization. It is shown here only and cannot be read again"
  })
}).annotate({ identifier: "CreatedApiKey" })

const params = { projectId: ProjectId }
const one = { ...params, keyId: ApiKeyId }

export class ApiKeysApi extends HttpApiGroup.make("apiKeys")
  .add(
    HttpApiEndpoint.get("list", "/:projectId/api-keys", {
      params,
      query: pageQuery,
      success: Schema.Array(ApiKey),
      error: refuses("malformed_request")
    }).annotateMerge(
      operation({
        id: "listApiKeys",
        access: "apiKeys.read",
        summary: "List API keys",
        description:
          "Lists the further API keys of the project, newest first, expired ones included. Secrets are not shown. The project's own key is not among them: it is part of the project.",
        response: [Examples.apiKey]
      })
    ),
    HttpApiEndpoint.post("create", "/:projectId/api-keys", {
      params,
      payload: Body.sent<typeof ApiKeyRequest.Encoded>("ApiKeyRequest"),
      success: CreatedApiKey.pipe(HttpApiSchema.status(201)),
      error: refuses("conflict", "proof_required", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "createApiKey",
          access: "apiKeys.write",
          summary: "Create an API key",
          description: `Creates a key with a role and returns its secret, which is shown only once. 409 \`conflict\` when the project has ${maxApiKeys} keys. 403 \`proof_required\` for a session without a sign-in, or \`POST /auth/prove\`, within the last ten minutes.`,
          request: Examples.apiKeyRequest,
          response: { ...Examples.apiKey, lastUsedAt: null, apiKey: Examples.project.apiKey }
        })
      ),
    HttpApiEndpoint.delete("remove", "/:projectId/api-keys/:keyId", {
      params: one,
      success: Deleted,
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "deleteApiKey",
        access: "apiKeys.write",
        summary: "Delete an API key",
        description: "Deletes the key. It stops working at once: requests with it are answered with 401.",
        response: Examples.deleted(Examples.apiKey.id)
      })
    )
  )
  .middleware(ProjectOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/projects")
  .annotateMerge(
    OpenApi.annotations({
      title: "API keys",
      description: "Keys for programs, each with a name, a role and, if wanted, an end."
    })
  ) {}

const ofOrganization = { organizationId: OrganizationId }

export class OrganizationKeysApi extends HttpApiGroup.make("organizationKeys")
  .add(
    HttpApiEndpoint.get("list", "/:organizationId/api-keys", {
      params: ofOrganization,
      query: pageQuery,
      success: Schema.Array(ApiKey),
      error: refuses("malformed_request")
    }).annotateMerge(
      operation({
        id: "listOrganizationKeys",
        access: "organizationKeys.read",
        summary: "List an organization's API keys",
        description:
          "Lists the API keys of the organization, newest first, expired ones included. Secrets are not shown.",
        response: [Examples.organizationKey]
      })
    ),
    HttpApiEndpoint.post("create", "/:organizationId/api-keys", {
      params: ofOrganization,
      payload: Body.sent<typeof ApiKeyRequest.Encoded>("ApiKeyRequest"),
      success: CreatedApiKey.pipe(HttpApiSchema.status(201)),
      error: refuses("conflict", "proof_required", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "createOrganizationKey",
          access: "organizationKeys.write",
          summary: "Create an organization's API key",
          description: `Creates a key with a role and returns its secret, which is shown only once. With its role the key reads and changes on-call schedules and escalation policies, reads members and teams, and works in each project of the organization, which the header \`Kanmon-Project\` names. Everything else of the organization, and accounts, are for people. 409 \`conflict\` when the organization has ${maxApiKeys} keys. 403 \`proof_required\` for a session without a sign-in, or \`POST /auth/prove\`, within the last ten minutes.`,
          request: Examples.organizationKeyRequest,
          response: { ...Examples.organizationKey, lastUsedAt: null, apiKey: Examples.organizationKeySecret }
        })
      ),
    HttpApiEndpoint.delete("remove", "/:organizationId/api-keys/:keyId", {
      params: { ...ofOrganization, keyId: ApiKeyId },
      success: Deleted,
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "deleteOrganizationKey",
        access: "organizationKeys.write",
        summary: "Delete an organization's API key",
        description: "Deletes the key. It stops working at once: requests with it are answered with 401.",
        response: Examples.deleted(Examples.organizationKey.id)
      })
    )
  )
  .middleware(OrganizationOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/organizations")
  .annotateMerge(
    OpenApi.annotations({
      title: "API keys of organizations",
      description: "Keys for programs that work with on-call schedules, escalation policies and several projects."
    })
  ) {}
