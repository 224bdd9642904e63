/** Examples of alerts and silences for the OpenAPI document. */
import type { Alert } from "@kanmon/domain/Alert"
import type { Silence } from "@kanmon/domain/Silence"
import type { Schema } from "effect"
import * as Examples from "./Examples.ts"

const { channelId, id: entryId, monitorId, ruleId } = Examples.alert

export const acknowledgement: Schema.JsonObject = { note: "The disk is full; I am on it" }

export const snooze: Schema.JsonObject = { until: "2026-11-20T10:30:00.000Z" }

export const alert: typeof Alert.Encoded = {
  id: "alt_01m7xsj7t4c8b2v6k9wq3e5rzy",
  projectId: Examples.project.id,
  ruleId,
  monitorId,
  trigger: "monitor_down",
  severity: "critical",
  state: "open",
  reason: "shop.example answered 503; expected 200-299",
  startedAt: "2026-11-20T09:02:10.000Z",
  openedAt: "2026-11-20T09:03:10.000Z",
  resolvedAt: null,
  acknowledgedAt: null,
  acknowledgedBy: null,
  note: null,
  snoozedUntil: null,
  snoozedBy: null,
  silenced: false,
  entries: [{ id: entryId, channelId, status: "delivered", error: null }]
}

export const acknowledgedAlert: typeof Alert.Encoded = {
  ...alert,
  state: "acknowledged",
  acknowledgedAt: "2026-11-20T09:05:00.000Z",
  acknowledgedBy: { kind: "user", name: "Ada" },
  note: "The disk is full; I am on it"
}

export const snoozedAlert: typeof Alert.Encoded = {
  ...alert,
  state: "snoozed",
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
