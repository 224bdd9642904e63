/** A notice as a Discord embed. Markdown in user-written text is escaped, and mentions are disabled. */
import type { Notice } from "@kanmon/core/Notice"
import * as NoticeText from "@kanmon/core/NoticeText"
import { toIso } from "@kanmon/domain/Timestamp"

const titleLimit = 256
const descriptionLimit = 2000
const valueLimit = 400

const colours: Record<NoticeText.Tone, number> = {
  bad: 0xd92d20,
  warning: 0xf79009,
  good: 0x12b76a,
  neutral: 0x667085
}

const escape = (text: string): string => text.replace(/[\\*_~`|>#[\]()<-]/g, "\\$&")

/** Escaped and truncated: a cut must not leave a lone backslash. */
const within = (text: string, limit: number): string => {
  const escaped = escape(text)
  if (escaped.length <= limit) return escaped
  return escape(NoticeText.truncate(text, Math.floor((limit * text.length) / escaped.length) - 8)).slice(0, limit)
}

export const body = (notice: Notice) => {
  const summary = NoticeText.summary(notice)
  // Only applications may send buttons.
  const description = [
    ...(summary === "" ? [] : [within(summary, descriptionLimit)]),
    ...(notice.acknowledgeUrl === undefined
      ? []
      : [`[${NoticeText.acknowledgeLabel(notice)}](${notice.acknowledgeUrl})`])
  ].join("\n\n")
  return {
    embeds: [
      {
        title: NoticeText.truncate(escape(NoticeText.headline(notice, 100)), titleLimit),
        ...(description === "" ? {} : { description }),
        url: notice.links.monitor,
        color: colours[NoticeText.tone(notice)],
        timestamp: toIso(notice.at),
        fields: NoticeText.testFacts(notice).map(({ label, value }) => ({
          name: label,
          value: within(value, valueLimit),
          inline: value.length <= 40
        }))
      }
    ],
    allowed_mentions: { parse: [] }
  }
}
