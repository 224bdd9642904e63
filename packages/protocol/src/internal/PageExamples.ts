/** Examples of incidents and status pages for the OpenAPI document, of the project in `Examples.ts`. */
import type { Incident } from "@kanmon/domain/Incident"
import type { Schema } from "effect"
import type { StatusPageRecord } from "../StatusPageBody.ts"
import { createdAt, monitorId, projectId } from "./Examples.ts"

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
