/** A notice as Slack blocks. User-written text is escaped, so that it neither mentions nor links anything. */
import type { Notice } from "@kanmon/core/Notice"
import * as NoticeText from "@kanmon/core/NoticeText"

const sectionLimit = 3000
const fieldLimit = 2000
const maxFields = 10
const headerLimit = 150

const colours: Record<NoticeText.Tone, string> = {
  bad: "#d92d20",
  warning: "#f79009",
  good: "#12b76a",
  neutral: "#667085"
}

const emoji: Record<NoticeText.Tone, string> = {
  bad: ":red_circle:",
  warning: ":large_orange_circle:",
  good: ":large_green_circle:",
  neutral: ":bell:"
}

/** Only these three; that also disables `<!channel>`, `<@U1>` and `<url|text>`. */
const escape = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** Escaped and truncated: a cut must not go through `&amp;`. */
const within = (text: string, limit: number): string => {
  let kept = NoticeText.truncate(text, limit)
  while (escape(kept).length > limit)
    kept = NoticeText.truncate(text, kept.length - Math.ceil((escape(kept).length - limit) / 4) - 1)
  return escape(kept)
}

/** Verbatim: Slack does not turn anything into links or names. */
const section = (text: string) => ({ type: "section", text: { type: "mrkdwn", text, verbatim: true } })

export const body = (notice: Notice) => {
  const tone = NoticeText.tone(notice)
  const headline = NoticeText.truncate(NoticeText.headline(notice), headerLimit)
  const summary = NoticeText.summary(notice)
  const facts = NoticeText.testFacts(notice).slice(0, maxFields)
  return {
    // For notifications and for clients without blocks.
    text: `${emoji[tone]} ${within(NoticeText.headline(notice), 1000)}${summary === "" ? "" : `: ${within(summary, 1000)}`}`,
    attachments: [
      {
        color: colours[tone],
        blocks: [
          { type: "header", text: { type: "plain_text", text: headline, emoji: false } },
          ...(summary === "" ? [] : [section(within(summary, sectionLimit))]),
          ...(facts.length === 0
            ? []
            : [
                {
                  type: "section",
                  fields: facts.map(({ label, value }) => ({
                    type: "mrkdwn",
                    text: `*${label}*\n${within(value, fieldLimit - 100)}`,
                    verbatim: true
                  }))
                }
              ]),
          {
            type: "actions",
            elements: [
              {
                type: "button",
                text: { type: "plain_text", text: NoticeText.openLabel(notice) },
                url: notice.links.monitor
              },
              ...(notice.acknowledgeUrl === undefined
                ? []
                : [
                    {
                      type: "button",
                      text: { type: "plain_text", text: NoticeText.acknowledgeLabel(notice) },
                      url: notice.acknowledgeUrl
                    }
                  ])
            ]
          }
        ]
      }
    ]
  }
}
