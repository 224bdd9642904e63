/** Examples of bodies for the OpenAPI document. All belong to one project, so that their ids agree. */
import type { AlertHistoryEntry, AlertRule } from "@kanmon/domain/AlertRule"
import type { ApiKey } from "@kanmon/domain/ApiKey"
import type { AuditEntry } from "@kanmon/domain/AuditEntry"
import type { Incident } from "@kanmon/domain/Incident"
import type { MonitorStats } from "@kanmon/domain/Monitor"
import type { Project } from "@kanmon/domain/Project"
import type { Schema } from "effect"
import type { Delivery } from "../DeliveryBody.ts"
import type { Subscription } from "../SubscriptionBody.ts"
import type { ChannelRecord } from "../ChannelBody.ts"
import type { Health } from "../HealthBody.ts"
import type { PlanRecord } from "../PlanBody.ts"
import type { RulePreview } from "../RuleBody.ts"
import type { ChannelTypeRecord, CheckTypeRecord, PluginRecord } from "../PluginBody.ts"
import type { StatusPageRecord } from "../StatusPageBody.ts"

const organizationId = "org_01m7xr0ab1s6d8g3jp9yf5c2te"
const projectId = "prj_01m7xr0ab3v9k2t5wq8zc4n6hd"
const monitorId = "mon_01m7xs8mrbmd3ef5jxd1fat24r"
const channelId = "ch_01m7xsc2p7r4y9e6gk1vb8t3wz"
const ruleId = "rul_01m7xsd9q3z5m8n2ca7xf6k4jv"
const createdAt = "2026-11-20T08:30:00.000Z"

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

/** What is different about an entry of a plan. */
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
  confirmation: "not_needed",
  confirmedAt: null,
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
  lastDelivery: null
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
  trigger: "monitor_down",
  triggers: ["monitor_down"],
  consecutiveFailures: 2,
  resendEvery: 0,
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
  type: "monitor_down",
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
  attempts: [{ at: "2026-11-20T09:02:11.034Z", outcome: "delivered", detail: "HTTP 204", duration: 112 }],
  createdAt: "2026-11-20T09:02:10.480Z",
  nextAttemptAt: null
}

export const incidentRequest: Schema.JsonObject = {
  title: "Checkout is slow",
  status: "investigating",
  message: "We are looking into it.",
  monitorIds: [monitorId]
}

const firstUpdate: (typeof Incident.Encoded)["updates"][number] = {
  id: "upd_01m7xsn3f5k9q2e8ya6vw1c7hj",
  status: "investigating",
  message: "We are looking into it.",
  createdAt: "2026-11-20T09:05:00.000Z"
}

export const incident: typeof Incident.Encoded = {
  id: "inc_01m7xsm2d7g4z8t1xk9bh5r3pe",
  projectId,
  key: null,
  title: "Checkout is slow",
  status: "investigating",
  monitorIds: [monitorId],
  tags: [],
  maintenance: false,
  scheduledStart: null,
  scheduledEnd: null,
  recurrence: null,
  timezone: null,
  series: null,
  startedAt: "2026-11-20T09:05:00.000Z",
  resolvedAt: null,
  updates: [firstUpdate],
  createdAt: "2026-11-20T09:05:00.000Z",
  updatedAt: "2026-11-20T09:05:00.000Z"
}

export const incidentChange: Schema.JsonObject = { status: "resolved", message: "A fix has been rolled out." }

export const resolvedIncident: typeof Incident.Encoded = {
  ...incident,
  status: "resolved",
  resolvedAt: "2026-11-20T09:40:00.000Z",
  updates: [
    firstUpdate,
    {
      id: "upd_01m7xsp6r8m1c4w7zd2tb5n9kv",
      status: "resolved",
      message: "A fix has been rolled out.",
      createdAt: "2026-11-20T09:40:00.000Z"
    }
  ],
  updatedAt: "2026-11-20T09:40:00.000Z"
}

export const pageRequest: Schema.JsonObject = {
  name: "Acme",
  slug: "acme",
  monitors: [{ monitorId, displayGroup: "Shop" }]
}

export const pagePreview: Schema.JsonObject = {
  html: '<!doctype html>\n<html lang="en"><head><title>All systems operational · Acme</title></head><body>…</body></html>\n'
}

export const page: typeof StatusPageRecord.Encoded = {
  id: "sp_01m7xsq9h2v5y8n3ke6cw4t7rb",
  projectId,
  key: null,
  name: "Acme",
  slug: "acme",
  monitorIds: [monitorId],
  monitors: [{ monitorId, displayGroup: "Shop" }],
  tags: [],
  embedOrigins: [],
  customDomain: null,
  customDomainStatus: "none",
  customDomainError: null,
  createdAt,
  updatedAt: createdAt,
  customDomainRecords: []
}

export const pageWithDomain: typeof StatusPageRecord.Encoded = {
  ...page,
  customDomain: "status.acme.example",
  customDomainStatus: "pending_dns",
  customDomainRecords: [
    {
      type: "CNAME",
      name: "status.acme.example",
      value: "pages.kanmon.example",
      purpose: "Leads visitors here."
    }
  ]
}

export const planRequest: Schema.JsonObject = {
  name: "Studio",
  monitors: 200,
  checkInterval: 30,
  regions: 3,
  price: 19.9
}

export const plan: typeof PlanRecord.Encoded = {
  id: "plan_01m7xss4e6k8r1c9wz3ny7v2tb",
  name: "Studio",
  monitors: 200,
  checkInterval: 30,
  regions: 3,
  price: 19.9,
  currency: "EUR"
}

export const subscription: typeof Subscription.Encoded = {
  planId: plan.id,
  status: "active",
  currentPeriodStart: "2026-11-01T00:00:00.000Z",
  currentPeriodEnd: "2026-12-01T00:00:00.000Z",
  cancelAt: null,
  pastDueSince: null,
  graceEndsAt: null,
  effectivePlanId: plan.id,
  monitorsUsed: 42,
  payments: true
}

export const plugin: typeof PluginRecord.Encoded = {
  name: "@kanmon/check-tcp",
  origin: "bundled",
  status: "loaded",
  checks: [{ type: "tcp", summary: "Opens a TCP connection to a port." }],
  channels: [],
  auths: [],
  refused: []
}

export const checkType: typeof CheckTypeRecord.Encoded = {
  type: "tcp",
  summary: "Opens a TCP connection to a port.",
  passive: false,
  schema: {
    type: "object",
    title: "tcp monitor",
    properties: { type: { const: "tcp" }, name: { type: "string" }, host: { type: "string" } },
    required: ["name", "type", "host"]
  }
}

export const channelType: typeof ChannelTypeRecord.Encoded = {
  type: "pushover",
  summary: "Sends a push message with Pushover.",
  ready: true,
  schema: {
    type: "object",
    title: "pushover channel",
    properties: {
      type: { const: "pushover" },
      name: { type: "string" },
      config: { type: "object", properties: { token: { type: "string", writeOnly: true } }, required: ["token"] }
    },
    required: ["name", "type", "config"]
  }
}

export const health: typeof Health.Encoded = {
  status: "ok",
  version: "0.1.0",
  database: "ok",
  bus: "ok",
  scheduler: "ok",
  outbox: "ok",
  refusals: [],
  connectivity: "ok",
  clock: { offsetMillis: 3, status: "ok" },
  stale: 0,
  probes: { "eu-west": 2, "us-east": 1 },
  stalls: [
    {
      at: "2026-11-02T08:15:30.000Z",
      stalledMillis: 5120,
      kind: "check",
      key: "mon_01k8t6q7zv3j5n9x2c4b6m8w0d",
      label: "redis-ping",
      size: null,
      plugin: "kanmon-check-redis-ping",
      stack: ["parse (kanmon-check-redis-ping/index.js:41:7)"],
      quarantined: false
    }
  ]
}
