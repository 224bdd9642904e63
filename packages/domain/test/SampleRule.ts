/** Alert rules for all monitors and all channels. */
import type { AlertRule, Trigger } from "../src/AlertRule.ts"
import { ProjectId, RuleId } from "../src/Ids.ts"

export const rule = (
  id: string,
  consecutiveFailures = 1,
  triggers: ReadonlyArray<Trigger> = ["monitor_down"]
): AlertRule => ({
  id: RuleId.make(`rul_${id}`),
  projectId: ProjectId.make("prj_1"),
  name: id,
  monitorIds: [],
  tags: [],
  channelIds: [],
  escalationPolicyId: null,
  escalationPolicyKey: null,
  trigger: triggers[0]!,
  triggers,
  consecutiveFailures,
  resendEvery: 0,
  severity: "critical",
  key: null,
  createdAt: 0,
  updatedAt: 0
})
