/** A notice as a request to Opsgenie's alert API: create, or close by alias. */
import type { Notice } from "@kanmon/core/Notice"
import * as NoticeText from "@kanmon/core/NoticeText"

const messageLimit = 130
const descriptionLimit = 14_000
const noteLimit = 20_000
const entityLimit = 512
/** All details together may have 8000 characters. */
const valueLimit = 600

const priorities: Record<NoticeText.Tone, string> = { bad: "P1", warning: "P3", good: "P5", neutral: "P5" }

export const request = (notice: Notice): { readonly path: string; readonly json: object } => {
  // A test opens something of its own, which nothing will close but a person.
  const alias = `kanmon/${notice.event === "test" ? notice.id : notice.alertId}`
  const summary = NoticeText.summary(notice)
  if (NoticeText.isResolution(notice)) {
    return {
      path: `/v2/alerts/${encodeURIComponent(alias)}/close?identifierType=alias`,
      json: {
        source: "Kanmon",
        note: NoticeText.truncate(`${NoticeText.headline(notice)}. ${summary}`.trim(), noteLimit)
      }
    }
  }
  return {
    path: "/v2/alerts",
    json: {
      message: NoticeText.truncate(NoticeText.headline(notice, 100), messageLimit),
      alias,
      description: NoticeText.truncate(
        [summary, notice.links.monitor].filter((line) => line !== "").join("\n\n"),
        descriptionLimit
      ),
      entity: NoticeText.truncate(NoticeText.name(notice), entityLimit),
      source: "Kanmon",
      priority: priorities[NoticeText.tone(notice)],
      tags: ["kanmon", notice.event],
      details: Object.fromEntries(
        NoticeText.testFacts(notice).map(({ label, value }) => [label, NoticeText.truncate(value, valueLimit)])
      )
    }
  }
}
