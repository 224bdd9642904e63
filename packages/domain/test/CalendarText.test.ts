import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { calendarBegin, calendarEnd, calendarEvent, calendarValue, contentLine } from "../src/CalendarText.ts"

const octets = (text: string): number => new TextEncoder().encode(text).length

/** As a reader of calendars does it. */
const unfolded = (text: string): ReadonlyArray<string> => text.replaceAll("\r\n ", "").split("\r\n")
const unescaped = (value: string): string =>
  value.replaceAll(/\\([\\;,nN])/g, (_, mark: string) => (mark.toLowerCase() === "n" ? "\n" : mark))

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.constantFrom("BEGIN:VALARM\r\nTRIGGER:-PT1M", "Ada; Bob, \\n Cy", "日".repeat(80), "\ud800", "a\u0000b\u0085c")
)

describe("a calendar", () => {
  it("has no line of more than 75 octets, and loses no character at a fold", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 400 }).map(calendarValue), (text) => {
        const folded = contentLine(text)
        for (const line of folded.split("\r\n")) assert.isAtMost(octets(line), 75)
        assert.deepStrictEqual(unfolded(folded), [text.toWellFormed(), ""])
      })
    )
  })

  it("keeps every name within its own line", () => {
    fc.assert(
      fc.property(anyText, anyText, (name, summary) => {
        const event = { uid: "sch_1-1@kanmon", from: 0, to: 3_600_000, summary }
        const text = calendarBegin(name) + calendarEvent(event, 1000) + calendarEnd
        const names = unfolded(text).map((line) => line.slice(0, line.search(/[:;]/)))
        assert.deepStrictEqual(names.slice(-10), [
          "BEGIN",
          "UID",
          "DTSTAMP",
          "DTSTART",
          "DTEND",
          "SUMMARY",
          "TRANSP",
          "END",
          "END",
          ""
        ])
        const line = unfolded(text).find((one) => one.startsWith("SUMMARY:"))!
        const shown = summary.replaceAll(/\r\n?/g, "\n").replaceAll(/(?!\n)\p{Cc}/gu, "")
        assert.strictEqual(unescaped(line.slice("SUMMARY:".length)), shown.toWellFormed())
      })
    )
  })

  it("tells times in UTC", () => {
    const event = {
      uid: "1",
      from: Date.parse("2026-11-23T08:00:00Z"),
      to: Date.parse("2026-11-30T08:00:00Z"),
      summary: "Ada"
    }
    assert.include(calendarEvent(event, 0), "DTSTART:20261123T080000Z\r\nDTEND:20261130T080000Z\r\n")
  })
})
