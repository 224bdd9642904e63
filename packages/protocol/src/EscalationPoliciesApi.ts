/** Escalation policies of an organization: the order in which people are paged. */
import { maxPolicies } from "@kanmon/domain/EscalationPolicy"
import { EscalationPolicyId, MonitorId, OrganizationId } from "@kanmon/domain/Ids"
import { Severity } from "@kanmon/domain/Severity"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import * as EscalationPolicyBody from "./EscalationPolicyBody.ts"
import { Deleted, keyQuery } from "./Lists.ts"
import { Authorization, Idempotency, JsonBody, Limits, OrganizationOrKey, Problems } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import * as PolicyExamples from "./internal/EscalationPolicyExamples.ts"
import * as Examples from "./internal/Examples.ts"
import { operation } from "./internal/Operation.ts"

const params = { organizationId: OrganizationId }
const one = { ...params, policyId: EscalationPolicyId }

const occasion = {
  at: Schema.optionalKey(Timestamp.annotate({ description: "When the alert opens. Default: now" })),
  severity: Schema.optionalKey(Severity.annotate({ description: "Severity of the alert. Default: `critical`" })),
  monitorId: Schema.optionalKey(
    MonitorId.annotate({
      description: "A monitor of the organization. Its maintenance and silences suspend the escalation"
    })
  )
}

const rules =
  "`afterMinutes` counts from when the step before ran. A step that reaches no one is followed by the next one at once. Schedules are asked when a step runs. People need the role responder or above."

const foresees =
  "Returns what the policy does from an instant on if no one answers and every page is accepted, decided by the same rules as the escalation of an alert. Nothing is sent and nothing is saved."

export class EscalationPoliciesApi extends HttpApiGroup.make("escalationPolicies")
  .add(
    HttpApiEndpoint.get("list", "/:organizationId/escalation-policies", {
      params,
      query: keyQuery,
      success: Schema.Array(EscalationPolicyBody.EscalationPolicy)
    }).annotateMerge(
      operation({
        id: "listEscalationPolicies",
        access: "escalationPolicies.read",
        summary: "List escalation policies",
        description: "Lists the escalation policies of the organization by name.",
        response: [PolicyExamples.policy]
      })
    ),
    HttpApiEndpoint.get("get", "/:organizationId/escalation-policies/:policyId", {
      params: one,
      success: EscalationPolicyBody.EscalationPolicy,
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "getEscalationPolicy",
        access: "escalationPolicies.read",
        summary: "Get an escalation policy",
        description: "Returns one policy. `warnings` says what it names and would not reach now.",
        response: PolicyExamples.policy
      })
    ),
    HttpApiEndpoint.post("create", "/:organizationId/escalation-policies", {
      params,
      payload: Body.sent<EscalationPolicyBody.PolicyRequest>("EscalationPolicyRequest"),
      success: EscalationPolicyBody.EscalationPolicy.pipe(HttpApiSchema.status(201)),
      error: refuses("conflict", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "createEscalationPolicy",
          access: "escalationPolicies.write",
          summary: "Create an escalation policy",
          description: `Creates a policy. ${rules} 409 \`conflict\` when another policy has the key, or the organization has ${maxPolicies} policies.`,
          request: PolicyExamples.request,
          response: PolicyExamples.policy
        })
      ),
    HttpApiEndpoint.patch("update", "/:organizationId/escalation-policies/:policyId", {
      params: one,
      payload: Body.sent<EscalationPolicyBody.PolicyUpdate>("EscalationPolicyChange"),
      success: EscalationPolicyBody.EscalationPolicy,
      error: refuses("conflict", "not_found", "validation_failed")
    })
      .middleware(JsonBody)
      .annotateMerge(
        operation({
          id: "updateEscalationPolicy",
          access: "escalationPolicies.write",
          summary: "Change an escalation policy",
          description:
            "Changes the fields that are sent; `steps` replaces all of them. Alerts that are open keep the steps with which they opened.",
          request: PolicyExamples.change,
          response: { ...PolicyExamples.policy, ...PolicyExamples.change }
        })
      ),
    HttpApiEndpoint.delete("remove", "/:organizationId/escalation-policies/:policyId", {
      params: one,
      success: Deleted,
      error: refuses("conflict", "not_found")
    }).annotateMerge(
      operation({
        id: "deleteEscalationPolicy",
        access: "escalationPolicies.write",
        summary: "Delete an escalation policy",
        description: "Deletes the policy. 409 `conflict` names what uses it.",
        response: Examples.deleted(PolicyExamples.policy.id)
      })
    ),
    HttpApiEndpoint.post("preview", "/:organizationId/escalation-policies/preview", {
      params,
      query: occasion,
      payload: Body.sent<EscalationPolicyBody.PolicyRequest>("EscalationPolicyRequest"),
      success: EscalationPolicyBody.EscalationPreview,
      error: refuses("malformed_request", "validation_failed")
    })
      .middleware(JsonBody)
      .annotateMerge(
        operation({
          id: "previewEscalationPolicy",
          access: "escalationPolicies.write",
          summary: "Show what a draft does",
          description: foresees,
          request: PolicyExamples.request,
          response: PolicyExamples.preview
        })
      ),
    HttpApiEndpoint.post("previewChange", "/:organizationId/escalation-policies/:policyId/preview", {
      params: one,
      query: occasion,
      payload: Body.sent<EscalationPolicyBody.PolicyUpdate>("EscalationPolicyChange"),
      success: EscalationPolicyBody.EscalationPreview,
      error: refuses("malformed_request", "not_found", "validation_failed")
    })
      .middleware(JsonBody)
      .annotateMerge(
        operation({
          id: "previewEscalationPolicyChange",
          access: "escalationPolicies.read",
          summary: "Show what a policy does",
          description: `${foresees} Fields that are sent are laid over the policy; an empty object previews the policy as it is.`,
          request: PolicyExamples.change,
          response: PolicyExamples.preview
        })
      )
  )
  .middleware(OrganizationOrKey)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/organizations")
  .annotateMerge(
    OpenApi.annotations({
      title: "Escalation policies",
      description: "The people to page about an alert, step by step, until somebody answers."
    })
  ) {}
