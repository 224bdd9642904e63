/** Examples of bodies for the OpenAPI document: a project, its monitors and its alerts. All belong together, so that their ids agree. */
import type { AlertHistoryEntry, AlertRule } from "@kanmon/domain/AlertRule"
import type { ApiKey } from "@kanmon/domain/ApiKey"
import type { AuditEntry } from "@kanmon/domain/AuditEntry"
import type { MonitorStats } from "@kanmon/domain/Monitor"
import type { Project } from "@kanmon/domain/Project"
import type { Schema } from "effect"
import type { Delivery } from "../DeliveryBody.ts"
import type { ChannelRecord } from "../ChannelBody.ts"
import type { RulePreview } from "../RuleBody.ts"

const organizationId = "org_01m7xr0ab1s6d8g3jp9yf5c2te"
export const projectId = "prj_01m7xr0ab3v9k2t5wq8zc4n6hd"
export const monitorId = "mon_01m7xs8mrbmd3ef5jxd1fat24r"
const channelId = "ch_01m7xsc2p7r4y9e6gk1vb8t3wz"
const ruleId = "rul_01m7xsd9q3z5m8n2ca7xf6k4jv"
export const createdAt = "2026-11-20T08:30:00.000Z"

export const deleted = (id: string): Schema.JsonObject => ({ id, deleted: true })

export const project: typeof Project.Encoded = {
  id: projectId,
  organizationId,
  name: "Shop",
  timezone: "UTC",
  role: "owner",
  apiKey: "km_4Zt8QwLx2NvB7cRy5HsKp9MdJf3GaTe6UiOo1XnVbE",
  createdAt,
  updatedAt: createdAt
}

export const apiKeyRequest = { name: "Deploy", role: "editor", expiresAt: "2027-05-01T00:00:00.000Z" }

export const apiKey: typeof ApiKey.Encoded = {
  id: "key_01kxy7v0n1w3e5r7t9y2u4i6oc",
  name: "Deploy",
  role: "editor",
  expiresAt: "2027-05-01T00:00:00.000Z",
  lastUsedAt: "2026-11-20T09:14:00.000Z",
  createdBy: { kind: "person", id: "usr_01kxy7v0n1w3e5r7t9y2u4i6pd", name: "ada@example.org" },
  createdAt
}

export const organizationKeyRequest = { name: "Rotations", role: "editor" }
export const organizationKeySecret = "kmo_9Xc2VbN4mQ7wErT1yUiO5pAsD8fGhJ3kLzXcV6bNmQw"

export const organizationKey: typeof ApiKey.Encoded = {
  ...apiKey,
  id: "key_01kxy7v0n1w3e5r7t9y2u4i6od",
  name: "Rotations",
  expiresAt: null
}

export const auditEntry: typeof AuditEntry.Encoded = {
  id: "aud_01kxy7v0n1w3e5r7t9y2u4i6oa",
  at: "2026-11-20T08:30:00.000Z",
  actor: { kind: "person", id: "usr_01kxy7v0n1w3e5r7t9y2u4i6pd", name: "ada@example.org" },
  action: "monitor.updated",
  target: { kind: "monitor", id: "mon_01kxy7v0n1w3e5r7t9y2u4i6os", name: "Shop" },
  projectId,
  address: "203.0.113.7",
  before: { interval: 60 },
  after: { interval: 30 }
}

/** The part of a plan's entry that differs. */
export const planChange = {
  action: "plan.updated",
  target: { kind: "plan", id: "plan_pro", name: "Pro" },
  projectId: null,
  before: { checkInterval: 60 },
  after: { checkInterval: 30 }
}

export const monitorRequest: Schema.JsonObject = {
  name: "Shop",
  type: "http",
  url: "https://shop.example/health",
  interval: 60,
  expectedStatus: "200-299",
  bodyContains: "ok",
  tags: ["prod", "team:payments"],
  group: "Shop/Payments",
  description: "Restart the service `shop`; then page the payments team.",
  links: [{ title: "Runbook", url: "https://wiki.example/shop" }]
}

export const monitor = {
  id: monitorId,
  projectId,
  key: null,
  ...monitorRequest,
  dependsOn: [],
  retryInterval: null,
  timeout: 30,
  regions: [],
  paused: false,
  pausedReason: null,
  wantedInterval: null,
  wantedRetryInterval: null,
  status: "up",
  stale: false,
  lastCheckedAt: "2026-11-20T09:15:00.000Z",
  lastFailure: {
    code: "status_unexpected",
    message: "Expected status 200-299, got 503",
    region: "eu-west",
    at: "2026-11-20T08:52:00.000Z"
  },
  createdAt,
  updatedAt: createdAt,
  method: "GET",
  certificate: null,
  domain: null
} satisfies Schema.JsonObject

export const newMonitor: Schema.JsonObject = { ...monitor, status: "pending", lastCheckedAt: null, lastFailure: null }

export const heartbeat: Schema.JsonObject = {
  id: "mon_01m7xse5w8d2r6t9yb3hk7p4qa",
  projectId,
  key: null,
  name: "Nightly backup",
  tags: [],
  group: null,
  description: null,
  links: [],
  dependsOn: [],
  type: "heartbeat",
  schedule: "30 3 * * *",
  timezone: "Europe/Berlin",
  grace: 900,
  interval: 60,
  retryInterval: null,
  timeout: 10,
  regions: [],
  paused: false,
  pausedReason: null,
  wantedInterval: null,
  wantedRetryInterval: null,
  status: "up",
  stale: false,
  lastCheckedAt: "2026-11-20T02:41:07.512Z",
  lastFailure: null,
  createdAt,
  updatedAt: createdAt,
  heartbeatUrl: "https://kanmon.example/api/v1/heartbeat/7Hq2VxN9cRt4LwYp8ZkB3mJf6DsGaTe1"
}

export const stats: typeof MonitorStats.Encoded = {
  status: "up",
  uptime24h: 100,
  uptime7d: 99.98,
  uptime30d: 99.95,
  avgResponseTime: 84.2,
  lastCheckedAt: "2026-11-20T09:15:00.000Z"
}

export const channelRequest: Schema.JsonObject = {
  name: "Operations",
  type: "webhook",
  config: { url: "https://hooks.example/kanmon", method: "POST" }
}

export const channel: typeof ChannelRecord.Encoded = {
  id: channelId,
  projectId,
  key: null,
  name: "Operations",
  type: "webhook",
  config: { url: "https://hooks.example/kanmon", method: "POST" },
  quietHours: null,
  confirmation: "not_needed",
  confirmedAt: null,
  recipients: [],
  disabledReason: null,
  lastDelivery: { at: "2026-11-20T09:02:11.034Z", status: "delivered", detail: "HTTP 204" },
  createdAt,
  updatedAt: createdAt
}

export const emailChannel: typeof ChannelRecord.Encoded = {
  ...channel,
  id: "ch_01m7xsg4v1n8c5w2z7rb9k6fty",
  name: "Ada",
  type: "email",
  config: { address: "ada@example.org" },
  confirmation: "pending",
  recipients: [{ recipient: "ada@example.org", confirmation: "pending", confirmedAt: null }],
  lastDelivery: null
}

const confirmed = { confirmation: "confirmed", confirmedAt: "2026-11-20T09:15:00.000Z" } as const

export const confirmedChannel: typeof ChannelRecord.Encoded = {
  ...emailChannel,
  ...confirmed,
  recipients: [{ recipient: "ada@example.org", ...confirmed }]
}

export const ruleRequest: Schema.JsonObject = {
  name: "Shop is down",
  monitorIds: [monitorId],
  channelIds: [channelId],
  trigger: "monitor_down",
  consecutiveFailures: 2
}

export const rule: typeof AlertRule.Encoded = {
  id: ruleId,
  projectId,
  key: null,
  name: "Shop is down",
  monitorIds: [monitorId],
  tags: [],
  channelIds: [channelId],
  escalationPolicyId: null,
  escalationPolicyKey: null,
  trigger: "monitor_down",
  triggers: ["monitor_down"],
  consecutiveFailures: 2,
  resendEvery: 0,
  severity: "critical",
  createdAt,
  updatedAt: createdAt
}

export const rulePreview: typeof RulePreview.Encoded = {
  monitorId,
  quiet: null,
  rules: [
    {
      id: ruleId,
      name: "Shop is down",
      triggers: ["monitor_down"],
      consecutiveFailures: 2,
      resendEvery: 0,
      channels: [{ id: channelId, name: "On call", type: "webhook", blocked: null }]
    }
  ]
}

export const alert: typeof AlertHistoryEntry.Encoded = {
  id: "alr_01m7xsj7t9h3y6d1qe4pc8m2xn",
  ruleId,
  monitorId,
  channelId,
  source: null,
  type: "monitor_down",
  severity: "critical",
  triggeredAt: "2026-11-20T09:02:10.000Z",
  resolvedAt: "2026-11-20T09:07:10.000Z",
  status: "delivered",
  error: null
}

export const delivery: typeof Delivery.Encoded = {
  id: "dlv_01m7xsk8b4j6w2n9rz5ty7v3ca",
  event: "monitor_down",
  status: "delivered",
  error: null,
  sharedWith: null,
  attempts: [
    { at: "2026-11-20T09:02:11.034Z", outcome: "delivered", detail: "HTTP 204", duration: 112, recipient: null }
  ],
  createdAt: "2026-11-20T09:02:10.480Z",
  nextAttemptAt: null
}
