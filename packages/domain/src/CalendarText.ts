/**
 * Calendars as text (iCalendar, RFC 5545): events in UTC, lines that end with CRLF and are folded at 75 octets. Pure. No
 * text of an event can add lines or properties.
 */
import type { EpochMillis } from "./Timestamp.ts"

/** An event `[from, to)`. */
export interface CalendarEvent {
  /** The same whenever the calendar is read, and for no other event anywhere. */
  readonly uid: string
  readonly from: EpochMillis
  readonly to: EpochMillis
  readonly summary: string
}

/** RFC 5545, section 3.1: without the line break. */
const maxOctets = 75

const octetsOf = (character: string): number => {
  const code = character.codePointAt(0)!
  return code < 0x80 ? 1 : code < 0x8_00 ? 2 : code < 0x1_00_00 ? 3 : 4
}

/** A content line, folded between characters, with its line break. */
export const contentLine = (text: string): string => {
  const lines: Array<string> = []
  let line = ""
  let octets = 0
  for (const character of text.toWellFormed()) {
    const size = octetsOf(character)
    if (octets + size > maxOctets) {
      lines.push(line)
      // The blank that begins a continued line counts.
      line = " "
      octets = 1
    }
    line += character
    octets += size
  }
  return `${[...lines, line].join("\r\n")}\r\n`
}

/** A value of type TEXT (section 3.3.11); control characters are left out. */
export const calendarValue = (text: string): string =>
  text
    .replaceAll(/[\\;,]/g, (mark) => `\\${mark}`)
    .replaceAll(/\r\n?|\n/g, String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, "")

/** `20261123T080000Z`. */
const utc = (at: EpochMillis): string => `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`

/** The lines before the events. */
export const calendarBegin = (name: string): string =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Kanmon//On call//EN", "CALSCALE:GREGORIAN", "METHOD:PUBLISH"]
    .concat([
      `NAME:${calendarValue(name)}`,
      `X-WR-CALNAME:${calendarValue(name)}`,
      "REFRESH-INTERVAL;VALUE=DURATION:PT1H"
    ])
    .map(contentLine)
    .join("")

/** The lines of one event; `writtenAt` is when the calendar was read. */
export const calendarEvent = ({ from, summary, to, uid }: CalendarEvent, writtenAt: EpochMillis): string =>
  [
    "BEGIN:VEVENT",
    `UID:${calendarValue(uid)}`,
    `DTSTAMP:${utc(writtenAt)}`,
    `DTSTART:${utc(from)}`,
    `DTEND:${utc(to)}`,
    `SUMMARY:${calendarValue(summary)}`,
    "TRANSP:TRANSPARENT",
    "END:VEVENT"
  ]
    .map(contentLine)
    .join("")

/** The line after the events. */
export const calendarEnd = contentLine("END:VCALENDAR")
