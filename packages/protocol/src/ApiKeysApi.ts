/** Further API keys of a project, each with a role of its own. */
import { ApiKey, maxApiKeys } from "@kanmon/domain/ApiKey"
import { ApiKeyId, ProjectId } from "@kanmon/domain/Ids"
import { KeyRole } from "@kanmon/domain/Role"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import { Deleted, pageQuery } from "./Lists.ts"
import { Authorization, Idempotency, JsonBody, Limits, Problems, ProjectOnly } from "./Middleware.ts"
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
  apiKey: Schema.String.annotate({ description: "The secret, `km_…`. It is shown here only and cannot be read again" })
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
