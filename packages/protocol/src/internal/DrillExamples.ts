/** Examples of drills for the OpenAPI document. */
import type { Drill, DrillReport } from "@kanmon/domain/Drill"
import type { Schema } from "effect"
import { alert, timeline } from "./AlertExamples.ts"
import { policy } from "./EscalationPolicyExamples.ts"
import * as Examples from "./Examples.ts"

export const drillRequest: Schema.JsonObject = {
  policyId: policy.id,
  startsAt: "2026-11-20T09:03:10.000Z",
  every: "quarter",
  timezone: "Europe/Berlin"
}

export const drill: typeof Drill.Encoded = {
  id: "drl_01m7xsj7t4c8b2v6k9wq3e5rzy",
  projectId: Examples.project.id,
  policyId: policy.id,
  ruleId: null,
  monitorId: null,
  name: policy.name,
  status: "scheduled",
  detail: null,
  startsAt: "2026-11-20T09:03:10.000Z",
  every: "quarter",
  timezone: "Europe/Berlin",
  createdBy: { kind: "user", name: "Ada" },
  startedAt: null,
  endedAt: null,
  acknowledgedAt: null,
  acknowledgedBy: null
}

export const drillReport: typeof DrillReport.Encoded = {
  ...drill,
  status: "acknowledged",
  startedAt: "2026-11-20T09:03:10.000Z",
  endedAt: "2026-11-20T09:05:01.000Z",
  acknowledgedAt: "2026-11-20T09:05:00.000Z",
  acknowledgedBy: { kind: "link", name: "Ada" },
  alertIds: [alert.id],
  people: [
    {
      userId: "usr_01kxy7v0n1w3e5r7t9y2u4i6pd",
      name: "Ada",
      reachedAfterSeconds: 2,
      reachedBy: "email",
      answeredAfterSeconds: 110,
      failed: [],
      dropped: 0
    }
  ],
  channels: [],
  timeline
}
