/** Escalation policies, as the API has them. */
import type { EscalationPolicy } from "@kanmon/protocol/EscalationPolicyBody"

export type Policy = typeof EscalationPolicy.Encoded
export type Step = Policy["steps"][number]
export type Target = Step["notify"][number]
