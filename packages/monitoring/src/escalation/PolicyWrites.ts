/** Writes escalation policies from the bodies of requests, with what is refused as problems. */
import type { EscalationPolicyId, OrganizationId } from "@kanmon/domain/Ids"
import * as Payload from "@kanmon/platform/http/Payload"
import * as EscalationPolicyBody from "@kanmon/protocol/EscalationPolicyBody"
import { Effect } from "effect"
import { Policies, type Revision } from "./Policies.ts"
import { refusing } from "./PolicyProblems.ts"

export const policyIn = Payload.read(EscalationPolicyBody.decode)

/** Lays the body of a change over a policy. */
export const revising =
  (payload: unknown): Revision =>
  (current) =>
    EscalationPolicyBody.decode(EscalationPolicyBody.merge(current, payload))

export const make = Effect.map(Policies, (policies) => ({
  create: (id: OrganizationId, body: unknown) =>
    Effect.flatMap(policyIn(body), (draft) => policies.create(id, draft)).pipe(refusing),
  update: (id: OrganizationId, policyId: EscalationPolicyId, body: unknown) =>
    policies.update(id, policyId, revising(body)).pipe(refusing),
  remove: (id: OrganizationId, policyId: EscalationPolicyId) => policies.remove(id, policyId).pipe(refusing)
}))
