/** A notice as an e-mail: equivalent plain text and HTML, and headers that thread an alert's e-mails. */
import { escapeHtml as escape } from "@kanmon/domain/EscapeHtml"
import type { Message as OwnMessage } from "@kanmon/core/Channel"
import type { Notice } from "@kanmon/core/Notice"
import * as NoticeText from "@kanmon/core/NoticeText"
import { say } from "@kanmon/core/NoticeWords"

export interface Message {
  readonly messageId: string
  readonly inReplyTo?: string
  readonly references?: string
  readonly subject: string
  readonly text: string
  readonly html?: string
}

/** The parts that make the ids of messages unique. */
export interface Origin {
  /** The host of the sender's address. */
  readonly host: string
  /** Names the recipient, since each gets a message of its own. */
  readonly recipient: string
}

/** A message from Kanmon itself, unchanged. */
export const ofText = ({ html, id, subject, text }: OwnMessage, { host, recipient }: Origin): Message => ({
  messageId: `<${id}.${recipient}@${host}>`,
  subject,
  text: `${text}\n`,
  ...(html === undefined ? {} : { html })
})

/** Its ids are the same in every attempt. */
export const ofNotice = (notice: Notice, { host, recipient }: Origin): Message => {
  const closes = NoticeText.isResolution(notice)
  const opening = `<${notice.alertId}.down.${recipient}@${host}>`
  const subject = NoticeText.subject(notice)
  const short = shortened(notice)
  return {
    messageId: closes || notice.reminder || notice.event === "test" ? `<${notice.id}.${recipient}@${host}>` : opening,
    ...(closes || notice.reminder ? { inReplyTo: opening, references: opening } : {}),
    subject,
    text: text(short),
    html: html(short, subject)
  }
}

/** Limits the quoted answer of the target. */
const shortened = (notice: Notice): Notice => ({
  ...notice,
  ...(notice.rules === undefined ? {} : { rules: notice.rules.map(shortRule) }),
  reason: NoticeText.truncate(NoticeText.clean(notice.reason), 2000),
  monitor: { ...notice.monitor, target: NoticeText.truncate(NoticeText.oneLine(notice.monitor.target), 500) },
  project: { ...notice.project, name: NoticeText.truncate(NoticeText.oneLine(notice.project.name), 120) },
  rule: notice.rule === null ? null : shortRule(notice.rule)
})

const shortRule = (rule: NonNullable<Notice["rule"]>) => ({
  ...rule,
  name: NoticeText.truncate(NoticeText.oneLine(rule.name), 120)
})

/** The state first, because mail lists show it beside the subject. */
const text = (notice: Notice): string => `${NoticeText.word(notice)}: ${NoticeText.plain(notice)}\n`

const colours: Record<NoticeText.Tone, string> = {
  bad: "#c4231c",
  warning: "#9a5b00",
  good: "#18794e",
  neutral: "#475569"
}

// No colours for text and background, which follow the reader's light or dark mode. No remote content.
const html = (notice: Notice, title: string): string => {
  const colour = colours[NoticeText.tone(notice)]
  const summary = NoticeText.summary(notice)
  const rows = NoticeText.testFacts(notice).map(
    ({ label, value }) =>
      `<tr><td style="padding:4px 16px 4px 0;vertical-align:top;white-space:nowrap;opacity:.7">${escape(label)}</td>` +
      `<td style="padding:4px 0;vertical-align:top;word-break:break-word">${escape(value)}</td></tr>`
  )
  return [
    `<!doctype html>`,
    `<html lang="${notice.language ?? "en"}">`,
    `<head>`,
    `<meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width,initial-scale=1">`,
    `<meta name="color-scheme" content="light dark">`,
    `<meta name="supported-color-schemes" content="light dark">`,
    `<title>${escape(title)}</title>`,
    `</head>`,
    `<body style="margin:0;padding:24px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif">`,
    `<div style="max-width:600px;margin:0 auto">`,
    `<p style="margin:0"><span style="display:inline-block;padding:2px 10px;border-radius:4px;background:${colour};color:#ffffff;font-size:14px;font-weight:bold">${escape(NoticeText.word(notice))}</span></p>`,
    `<h1 style="margin:12px 0;font-size:22px;line-height:1.3;word-break:break-word">${escape(NoticeText.headline(notice))}</h1>`,
    ...(summary === ""
      ? []
      : [`<p style="margin:0 0 16px;white-space:pre-line;word-break:break-word">${escape(summary)}</p>`]),
    ...(rows.length === 0
      ? []
      : [
          `<table role="presentation" cellpadding="0" cellspacing="0" style="border-collapse:collapse;font-size:14px">`,
          ...rows,
          `</table>`
        ]),
    `<p style="margin:24px 0 0"><a href="${escape(notice.links.monitor)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:${colour};color:#ffffff;text-decoration:none;font-weight:bold">${escape(say(notice.language, `Open the ${NoticeText.opens(notice)}`))}</a></p>`,
    ...(notice.acknowledgeUrl === undefined
      ? []
      : [
          `<p style="margin:16px 0 0"><a href="${escape(notice.acknowledgeUrl)}">${escape(say(notice.language, "Acknowledge the alert"))}</a></p>`
        ]),
    `</div>`,
    `</body>`,
    `</html>`,
    ``
  ].join("\n")
}
