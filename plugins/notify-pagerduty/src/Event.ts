/** A notice as a PagerDuty event. */
import type { Notice } from "@kanmon/core/Notice"
import * as NoticeText from "@kanmon/core/NoticeText"
import { scales } from "@kanmon/domain/Severity"
import { toIso } from "@kanmon/domain/Timestamp"

const summaryLimit = 1024
const valueLimit = 2000

const cut = (text: string): string => NoticeText.truncate(NoticeText.clean(text), valueLimit)

export const event = (routingKey: string, notice: Notice) => {
  // A test opens its own incident, and its closing notice refers to it.
  const key = `kanmon/${notice.event === "test" ? notice.id : notice.alertId}`
  if (NoticeText.isResolution(notice)) return { routing_key: routingKey, event_action: "resolve", dedup_key: key }
  const reason = NoticeText.summary(notice)
  const headline = NoticeText.headline(notice)
  const source = NoticeText.oneLine(notice.monitor.target)
  return {
    routing_key: routingKey,
    event_action: "trigger",
    dedup_key: key,
    payload: {
      summary: NoticeText.truncate(
        reason === "" ? headline : `${headline}: ${NoticeText.oneLine(reason)}`,
        summaryLimit
      ),
      source: NoticeText.truncate(source === "" ? notice.monitor.id : source, 255),
      severity: scales.pagerduty[notice.severity],
      timestamp: toIso(notice.at),
      component: NoticeText.name(notice),
      group: NoticeText.truncate(NoticeText.oneLine(notice.project.name), 255),
      class: notice.event,
      custom_details: Object.fromEntries([
        ...(reason === "" ? [] : [["Reason", cut(reason)]]),
        ...NoticeText.testFacts(notice).map(({ label, value }) => [label, cut(value)])
      ])
    },
    client: "Kanmon",
    client_url: notice.links.monitor,
    links: [
      { href: notice.links.monitor, text: NoticeText.openLabel(notice) },
      ...(notice.acknowledgeUrl === undefined ? [] : [{ href: notice.acknowledgeUrl, text: "Acknowledge in Kanmon" }])
    ]
  }
}
