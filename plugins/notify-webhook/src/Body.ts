/** The body of a webhook: the documented keys, version 1. Keys may be added, never removed. */
import type { Notice, NoticeEvent } from "@kanmon/core/Notice"
import { toIso } from "@kanmon/domain/Timestamp"

/** The webhook's names for recoveries of certificates and domains. */
const names: Partial<Record<NoticeEvent, string>> = {
  ssl_recovered: "ssl_resolved",
  domain_recovered: "domain_resolved"
}

export const body = (notice: Notice) => ({
  event: names[notice.event] ?? notice.event,
  monitor: {
    id: notice.monitor.id,
    name: notice.monitor.name,
    url: isWebAddress(notice.monitor.target) ? notice.monitor.target : null,
    type: notice.monitor.type,
    target: notice.monitor.target
  },
  timestamp: toIso(notice.at),
  details: { statusCode: notice.statusCode, responseTime: notice.responseTime, region: notice.region },
  id: notice.id,
  version: 1,
  alertId: notice.alertId,
  project: notice.project,
  rule: notice.rule,
  rules: notice.rules ?? (notice.rule === null ? [] : [notice.rule]),
  severity: notice.severity,
  reason: notice.reason,
  explanation: notice.explanation ?? null,
  regions: notice.regions.map(({ failure, region, responseTime, status }) => ({
    region,
    status,
    responseTime,
    error: failure
  })),
  startedAt: toIso(notice.startedAt),
  durationSeconds: notice.durationSeconds,
  expiresAt: notice.expiresAt === null ? null : toIso(notice.expiresAt),
  overtakesOpening: notice.overtakesOpening,
  reminder: notice.reminder,
  links: notice.links,
  acknowledgeUrl: notice.acknowledgeUrl ?? null,
  alerts:
    notice.group?.map(({ alertId, event, explanation = null, monitor, reason, severity, startedAt }) => ({
      alertId,
      event,
      severity,
      monitor: { ...monitor, url: isWebAddress(monitor.target) ? monitor.target : null },
      reason,
      explanation,
      startedAt: toIso(startedAt)
    })) ?? null
})

const isWebAddress = (target: string): boolean => /^https?:\/\//.test(target)
