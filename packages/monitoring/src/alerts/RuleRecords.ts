/** Alert rules as rows. */
import { AlertRule } from "@kanmon/domain/AlertRule"
import { Schema } from "effect"
import * as Rows from "@kanmon/platform/database/Rows"

/** The fields of a rule that a user sets. */
export type RuleDraft = Pick<
  AlertRule,
  "name" | "monitorIds" | "channelIds" | "triggers" | "consecutiveFailures" | "resendEvery"
> & {
  /** Unchanged when absent; a new rule has none. */
  readonly key?: AlertRule["key"]
  /** Unchanged when absent; a new rule has none. */
  readonly tags?: AlertRule["tags"]
  /** Unchanged when absent; a new rule has none. */
  readonly escalationPolicyId?: AlertRule["escalationPolicyId"]
  /** Unchanged when absent; a new rule has that of its most urgent trigger. */
  readonly severity?: AlertRule["severity"]
}

export const RuleRow = Schema.Struct({
  ...AlertRule.fields,
  createdAt: Rows.Time,
  updatedAt: Rows.Time
})
