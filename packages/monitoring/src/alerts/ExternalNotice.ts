/** Notices of alerts that integrations send. Pure. */
import type { Notice } from "@kanmon/core/Notice"
import type { InboundAlert } from "@kanmon/domain/InboundAlerts"
import type { IntegrationType } from "@kanmon/domain/Integration"
import type { Severity } from "@kanmon/domain/Severity"
import type { Explanation } from "@kanmon/domain/Explanation"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { unmeasured } from "./NoticeBody.ts"

interface About {
  readonly alertId: string
  readonly project: Notice["project"]
  readonly rule: Notice["rule"]
  readonly type: IntegrationType
  readonly severity: Severity
  readonly at: EpochMillis
  readonly baseUrl: string
}

/** What its sender says of an alert: its key, title and link are in the place of the monitor. */
const said = ({ description, key, link, title }: InboundAlert, type: IntegrationType) => ({
  monitor: { id: key, name: title, type, target: link ?? "" },
  reason: description
})

/** The notice that opens an alert. */
export const opening = (alert: InboundAlert, { alertId, at, baseUrl, type, ...about }: About): Notice => ({
  id: "",
  alertId,
  event: "external",
  at,
  ...about,
  ...said(alert, type),
  startedAt: at,
  durationSeconds: null,
  ...unmeasured,
  expiresAt: null,
  overtakesOpening: false,
  reminder: false,
  links: { monitor: `${baseUrl}/alerts/${alertId}?project=${about.project.id}` }
})

/** The opening with what its sender says now. */
export const refreshed = (first: Notice, alert: InboundAlert, type: IntegrationType): Notice => ({
  ...first,
  ...said(alert, type)
})

/** The notice that an alert is more urgent than before. */
export const raised = (first: Notice, severity: Severity, at: EpochMillis): Notice => ({ ...first, severity, at })

/** Why an alert is over; without an explanation, what its sender says. */
export interface Ending {
  readonly message: string
  readonly explanation?: Explanation
}

/** The notice that an alert is over. */
export const closing = (first: Notice, why: Ending, at: EpochMillis): Notice => ({
  ...first,
  event: "external_resolved",
  at,
  reason: why.message,
  ...(why.explanation === undefined ? {} : { explanation: why.explanation }),
  durationSeconds: Math.max(0, Math.round((at - first.startedAt) / 1000))
})
