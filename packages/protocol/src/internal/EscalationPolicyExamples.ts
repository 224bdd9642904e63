/** Examples of escalation policies. */
import type { Schema } from "effect"
import type * as EscalationPolicyBody from "../EscalationPolicyBody.ts"
import * as Examples from "./Examples.ts"
import { member } from "./OrganizationExamples.ts"
import { schedule } from "./ScheduleExamples.ts"

const steps = [
  { afterMinutes: 0, notify: [{ scheduleId: schedule.id }] },
  { afterMinutes: 10, notify: [{ scheduleId: schedule.id, position: "next" }, { userId: member.userId }] }
] as const

export const request = { name: "Shop", steps, repeat: 1 } as const satisfies Schema.Json

export const change = { repeat: 2, acknowledgeTimeoutMinutes: 60 }

const createdAt = Examples.project.createdAt

export const policy: typeof EscalationPolicyBody.EscalationPolicy.Encoded = {
  id: "pol_01m7xw4d9g2k6n0q3t7w1y5zbe",
  organizationId: Examples.project.organizationId,
  key: null,
  name: "Shop",
  steps,
  repeat: 1,
  repeatAfterMinutes: 10,
  acknowledgeTimeoutMinutes: null,
  onExhausted: null,
  warnings: [],
  createdAt,
  updatedAt: createdAt
}

export const preview: typeof EscalationPolicyBody.EscalationPreview.Encoded = {
  heldUntil: null,
  entries: [
    {
      at: "2026-11-23T08:00:00.000Z",
      type: "step_ran",
      round: 0,
      step: 0,
      userId: null,
      channelId: null,
      methodType: null,
      heldUntil: null
    },
    {
      at: "2026-11-23T08:00:00.000Z",
      type: "page",
      round: 0,
      step: 0,
      userId: member.userId,
      channelId: null,
      methodType: "email",
      heldUntil: null
    },
    {
      at: "2026-11-23T08:10:00.000Z",
      type: "step_ran",
      round: 0,
      step: 1,
      userId: null,
      channelId: null,
      methodType: null,
      heldUntil: null
    },
    {
      at: "2026-11-23T08:10:00.000Z",
      type: "nobody_reached",
      round: 0,
      step: 1,
      userId: null,
      channelId: null,
      methodType: null,
      heldUntil: null
    },
    {
      at: "2026-11-23T08:20:00.000Z",
      type: "exhausted",
      round: 0,
      step: null,
      userId: null,
      channelId: null,
      methodType: null,
      heldUntil: null
    }
  ],
  warnings: [],
  truncated: false
}
