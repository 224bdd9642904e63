/** Tokens with which an organization's identity provider creates, changes and removes its people by SCIM. */
import { OrganizationId, ScimTokenId } from "@kanmon/domain/Ids"
import { maxScimTokens, ScimToken } from "@kanmon/domain/ScimToken"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import { Deleted } from "./Lists.ts"
import { Authorization, Idempotency, JsonBody, Limits, OrganizationOnly, Problems } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import { operation } from "./internal/Operation.ts"
import * as Examples from "./internal/ScimExamples.ts"

/** The request body that creates a token. */
export const ScimTokenRequest = Schema.Struct({
  name: Body.name,
  expiresAt: Schema.optionalKey(
    Schema.NullOr(Timestamp).annotate({ description: "When the token ends. Default: never" })
  )
})

/** A token with its secret, as only its creation shows it. */
export const CreatedScimToken = Schema.Struct({
  ...ScimToken.fields,
  token: Schema.String.annotate({ description: "The secret, `kms_…`. It is shown here only and cannot be read again" })
}).annotate({ identifier: "CreatedScimToken" })

const params = { organizationId: OrganizationId }

export class ScimTokensApi extends HttpApiGroup.make("scimTokens")
  .add(
    HttpApiEndpoint.get("list", "/scim-tokens", { params, success: Schema.Array(ScimToken) }).annotateMerge(
      operation({
        id: "listScimTokens",
        access: "sso.read",
        summary: "List tokens for provisioning",
        description:
          "Lists the tokens of the organization, newest first, expired ones included. Secrets are not shown.",
        response: [Examples.token]
      })
    ),
    HttpApiEndpoint.post("create", "/scim-tokens", {
      params,
      payload: Body.sent<typeof ScimTokenRequest.Encoded>("ScimTokenRequest"),
      success: CreatedScimToken.pipe(HttpApiSchema.status(201)),
      error: refuses("plan_limit_reached", "conflict", "proof_required", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "createScimToken",
          access: "sso.write",
          summary: "Create a token for provisioning",
          description: `Creates a token and returns its secret, which is shown only once. The identity provider sends it to \`/scim/v2\` in the header \`Authorization: Bearer\`. 402 when the plan includes no single sign-on, 409 when the organization has ${maxScimTokens} tokens.`,
          request: { name: "Okta", expiresAt: null },
          response: { ...Examples.token, lastUsedAt: null, token: Examples.secret }
        })
      ),
    HttpApiEndpoint.delete("remove", "/scim-tokens/:tokenId", {
      params: { ...params, tokenId: ScimTokenId },
      success: Deleted,
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "deleteScimToken",
        access: "sso.write",
        summary: "Delete a token for provisioning",
        description:
          "Deletes the token. It stops working at once: requests with it are answered with 401. Members stay as they are.",
        response: { id: Examples.token.id, deleted: true }
      })
    )
  )
  .middleware(OrganizationOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/organizations/:organizationId")
  .annotateMerge(
    OpenApi.annotations({
      title: "Provisioning",
      description: "Tokens for an organization's identity provider, which provisions its people by SCIM 2.0."
    })
  ) {}
