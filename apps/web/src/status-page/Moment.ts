/** Instants in UTC, for readers without JavaScript. The script puts them in the reader's own time zone and language. */
import { type EpochMillis, toIso, utcDay } from "@kanmon/domain/Timestamp"
import { type Html, html } from "./Html.ts"

const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" })

const minute = format({ day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" })
const hour = format({ hour: "2-digit", minute: "2-digit" })
const month = format({ month: "long", year: "numeric" })

/**
 * What the script makes of it: `moment` date and time, `ago` relative words, `both` one after the other, `month` the
 * UTC month.
 */
export type Telling = "moment" | "ago" | "both" | "month"

/** `14 Nov 2026, 08:12 UTC`. */
export const utc = (at: EpochMillis): string => `${minute.format(at)} UTC`

const iso = (at: EpochMillis): string => toIso(at).replace(".000Z", "Z")

/** An instant that the script can tell better. */
export const moment = (at: EpochMillis, as: Telling = "moment"): Html =>
  html`<time datetime=${iso(at)} data-as=${as}>${utc(at)}</time>`

/** The end of a span: without its day where it ends on the day of its beginning. */
export const end = (at: EpochMillis, from: EpochMillis): Html => {
  const text = utcDay(at) === utcDay(from) ? `${hour.format(at)} UTC` : utc(at)
  return html`<time datetime=${iso(at)} data-as="until" data-from=${iso(from)}>${text}</time>`
}

/** `2026-11`: the UTC month of an instant. */
export const monthOf = (at: EpochMillis): string => utcDay(at).slice(0, 7)

/** The month in words. */
export const monthName = (yearAndMonth: string): Html =>
  html`<time datetime=${yearAndMonth} data-as="month">${month.format(Date.parse(`${yearAndMonth}-01`))}</time>`
