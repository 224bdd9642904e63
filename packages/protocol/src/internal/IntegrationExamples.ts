/** Examples of integrations for the OpenAPI document. */
import type { InboundBody, Integration } from "@kanmon/domain/Integration"
import type { Schema } from "effect"
import { externalAlert } from "./AlertExamples.ts"
import * as Examples from "./Examples.ts"

export const integrationRequest: Schema.JsonObject = {
  name: "Prometheus",
  type: "alertmanager",
  ruleId: Examples.rule.id,
  quietAfterMinutes: 10
}

export const integration: typeof Integration.Encoded = {
  id: externalAlert.source!.integrationId,
  projectId: Examples.project.id,
  key: null,
  name: "Prometheus",
  type: "alertmanager",
  ruleId: Examples.rule.id,
  mapping: null,
  resolveAfterMinutes: null,
  quietAfterMinutes: 10,
  lastReceivedAt: "2026-11-20T09:02:10.000Z",
  quiet: false,
  openAlerts: 1,
  rejected: 1,
  createdAt: "2026-11-20T08:00:00.000Z",
  updatedAt: "2026-11-20T08:00:00.000Z"
}

export const addressed = {
  ...integration,
  lastReceivedAt: null,
  openAlerts: 0,
  rejected: 0,
  address: "https://kanmon.example/api/v1/inbound/4kq0Jc2VtXr9YwLz1nGm7sBpEaUdHf3iKoQ6vRxTyZ5"
}

export const inboundBody: typeof InboundBody.Encoded = {
  id: "inb_01m7xsj7t4c8b2v6k9wq3e5rzy",
  at: "2026-11-20T09:02:10.000Z",
  refused: true,
  errors: [{ path: "version", message: 'Expected "4", the version of Alertmanager\'s webhook' }],
  body: '{"version":"3","alerts":[]}',
  truncated: false
}

/** As Alertmanager sends it. */
export const alertmanager: Schema.JsonObject = {
  version: "4",
  groupKey: '{}:{alertname="DiskAlmostFull"}',
  truncatedAlerts: 0,
  status: "firing",
  receiver: "kanmon",
  groupLabels: { alertname: "DiskAlmostFull" },
  commonLabels: { alertname: "DiskAlmostFull", severity: "warning" },
  commonAnnotations: {},
  externalURL: "https://alertmanager.example",
  alerts: [
    {
      status: "firing",
      labels: { alertname: "DiskAlmostFull", instance: "db-1", severity: "warning" },
      annotations: { summary: "Disk of db-1 is almost full", description: "4% are left" },
      startsAt: "2026-11-20T09:02:10.000Z",
      endsAt: "0001-01-01T00:00:00Z",
      generatorURL: "https://prometheus.example/graph?g0.expr=disk_free",
      fingerprint: "1a30ba71cca2921f"
    }
  ]
}
