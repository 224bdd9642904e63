/** The notice of a test: of a channel, or of how pages reach a person. It is about no monitor. */
import type { Notice } from "@kanmon/core/Notice"

/** A test of a person belongs to no project: the id of its project is empty. */
type Particulars = Pick<Notice, "id" | "alertId" | "severity" | "at" | "startedAt" | "project" | "reason">

export const testNotice = (
  { alertId, at, id, project, reason, severity, startedAt }: Particulars,
  baseUrl: string
): Notice => ({
  id,
  alertId,
  event: "test",
  severity,
  at,
  project,
  rule: null,
  monitor: { id: "mon_test", name: "Kanmon", type: "http", target: baseUrl },
  reason,
  startedAt,
  durationSeconds: null,
  regions: [],
  region: null,
  statusCode: null,
  responseTime: null,
  timing: {},
  expiresAt: null,
  overtakesOpening: false,
  reminder: false,
  // There is no monitor: the link opens the list of them, in the project of the test.
  links: { monitor: `${baseUrl}/monitors${project.id === "" ? "" : `?project=${project.id}`}` }
})
