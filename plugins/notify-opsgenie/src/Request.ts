/** A notice as a request to Opsgenie's alert API: create, or close by alias. */
import type { Notice } from "@kanmon/core/Notice"
import * as NoticeText from "@kanmon/core/NoticeText"
import { scales } from "@kanmon/domain/Severity"

const messageLimit = 130
const descriptionLimit = 14_000
const noteLimit = 20_000
const entityLimit = 512
/** All details together may have 8000 characters. */
const valueLimit = 600

export interface Request {
  readonly path: string
  readonly json: object
}

const closing = (alias: string, notice: Notice): Request => ({
  path: `/v2/alerts/${encodeURIComponent(alias)}/close?identifierType=alias`,
  json: {
    source: "Kanmon",
    note: NoticeText.truncate(`${NoticeText.headline(notice)}. ${NoticeText.summary(notice)}`.trim(), noteLimit)
  }
})

export const request = (notice: Notice): Request => {
  // A test opens its own alert, and its closing notice refers to it. An alias is part of a path, so it has no slash.
  const alias = `kanmon-${notice.event === "test" ? notice.id : notice.alertId}`
  if (NoticeText.isResolution(notice)) return closing(alias, notice)
  const summary = NoticeText.summary(notice)
  return {
    path: "/v2/alerts",
    json: {
      message: NoticeText.truncate(NoticeText.headline(notice, 100), messageLimit),
      alias,
      description: NoticeText.truncate(
        [
          // The links come whole, however long the target's answer is.
          NoticeText.truncate(summary, descriptionLimit - 1000),
          notice.links.monitor,
          ...(notice.acknowledgeUrl === undefined ? [] : [`Acknowledge in Kanmon: ${notice.acknowledgeUrl}`])
        ]
          .filter((line) => line !== "")
          .join("\n\n"),
        descriptionLimit
      ),
      entity: NoticeText.truncate(NoticeText.name(notice), entityLimit),
      source: "Kanmon",
      priority: scales.opsgenie[notice.severity],
      tags: ["kanmon", notice.event],
      details: Object.fromEntries(
        NoticeText.testFacts(notice).map(({ label, value }) => [label, NoticeText.truncate(value, valueLimit)])
      )
    }
  }
}
