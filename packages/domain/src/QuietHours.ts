/**
 * Quiet hours of channels and people: messages below the urgency wait for their end, and arrive as one digest. Pure.
 */
import { Schema } from "effect"
import { zoneOf } from "./LocalTime.ts"
import type { EpochMillis } from "./Timestamp.ts"
import { TimeZone } from "./TimeZone.ts"
import { isBelow, Severity } from "./Severity.ts"
import { maxWindows, spansOf, WeeklyWindow } from "./WeeklyWindows.ts"

export const QuietHours = Schema.Struct({
  timezone: TimeZone.annotate({ description: "IANA time zone of the windows" }),
  windows: Schema.Array(WeeklyWindow).check(Schema.isBetweenLength(1, maxWindows)),
  holdBelow: Severity.annotate({ description: "Less urgent messages wait for the end of the window" })
})
export type QuietHours = typeof QuietHours.Type

/** The longest time for which a message waits: windows that follow each other without an end are looked at for this long. */
export const longestHold = 8 * 86_400_000

/**
 * Until when a message waits; null if it is sent at once. Windows that cover the whole week would hold it for ever: after eight
 * days it is sent all the same.
 */
export const heldUntil = (
  { holdBelow, timezone, windows }: QuietHours,
  severity: Severity,
  at: EpochMillis
): EpochMillis | null => {
  const zone = zoneOf(timezone)
  if (zone === undefined || !isBelow(severity, holdBelow)) return null
  const span = spansOf(windows, zone, at, at + longestHold).find(({ from, to }) => from <= at && at < to)
  return span === undefined ? null : Math.min(span.to, at + longestHold)
}

/** A message that waits for the end of quiet hours. */
export interface HeldMessage {
  readonly alertId: string
  readonly severity: Severity
  readonly at: EpochMillis
}

/** The messages of a digest: the most urgent first, then the oldest, without what has been resolved meanwhile. */
export const digestOf = <A extends HeldMessage>(
  held: ReadonlyArray<A>,
  resolved: ReadonlySet<string>
): ReadonlyArray<A> =>
  held
    .filter(({ alertId }) => !resolved.has(alertId))
    .toSorted((one, other) =>
      one.severity === other.severity ? one.at - other.at : isBelow(one.severity, other.severity) ? 1 : -1
    )
