/** A notice in Telegram's HTML mode, in which escaping three characters is enough. */
import type { Notice } from "@kanmon/core/Notice"
import * as NoticeText from "@kanmon/core/NoticeText"

/** The limit of 4096 characters applies after parsing: escapes and tags do not count. */
const summaryLimit = 1500
const valueLimit = 200
/** A note of somebody who asks for help is read as a whole. */
const whyLimit = 700

const signs: Record<NoticeText.Tone, string> = { bad: "🔴", warning: "🟠", good: "🟢", neutral: "🔔" }

/** Text without markup. */
export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const link = (address: string, text: string): string =>
  `<a href="${escaped(address).replaceAll('"', "&quot;")}">${text}</a>`

/** Telegram refuses a message with a button that leads to a name without a dot, such as localhost. */
const hasButton = ({ acknowledgeUrl }: Notice): boolean =>
  acknowledgeUrl !== undefined && new URL(acknowledgeUrl).hostname.includes(".")

/** The button that opens the page on which the alert is acknowledged. */
export const acknowledgeButton = (notice: Notice) =>
  hasButton(notice) ? { text: NoticeText.acknowledgeLabel(notice), url: notice.acknowledgeUrl } : undefined

const acknowledgeLink = (notice: Notice): ReadonlyArray<string> =>
  notice.acknowledgeUrl === undefined || hasButton(notice)
    ? []
    : [link(notice.acknowledgeUrl, NoticeText.acknowledgeLabel(notice))]

export const html = (notice: Notice): string => {
  const summary = NoticeText.truncate(NoticeText.summary(notice), summaryLimit)
  const facts = NoticeText.testFacts(notice).map(
    (fact) =>
      `<b>${fact.label}</b>: ${escaped(NoticeText.truncate(fact.value, NoticeText.isWhy(fact, notice) ? whyLimit : valueLimit))}`
  )
  return [
    `${signs[NoticeText.tone(notice)]} <b>${escaped(NoticeText.headline(notice))}</b>`,
    ...(summary === "" ? [] : [escaped(summary)]),
    ...(facts.length === 0 ? [] : [facts.join("\n")]),
    [link(notice.links.monitor, NoticeText.openLabel(notice)), ...acknowledgeLink(notice)].join(" · ")
  ].join("\n\n")
}

/** The same when the alert needs no answer any more. */
export const handled = (notice: Notice, because: string): string => `${html(notice)}\n\n✅ <b>${escaped(because)}</b>`
