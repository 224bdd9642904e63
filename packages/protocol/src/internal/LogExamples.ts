/** Examples of logs for the OpenAPI document. */
import { reason } from "@kanmon/domain/Reason"
import type { CheckDetail, CheckRecord, OutageRecord, PhasesReport, UptimeReport } from "../LogBody.ts"
import type { MonitorSummaries, Overview } from "../OverviewBody.ts"
import { monitor } from "./Examples.ts"

const failure = {
  code: "status_mismatch",
  ...reason("status_mismatch", { host: "shop.example", status: 503, expected: "200-299" })
}

export const check: typeof CheckRecord.Encoded = {
  id: `${monitor.id}:eu-west:29393460`,
  region: "eu-west",
  scheduledAt: "2026-11-20T08:52:00.000Z",
  checkedAt: "2026-11-20T08:52:00.014Z",
  status: "down",
  responseTime: 84,
  timing: { dns: 3, connect: 12, tls: 31, firstByte: 36, download: 2 },
  statusCode: 503,
  failure,
  captureId: "cap_9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d"
}

export const checkDetail: typeof CheckDetail.Encoded = {
  ...check,
  votes: [
    {
      region: "us-east",
      checkId: `${monitor.id}:us-east:29393460`,
      checkedAt: "2026-11-20T08:52:00.021Z",
      status: "down",
      responseTime: 187,
      failure
    }
  ],
  capture: {
    id: "cap_9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d",
    checkId: check.id,
    capturedAt: check.checkedAt,
    finalUrl: "https://shop.example/health",
    statusLine: "503 Service Unavailable",
    headers: [
      { name: "content-type", value: "text/plain" },
      { name: "retry-after", value: "30" },
      { name: "set-cookie", value: "••••" }
    ],
    body: "upstream connect error or disconnect/reset before headers",
    bodyTruncated: false,
    remoteAddress: "203.0.113.7",
    certificate: { subject: "shop.example", issuer: "Example CA", validTo: "2027-02-01T00:00:00.000Z" }
  }
}

export const outage: typeof OutageRecord.Encoded = {
  startedAt: "2026-11-20T08:52:00.014Z",
  endedAt: "2026-11-20T09:03:00.031Z",
  durationSeconds: 660.017,
  status: "down",
  reason: failure,
  regions: ["eu-west", "us-east"],
  alertIds: ["alr_01m7xsd9q3z5m8n2ca7xf6k4jv"],
  incidentIds: [],
  acknowledgedBy: "Ada"
}

export const uptime: typeof UptimeReport.Encoded = {
  from: "2026-11-20T08:00:00.000Z",
  to: "2026-11-20T10:00:00.000Z",
  uptime: 90.8331,
  upSeconds: 6539.983,
  downSeconds: 660.017,
  excludedSeconds: 0,
  intervals: [
    { from: "2026-11-20T08:00:00.000Z", to: "2026-11-20T08:52:00.014Z", status: "up", counted: "up" },
    { from: "2026-11-20T08:52:00.014Z", to: "2026-11-20T09:03:00.031Z", status: "down", counted: "down" },
    { from: "2026-11-20T09:03:00.031Z", to: "2026-11-20T10:00:00.000Z", status: "up", counted: "up" }
  ]
}

const phasesOfCheck = {
  responseTime: { checks: 120, p50: 84.13, p95: 187.4 },
  dns: { checks: 120, p50: 3.04, p95: 9.52 },
  connect: { checks: 120, p50: 12.49, p95: 26.77 },
  tls: { checks: 120, p50: 31.2, p95: 60.8 },
  firstByte: { checks: 120, p50: 36.1, p95: 91.2 },
  download: { checks: 120, p50: 2.08, p95: 7.16 }
}

export const phases: typeof PhasesReport.Encoded = {
  from: "2026-11-20T08:00:00.000Z",
  to: "2026-11-20T10:00:00.000Z",
  resolution: "hour",
  overall: phasesOfCheck,
  points: [{ timestamp: "2026-11-20T08:00:00.000Z", ...phasesOfCheck, tls: null }]
}

export const overview: typeof Overview.Encoded = {
  monitors: 42,
  byStatus: { pending: 0, up: 38, degraded: 1, down: 1, paused: 2, maintenance: 0 },
  stale: 0,
  openAlerts: 1,
  activeIncidents: [
    {
      id: "inc_01m7xsf0y6n3j8v5te2ra9c4mk",
      title: "Checkout is slow",
      status: "identified",
      startedAt: "2026-11-20T08:52:00.000Z"
    }
  ],
  maintenance: {
    now: [],
    next: {
      id: "inc_01m7xsg4h2q7w9z5cb8kd3t6xp",
      title: "Database upgrade",
      scheduledStart: "2026-11-21T02:00:00.000Z",
      scheduledEnd: "2026-11-21T03:00:00.000Z"
    }
  },
  offlineRegions: [],
  month: { uptime: 99.9812, downSeconds: 19_470, since: "2026-10-22T00:00:00.000Z" },
  lastOutage: { monitorId: monitor.id, startedAt: "2026-11-17T09:41:12.000Z", endedAt: "2026-11-17T09:45:14.000Z" }
}

export const summaries: typeof MonitorSummaries.Encoded = {
  total: 1,
  groups: ["Shop/Payments"],
  tagSets: [["prod", "team:payments"]],
  regionSets: [[]],
  id: [monitor.id],
  name: ["Shop"],
  type: ["http"],
  target: ["https://shop.example/health"],
  group: [0],
  tags: [0],
  regions: [0],
  status: ["up"],
  since: [1_795_164_780],
  uptime24h: [99.9542],
  p50: [84.13],
  responseTime24h: [91.4],
  results: ["uuuuuuuuuuuuuuuuuuddduuuuuuuuu"],
  stale: [],
  failures: []
}
