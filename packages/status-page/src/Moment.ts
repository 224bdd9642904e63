/** Instants in UTC. The script converts them to the reader's time zone and language. */
import { type EpochMillis, toIso, utcDay } from "@kanmon/domain/Timestamp"
import { type Html, html } from "./Html.ts"

const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" })

const minute = format({ day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" })
const hour = format({ hour: "2-digit", minute: "2-digit" })
const month = format({ month: "long", year: "numeric" })

/** The format used by the script: `moment` date and time, `ago` relative time, `both` of them, `month` the UTC month. */
export type MomentFormat = "moment" | "ago" | "both" | "month"

/** `14 Nov 2026, 08:12 UTC`. */
const utc = (at: EpochMillis): string => `${minute.format(at)} UTC`

const iso = (at: EpochMillis): string => toIso(at).replace(".000Z", "Z")

/** An instant that the script can localise. */
export const moment = (at: EpochMillis, as: MomentFormat = "moment"): Html =>
  html`<time datetime=${iso(at)} data-as=${as}>${utc(at)}</time>`

/** The end of a period, without the date if it ends on the day it began. */
export const end = (at: EpochMillis, from: EpochMillis): Html => {
  const text = utcDay(at) === utcDay(from) ? `${hour.format(at)} UTC` : utc(at)
  return html`<time datetime=${iso(at)} data-as="until" data-from=${iso(from)}>${text}</time>`
}

/** `2026-11`: the UTC month of an instant. */
export const monthOf = (at: EpochMillis): string => utcDay(at).slice(0, 7)

/** The name of a month. */
export const monthName = (yearAndMonth: string): Html =>
  html`<time datetime=${yearAndMonth} data-as="month">${month.format(Date.parse(`${yearAndMonth}-01`))}</time>`
