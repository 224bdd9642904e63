/** Rows of escalation policies. */
import { KeptSteps, OnExhausted, type PolicyDraft } from "@kanmon/domain/EscalationPolicy"
import { EscalationPolicyId, OrganizationId } from "@kanmon/domain/Ids"
import { Key } from "@kanmon/domain/Key"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import * as Persisted from "@kanmon/platform/database/Persisted"
import * as Rows from "@kanmon/platform/database/Rows"
import { Schema } from "effect"

/** The plan of a policy, or of an alert, as JSON. */
export const storedPlan = Persisted.make(
  Schema.Struct({
    steps: KeptSteps,
    repeat: Schema.Int,
    repeatAfterMinutes: Schema.Int,
    acknowledgeTimeoutMinutes: Schema.NullOr(Schema.Int),
    onExhausted: Schema.NullOr(OnExhausted)
  })
)

export const PolicyRow = Schema.Struct({
  id: EscalationPolicyId,
  organizationId: OrganizationId,
  key: Schema.NullOr(Key),
  name: Schema.String,
  plan: Schema.Unknown,
  createdAt: Rows.Time,
  updatedAt: Rows.Time
})

/** A policy as it is stored. */
export interface StoredPolicy extends PolicyDraft {
  readonly id: EscalationPolicyId
  readonly organizationId: OrganizationId
  readonly createdAt: EpochMillis
  readonly updatedAt: EpochMillis
}

export const storedPolicy = ({ plan, ...row }: typeof PolicyRow.Type): StoredPolicy => ({
  ...row,
  ...storedPlan.decode(plan)
})

/** The subject of a change, for the audit log. */
export const about = ({ id, name, organizationId }: StoredPolicy) => ({ target: { id, name }, organizationId })

/** The fields that people set. */
export const draftOf = ({
  acknowledgeTimeoutMinutes,
  key,
  name,
  onExhausted,
  repeat,
  repeatAfterMinutes,
  steps
}: PolicyDraft): PolicyDraft => ({
  key,
  name,
  steps,
  repeat,
  repeatAfterMinutes,
  acknowledgeTimeoutMinutes,
  onExhausted
})
