/** Example events for the documentation. Tests validate them against the schemas. */
import { Struct } from "effect"
import { reason } from "./Reason.ts"
import type { Observation } from "./Observation.ts"
import type {
  AlertChanged,
  AlertHandled,
  AlertPaged,
  AuditRecorded,
  DrillChanged,
  EscalationChanged,
  ExternalAlertChanged,
  ExternalAlertHandled,
  ExternalAlertPaged,
  ExternalEscalationChanged,
  IncidentChanged,
  MonitorChanged,
  MonitorStatusChanged,
  OnCallChanged,
  OperationChanged,
  PageChanged,
  ProbeChanged
} from "./ServiceEvent.ts"

const body = "01kxyqk3v8x2m9c4t7w0r5n6da"
const monitorId = `mon_${body}`
const projectId = `prj_${body}`
const at = "2026-11-20T08:30:00.000Z"

export const observation: typeof Observation.Encoded = {
  monitorId,
  projectId,
  region: "eu-west",
  slot: 29_852_910,
  scheduledAt: "2026-11-20T08:30:00.123Z",
  checkedAt: "2026-11-20T08:30:00.125Z",
  finishedAt: "2026-11-20T08:30:00.175Z",
  status: "up",
  responseTime: 48.2,
  timing: { dns: 1.1, connect: 9.8, tls: 14.2, firstByte: 22.4, download: 0.7 },
  failure: null,
  facts: { statusCode: 200 }
}

export const audit: typeof AuditRecorded.Encoded = {
  auditId: `aud_${body}`,
  projectId,
  actor: { kind: "person", id: `usr_${body}`, name: "ada@example.org" },
  action: "monitor.updated",
  target: { kind: "monitor", id: monitorId, name: "Shop" },
  at
}

export const monitor: typeof MonitorChanged.Encoded = { monitorId, projectId, name: "Shop", type: "http", at }

export const monitorUp: typeof MonitorStatusChanged.Encoded = {
  ...monitor,
  status: "up",
  previousStatus: "down",
  failure: null
}

export const monitorDown: typeof MonitorStatusChanged.Encoded = {
  ...monitor,
  status: "down",
  previousStatus: "up",
  failure: {
    code: "status_mismatch",
    ...reason("status_mismatch", { host: "shop.example", status: 503, expected: "200" })
  }
}

export const monitorDegraded: typeof MonitorStatusChanged.Encoded = {
  ...monitor,
  status: "degraded",
  previousStatus: "up",
  failure: { code: "slow", ...reason("slow", { host: "shop.example", took: 2140, limit: 2000 }) }
}

export const alert: typeof AlertChanged.Encoded = {
  alertId: `alr_${body}`,
  projectId,
  ruleId: `rul_${body}`,
  monitorId,
  channelId: `ch_${body}`,
  trigger: "monitor_down",
  at,
  detail: "shop.example answered 503; expected 200"
}

export const handledAlert: typeof AlertHandled.Encoded = {
  alertId: `alr_${body}`,
  projectId,
  ruleId: `rul_${body}`,
  monitorId,
  channelId: `ch_${body}`,
  trigger: "monitor_down",
  at,
  by: { kind: "user", name: "Ada" },
  note: null,
  until: null
}

const escalating = {
  alertId: `alt_${body}`,
  projectId,
  ruleId: `rul_${body}`,
  monitorId,
  severity: "critical",
  at,
  round: 0,
  step: 0
} as const

export const escalation: typeof EscalationChanged.Encoded = { ...escalating, change: "step_ran", by: null }

export const paged: typeof AlertPaged.Encoded = {
  ...escalating,
  pageId: `pge_${body}`,
  cause: "step",
  userId: `usr_${body}`,
  channelId: null,
  outcome: "pending",
  detail: null
}

const source = { integrationId: `int_${body}`, key: "1a30ba71cca2921f" }

export const externalAlert: typeof ExternalAlertChanged.Encoded = {
  ...Struct.omit(alert, ["monitorId"]),
  source,
  trigger: "external",
  detail: "4% are left"
}
export const handledExternalAlert: typeof ExternalAlertHandled.Encoded = {
  ...Struct.omit(handledAlert, ["monitorId"]),
  source,
  trigger: "external"
}
export const externalEscalation: typeof ExternalEscalationChanged.Encoded = {
  ...Struct.omit(escalation, ["monitorId"]),
  source,
  by: null
}
export const pagedExternal: typeof ExternalAlertPaged.Encoded = {
  ...Struct.omit(paged, ["monitorId"]),
  source
}

export const incident: typeof IncidentChanged.Encoded = {
  incidentId: `inc_${body}`,
  projectId,
  title: "The shop does not answer",
  status: "investigating",
  monitorIds: [monitorId],
  maintenance: false,
  phase: null,
  scheduledStart: null,
  scheduledEnd: null,
  message: "We are looking into it.",
  at
}

export const drill: typeof DrillChanged.Encoded = {
  drillId: `drl_${body}`,
  projectId,
  policyId: `pol_${body}`,
  ruleId: null,
  monitorId: null,
  status: "running",
  at: "2026-11-20T09:00:00.000Z",
  detail: null,
  by: null
}

export const operation: typeof OperationChanged.Encoded = {
  operationId: `op_${body}`,
  projectId,
  action: "update",
  status: "running",
  total: 2400,
  done: 700,
  failed: 0,
  at
}

export const page: typeof PageChanged.Encoded = {
  pageId: `sp_${body}`,
  projectId,
  slug: "shop",
  customDomain: null,
  at
}

export const onCall: typeof OnCallChanged.Encoded = {
  scheduleId: `sch_${body}`,
  organizationId: `org_${body}`,
  scheduleName: "Shop",
  userId: `usr_${body}`,
  previousUserId: null,
  at
}

export const probe: typeof ProbeChanged.Encoded = { probeId: "7f3a", region: "eu-west", at }
