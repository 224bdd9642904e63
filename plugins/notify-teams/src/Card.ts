/** A notice as an Adaptive Card. Teams supports some Markdown, which is escaped. */
import type { Notice } from "@kanmon/core/Notice"
import * as NoticeText from "@kanmon/core/NoticeText"

/** Teams measures cards after expanding them, so they stay well below its limit of 28 kB. */
const summaryLimit = 2000
const valueLimit = 500

const colours: Record<NoticeText.Tone, string> = {
  bad: "Attention",
  warning: "Warning",
  good: "Good",
  neutral: "Default"
}

const escape = (text: string): string => text.replace(/[\\*_[\]()`#~>|]/g, "\\$&").replaceAll("<", "&lt;")

export const body = (notice: Notice) => {
  const summary = NoticeText.truncate(NoticeText.summary(notice), summaryLimit)
  const facts = NoticeText.testFacts(notice)
  return {
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          msteams: { width: "Full" },
          fallbackText: NoticeText.headline(notice),
          body: [
            {
              type: "TextBlock",
              text: escape(NoticeText.headline(notice)),
              weight: "Bolder",
              size: "Large",
              color: colours[NoticeText.tone(notice)],
              wrap: true
            },
            ...(summary === "" ? [] : [{ type: "TextBlock", text: escape(summary), wrap: true }]),
            ...(facts.length === 0
              ? []
              : [
                  {
                    type: "FactSet",
                    facts: facts.map(({ label, value }) => ({
                      title: label,
                      value: escape(NoticeText.truncate(value, valueLimit))
                    }))
                  }
                ])
          ],
          actions: [
            { type: "Action.OpenUrl", title: NoticeText.openLabel(notice), url: notice.links.monitor },
            ...(notice.acknowledgeUrl === undefined
              ? []
              : [{ type: "Action.OpenUrl", title: NoticeText.acknowledgeLabel(notice), url: notice.acknowledgeUrl }])
          ]
        }
      }
    ]
  }
}
