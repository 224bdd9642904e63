/** Examples of what belongs to an installation for the OpenAPI document: plans, plugins, health. */
import type { Schema } from "effect"
import type { Health } from "../HealthBody.ts"
import type { PlanRecord } from "../PlanBody.ts"
import type { ChannelTypeRecord, CheckTypeRecord, PluginRecord } from "../PluginBody.ts"
import type { Subscription } from "../SubscriptionBody.ts"

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
  monitorsShared: 42,
  payments: true
}

export const plugin: typeof PluginRecord.Encoded = {
  name: "@kanmon/check-tcp",
  origin: "bundled",
  status: "loaded",
  checks: [{ type: "tcp", title: "TCP", summary: "Opens a TCP connection to a port." }],
  channels: [],
  auths: [],
  refused: []
}

export const checkType: typeof CheckTypeRecord.Encoded = {
  type: "tcp",
  title: "TCP",
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
  title: "Pushover",
  summary: "Sends a push message with Pushover.",
  ready: true,
  reachesPerson: false,
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
