/** A notice as a Matrix text message, in plain text and in HTML. */
import type { Message } from "@kanmon/core/Channel"
import type { Notice } from "@kanmon/core/Notice"
import * as NoticeText from "@kanmon/core/NoticeText"

/** An event may have 64 KiB, including both forms. */
const summaryLimit = 4000
const valueLimit = 500

const colours: Record<NoticeText.Tone, string> = {
  bad: "#d92d20",
  warning: "#b54708",
  good: "#067647",
  neutral: "#475467"
}

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

export const body = (notice: Notice) => {
  const headline = NoticeText.headline(notice)
  const summary = NoticeText.truncate(NoticeText.summary(notice), summaryLimit)
  const facts = NoticeText.testFacts(notice).map(({ label, value }) => ({
    label,
    value: NoticeText.truncate(value, valueLimit)
  }))
  const colour = colours[NoticeText.tone(notice)]
  return {
    // Not m.notice: many clients do not notify users of those.
    msgtype: "m.text",
    body: [
      headline,
      summary,
      ...facts.map(({ label, value }) => `${label}: ${value}`),
      notice.links.monitor,
      notice.acknowledgeUrl === undefined ? "" : `${NoticeText.acknowledgeLabel(notice)}: ${notice.acknowledgeUrl}`
    ]
      .filter((line) => line !== "")
      .join("\n"),
    format: "org.matrix.custom.html",
    formatted_body: [
      `<strong><span data-mx-color="${colour}">${escape(headline)}</span></strong>`,
      ...(summary === "" ? [] : [`<br>${escape(summary).replaceAll("\n", "<br>")}`]),
      ...(facts.length === 0
        ? []
        : [`<ul>${facts.map(({ label, value }) => `<li><b>${label}</b>: ${escape(value)}</li>`).join("")}</ul>`]),
      `<a href="${escape(notice.links.monitor)}">${NoticeText.openLabel(notice)}</a>`,
      ...(notice.acknowledgeUrl === undefined
        ? []
        : [` · <a href="${escape(notice.acknowledgeUrl)}">${NoticeText.acknowledgeLabel(notice)}</a>`])
    ].join(""),
    "m.mentions": {}
  }
}

/** A message from Kanmon itself, without markup. */
export const ownBody = ({ text }: Message) => {
  const said = NoticeText.truncate(text, summaryLimit)
  return {
    msgtype: "m.text",
    body: said,
    format: "org.matrix.custom.html",
    formatted_body: escape(said).replaceAll("\n", "<br>"),
    "m.mentions": {}
  }
}

/**
 * Replaces a message when the alert needs no answer any more.
 * @see https://spec.matrix.org/latest/client-server-api/#event-replacements
 */
export const replacement = (notice: Notice, because: string, event: string) => {
  const { body: plain, formatted_body: html, ...rest } = body(notice)
  const content = {
    ...rest,
    body: `${plain}\n✅ ${because}`,
    formatted_body: `${html}<br>✅ <strong>${escape(because)}</strong>`
  }
  return {
    ...content,
    body: `* ${content.body}`,
    "m.new_content": content,
    "m.relates_to": { rel_type: "m.replace", event_id: event }
  }
}
