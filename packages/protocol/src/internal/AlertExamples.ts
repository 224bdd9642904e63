/** Examples of alerts and silences for the OpenAPI document. */
import type { Alert } from "@kanmon/domain/Alert"
import type { TimelineEntry } from "@kanmon/domain/AlertTimeline"
import { reason } from "@kanmon/domain/Reason"
import type { Silence } from "@kanmon/domain/Silence"
import type { Schema } from "effect"
import * as Examples from "./Examples.ts"
import { policy } from "./EscalationPolicyExamples.ts"

const { channelId, id: entryId, monitorId, ruleId } = Examples.alert

export const acknowledgement: Schema.JsonObject = { note: "The disk is full; I am on it" }

export const snooze: Schema.JsonObject = { until: "2026-11-20T10:30:00.000Z" }

const answered = reason("status_mismatch", { host: "shop.example", status: 503, expected: "200-299" })

export const alert: typeof Alert.Encoded = {
  id: "alt_01m7xsj7t4c8b2v6k9wq3e5rzy",
  projectId: Examples.project.id,
  ruleId,
  monitorId,
  source: null,
  drillId: null,
  trigger: "monitor_down",
  severity: "critical",
  state: "open",
  reason: answered.message,
  explanation: answered.explanation,
  startedAt: "2026-11-20T09:02:10.000Z",
  openedAt: "2026-11-20T09:03:10.000Z",
  resolvedAt: null,
  resolvedBy: null,
  acknowledgedAt: null,
  acknowledgedBy: null,
  note: null,
  snoozedUntil: null,
  snoozedBy: null,
  silenced: false,
  escalation: {
    policyId: policy.id,
    status: "open",
    held: false,
    nextStep: 1,
    step: 1,
    nextAt: "2026-11-20T09:13:10.000Z"
  },
  entries: [{ id: entryId, channelId, status: "delivered", error: null }]
}

export const externalAlert: typeof Alert.Encoded = {
  ...alert,
  monitorId: null,
  source: {
    integrationId: "int_01m7xsj7t4c8b2v6k9wq3e5rzy",
    key: "1a30ba71cca2921f",
    title: "Disk of db-1 is almost full",
    link: "https://prometheus.example/graph?g0.expr=disk_free",
    labels: { alertname: "DiskAlmostFull", instance: "db-1", severity: "warning" }
  },
  trigger: "external",
  severity: "warning",
  reason: "4% are left",
  explanation: null
}

export const resolvedAlert: typeof Alert.Encoded = {
  ...externalAlert,
  state: "resolved",
  resolvedAt: "2026-11-20T09:10:00.000Z",
  resolvedBy: { kind: "user", name: "Ada" },
  escalation: { ...alert.escalation!, status: "ended", nextAt: null }
}

export const acknowledgedAlert: typeof Alert.Encoded = {
  ...alert,
  state: "acknowledged",
  escalation: { ...alert.escalation!, status: "acknowledged", nextAt: null },
  acknowledgedAt: "2026-11-20T09:05:00.000Z",
  acknowledgedBy: { kind: "user", name: "Ada" },
  note: "The disk is full; I am on it"
}

export const snoozedAlert: typeof Alert.Encoded = {
  ...alert,
  state: "snoozed",
  escalation: { ...alert.escalation!, nextAt: "2026-11-20T10:30:00.000Z" },
  snoozedUntil: "2026-11-20T10:30:00.000Z",
  snoozedBy: { kind: "user", name: "Ada" }
}

export const silenceRequest: Schema.JsonObject = {
  tags: ["team:payments"],
  until: "2026-11-20T18:00:00.000Z",
  reason: "Migration of the payment database"
}

export const silence: typeof Silence.Encoded = {
  id: "sil_01m7xst8f6d2h9k4w7cz3n5vqb",
  projectId: Examples.project.id,
  monitorIds: [],
  tags: ["team:payments"],
  until: "2026-11-20T18:00:00.000Z",
  reason: "Migration of the payment database",
  createdBy: { kind: "user", name: "Ada" },
  createdAt: "2026-11-20T08:30:00.000Z"
}

export const escalateRequest: Schema.JsonObject = { step: 1 }

export const pageRequest: Schema.JsonObject = {
  userId: "usr_01kxy7v0n1w3e5r7t9y2u4i6pd",
  note: "You know the payment gateway"
}

export const pageAnswer = { userIds: ["usr_01kxy7v0n1w3e5r7t9y2u4i6pd"], unreachable: [] }

const nothing = { round: null, step: null, by: null, note: null, until: null, target: null, page: null }

export const timeline: ReadonlyArray<typeof TimelineEntry.Encoded> = [
  { ...nothing, at: alert.openedAt, type: "opened", note: alert.reason },
  { ...nothing, at: alert.openedAt, type: "step_ran", round: 0, step: 0 },
  {
    ...nothing,
    at: alert.openedAt,
    type: "page",
    round: 0,
    step: 0,
    page: {
      id: "pge_01m7xsj7t5d9c3w7l0xr4f6sab",
      cause: "step",
      userId: "usr_01kxy7v0n1w3e5r7t9y2u4i6pd",
      userName: "Ada",
      methodType: "email",
      channelId: null,
      channelName: null,
      reason: {
        kind: "on_call",
        name: "Primary",
        from: null,
        until: "2026-11-23T08:00:00.000Z",
        note: null,
        policy: "Shop",
        step: 0
      },
      outcome: "reached",
      detail: "250 Ok",
      attempts: [{ at: "2026-11-20T09:03:11.000Z", outcome: "delivered", detail: "250 Ok" }],
      heldUntil: null,
      finishedAt: "2026-11-20T09:03:12.000Z",
      answeredAt: "2026-11-20T09:05:00.000Z",
      reply: null,
      alerts: 1
    }
  },
  {
    ...nothing,
    at: "2026-11-20T09:05:00.000Z",
    type: "acknowledged",
    by: { kind: "link", name: "Ada" }
  }
]
