/**
 * All mails to people about their accounts, as plain text and HTML, in the reader's language. The functions are pure;
 * callers decide when to send and to whom. Names that people chose are quoted, so that they can neither add headers nor
 * become links.
 */
import type { AccountMailOptions } from "./AccountLetter.ts"
import type { Message } from "@kanmon/core/Channel"
import { oneLine, truncate } from "@kanmon/core/NoticeText"
import { escapeHtml as escape } from "@kanmon/domain/EscapeHtml"
import type { Locale } from "@kanmon/domain/Locale"
import { isTimeZone, zoneLabel } from "@kanmon/domain/TimeZone"
import { de } from "./AccountMailGerman.ts"
import { en } from "./AccountMailEnglish.ts"
import { ja } from "./AccountMailJapanese.ts"
import type { Letter, Wording, Wordings } from "./AccountMailWording.ts"

export type { Letter } from "./AccountMailWording.ts"

const languages: Readonly<Record<Locale, Wordings>> = { en, de, ja }

/** The longest name that is quoted whole. */
const longest = 80
/** Mail programs turn text that looks like an address into a link. Invisible word joiners prevent it. */
const joiner = "\u2060"

/** A name that somebody chose, on one line, of limited length, and no link. */
export const quoted = (name: string): string =>
  truncate(oneLine(name), longest).replaceAll(/(?<=\S)[.:@/](?=\S)/g, (mark) => `${joiner}${mark}${joiner}`)

/** The letter with every name in it quoted. */
const safe = (letter: Letter): Letter => {
  switch (letter.kind) {
    case "newAddressRequested":
    case "addressChanged":
      return { ...letter, newAddress: oneLine(letter.newAddress) }
    case "passkeyAdded":
    case "signOnConnected":
    case "contactMethodChanged":
      return { ...letter, name: quoted(letter.name) }
    case "invitation":
      return { ...letter, organization: quoted(letter.organization), invitedBy: quoted(letter.invitedBy) }
    default:
      return letter
  }
}

/** Letters and their wordings are keyed by the same kinds, which the compiler cannot follow through the union. */
const worded = <Kind extends Letter["kind"]>(
  letter: Extract<Letter, { readonly kind: Kind }>,
  locale: Locale,
  host: string
): Wording => (languages[locale][letter.kind as Kind] as Wordings[Kind])(letter, host)

const timeLabels: Readonly<Record<Locale, string>> = { en: "Time: ", de: "Zeitpunkt: ", ja: "日時：" }
/** Day before month, and 24 hours, in every language. */
const timeLocales: Readonly<Record<Locale, string>> = { en: "en-GB", de: "de", ja: "ja" }

/** `Time: 26 November 2026 at 23:01:05 CET`. */
const timeLine = (locale: Locale, { at, zone }: NonNullable<AccountMailOptions["happened"]>): string => {
  const timeZone = zone !== null && isTimeZone(zone) ? zone : "UTC"
  const format = new Intl.DateTimeFormat(timeLocales[locale], { dateStyle: "long", timeStyle: "medium", timeZone })
  return `${timeLabels[locale]}${format.format(at)} ${zoneLabel(at, timeZone)}`
}

/** The mail, ready to be sent. */
export const compose = (letter: Letter, { baseUrl, happened, id, locale }: AccountMailOptions): Message => {
  const { button, notes, paragraphs: said, subject } = worded(safe(letter), locale, new URL(baseUrl).host)
  const paragraphs = happened === undefined ? said : [...said, timeLine(locale, happened)]
  const link = "link" in letter ? letter.link : undefined
  return {
    id,
    subject: oneLine(subject),
    text: [...paragraphs, ...(link === undefined ? [] : [link]), ...notes].join("\n\n"),
    html: html({ locale, subject, paragraphs, notes, ...(link === undefined ? {} : { link, button: button ?? link }) })
  }
}

interface Page extends Wording {
  readonly locale: Locale
  readonly link?: string
}

// No colours for text and background, which follow the reader's light or dark mode. No remote content.
const html = ({ button, link, locale, notes, paragraphs, subject }: Page): string =>
  [
    `<!doctype html>`,
    `<html lang="${locale}">`,
    `<head>`,
    `<meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width,initial-scale=1">`,
    `<meta name="color-scheme" content="light dark">`,
    `<meta name="supported-color-schemes" content="light dark">`,
    `<title>${escape(subject)}</title>`,
    `</head>`,
    `<body style="margin:0;padding:24px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif">`,
    `<div style="max-width:600px;margin:0 auto">`,
    `<h1 style="margin:0 0 12px;font-size:22px;line-height:1.3;word-break:break-word">${escape(subject)}</h1>`,
    ...paragraphs.map((text) => `<p style="margin:0 0 16px;word-break:break-word">${escape(text)}</p>`),
    ...(link === undefined || button === undefined
      ? []
      : [
          `<p style="margin:24px 0"><a href="${escape(link)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#475569;color:#ffffff;text-decoration:none;font-weight:bold">${escape(button)}</a></p>`,
          `<p style="margin:0 0 16px;font-size:14px;opacity:.7;word-break:break-all">${escape(link)}</p>`
        ]),
    ...notes.map((text) => `<p style="margin:0 0 16px;font-size:14px;opacity:.7">${escape(text)}</p>`),
    `</div>`,
    `</body>`,
    `</html>`,
    ``
  ].join("\n")
