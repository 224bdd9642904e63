/** Integrations: other software that sends its alerts to a project. */
import { IntegrationId } from "@kanmon/domain/Ids"
import { InboundBody, Integration } from "@kanmon/domain/Integration"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import * as IntegrationBody from "./IntegrationBody.ts"
import { Deleted, keyQuery, pageQuery } from "./Lists.ts"
import { Authorization, Idempotency, JsonBody, Limits, Problems, ProjectOnly } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import { deleted } from "./internal/Examples.ts"
import * as Examples from "./internal/IntegrationExamples.ts"
import { operation } from "./internal/Operation.ts"

const params = { integrationId: IntegrationId }

export class IntegrationsApi extends HttpApiGroup.make("integrations")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...pageQuery, ...keyQuery },
      success: Schema.Array(Integration),
      error: refuses("malformed_request")
    }).annotateMerge(
      operation({
        id: "listIntegrations",
        access: "alertRules.read",
        summary: "List integrations",
        description: "Lists the integrations of the project, newest first. Their addresses are not shown.",
        response: [Examples.integration]
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: Body.sent<IntegrationBody.IntegrationRequest>("IntegrationRequest"),
      success: IntegrationBody.AddressedIntegration.pipe(HttpApiSchema.status(201)),
      error: refuses("conflict", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "createIntegration",
          access: "alertRules.write",
          summary: "Create an integration",
          description:
            "Creates an integration and its address, which is shown only in this answer. Its rule has the trigger `external`. A project has at most 50 integrations.",
          request: Examples.integrationRequest,
          response: Examples.addressed
        })
      ),
    HttpApiEndpoint.get("get", "/:integrationId", {
      params,
      success: Integration,
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "getIntegration",
        access: "alertRules.read",
        summary: "Get an integration",
        description: "Returns one integration, without its address.",
        response: Examples.integration
      })
    ),
    HttpApiEndpoint.patch("update", "/:integrationId", {
      params,
      payload: Body.sent<IntegrationBody.IntegrationUpdate>("IntegrationChange"),
      success: Integration,
      error: refuses("not_found", "conflict", "validation_failed")
    })
      .middleware(JsonBody)
      .annotateMerge(
        operation({
          id: "updateIntegration",
          access: "alertRules.write",
          summary: "Update an integration",
          description:
            "Changes the fields that are sent; the others keep their values. Alerts that are open stay as they are, and the address does too.",
          request: { quietAfterMinutes: 30 },
          response: { ...Examples.integration, quietAfterMinutes: 30 }
        })
      ),
    HttpApiEndpoint.delete("remove", "/:integrationId", {
      params,
      success: Deleted,
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "deleteIntegration",
        access: "alertRules.write",
        summary: "Delete an integration",
        description:
          "Deletes the integration: its address stops working, and its open alerts close without a notification. Past alerts stay in the history.",
        response: deleted(Examples.integration.id)
      })
    ),
    HttpApiEndpoint.post("rotate", "/:integrationId/rotate", {
      params,
      success: IntegrationBody.AddressedIntegration,
      error: refuses("not_found")
    })
      .middleware(JsonBody)
      .annotateMerge(
        operation({
          id: "rotateIntegrationAddress",
          access: "alertRules.write",
          summary: "Rotate the integration's address",
          description: "Replaces the address, which is shown only in this answer. The older one stops working at once.",
          response: Examples.addressed
        })
      ),
    HttpApiEndpoint.get("bodies", "/:integrationId/bodies", {
      params,
      success: Schema.Array(InboundBody),
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "listInboundBodies",
        access: "secrets.read",
        summary: "List rejected bodies",
        description:
          "Lists the last 20 bodies of which something was not understood, newest first, with what was expected.",
        response: [Examples.inboundBody]
      })
    )
  )
  .middleware(ProjectOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/integrations")
  .annotateMerge(
    OpenApi.annotations({
      title: "Integrations",
      description: "Other software that sends its alerts: Alertmanager, Grafana, or anything that posts JSON."
    })
  ) {}
