/** A notice in Telegram's HTML: the one of its modes in which user text is safe with three characters escaped. */
import type { Notice } from "@kanmon/core/Notice"
import * as NoticeText from "@kanmon/core/NoticeText"

/** A message may have 4096 characters as it is read: escapes and tags do not count. */
const summaryLimit = 1500
const valueLimit = 200

const signs: Record<NoticeText.Tone, string> = { bad: "🔴", warning: "🟠", good: "🟢", neutral: "🔔" }

const escape = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

export const html = (notice: Notice): string => {
  const summary = NoticeText.truncate(NoticeText.summary(notice), summaryLimit)
  const facts = NoticeText.testFacts(notice).map(
    ({ label, value }) => `<b>${label}</b>: ${escape(NoticeText.truncate(value, valueLimit))}`
  )
  return [
    `${signs[NoticeText.tone(notice)]} <b>${escape(NoticeText.headline(notice))}</b>`,
    ...(summary === "" ? [] : [escape(summary)]),
    ...(facts.length === 0 ? [] : [facts.join("\n")]),
    `<a href="${escape(notice.links.monitor).replaceAll('"', "&quot;")}">Open monitor</a>`
  ].join("\n\n")
}
