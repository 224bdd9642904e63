/** The refusals of escalation policies as problems, each with a remedy. */
import type { EscalationPolicyNotFound, MonitorNotFound } from "@kanmon/domain/NotFound"
import { invalid, notFound, Problem } from "@kanmon/protocol/Problem"
import type { KeyTaken } from "@kanmon/platform/database/KeyTaken"
import { asProblem } from "@kanmon/platform/http/AsProblem"
import type { PolicyInUse, TooManyPolicies } from "./Policies.ts"

const keyTaken =
  "Another escalation policy of this organization already has this key; choose another key or update that policy"

export const refusing = asProblem({
  EscalationPolicyNotFound: (_: EscalationPolicyNotFound) => notFound("escalation policy"),
  MonitorNotFound: ({ id }: MonitorNotFound) =>
    invalid([{ path: "monitorId", message: `No project of the organization has the monitor ${id}` }]),
  KeyTaken: (_: KeyTaken) =>
    new Problem({ code: "conflict", detail: `key: ${keyTaken}`, errors: [{ path: "key", message: keyTaken }] }),
  PolicyInUse: ({ users }: PolicyInUse) =>
    new Problem({
      code: "conflict",
      detail: `The escalation policy is in use by ${users.join(", ")}: take it out there first`
    }),
  TooManyPolicies: ({ limit }: TooManyPolicies) =>
    new Problem({
      code: "conflict",
      detail: `The organization has ${limit} escalation policies, and can have no more; delete one that is not needed`
    })
})
