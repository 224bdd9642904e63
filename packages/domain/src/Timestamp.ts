/**
 * Instants. Inside, an instant is a number of milliseconds since 1970 (what the pure functions compute with);
 * on the wire it is ISO 8601 in UTC with milliseconds and `Z`.
 */
import { Effect, Schema, SchemaIssue, SchemaTransformation } from "effect"

/** Milliseconds since the Unix epoch, UTC. */
export type EpochMillis = number

/** Instants whose wire form has four digits for the year. */
const minimum = Date.parse("0000-01-01T00:00:00.000Z")
const maximum = Date.parse("9999-12-31T23:59:59.999Z")

// A time without a zone would mean another instant on every machine.
const iso = /^(\d{4}-\d{2}-(\d{2}))T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/

/** The instant that an ISO 8601 text with a zone names; undefined when it is none, or names a day that no calendar has. */
export const parse = (text: string): EpochMillis | undefined => {
  const match = iso.exec(text)
  const at = Date.parse(text)
  if (match === null || Number.isNaN(at)) return undefined
  // JavaScript takes the 30th of February for the 2nd of March.
  return Number(match[2]) > 28 && utcDay(Date.parse(match[1]!)) !== match[1] ? undefined : at
}

/** `2026-11-20T08:30:00.000Z` on the wire, {@link EpochMillis} in memory. */
export const Timestamp = Schema.String.pipe(
  Schema.annotate({
    format: "date-time",
    description: "ISO 8601 in UTC with milliseconds",
    examples: ["2026-11-20T08:30:00.000Z"]
  }),
  Schema.decodeTo(
    Schema.Int.check(Schema.isBetween({ minimum, maximum })),
    SchemaTransformation.transformEffect({
      decode: (text: string, options) => {
        const at = parse(text)
        return at === undefined
          ? Effect.fail(
              new SchemaIssue.InvalidValue(
                { message: "Expected an ISO 8601 timestamp such as 2026-11-20T08:30:00.000Z" },
                text,
                options
              )
            )
          : Effect.succeed(at)
      },
      encode: (at: number) => Effect.succeed(toIso(at))
    })
  )
)

/** The wire form of an instant. */
export const toIso = (at: EpochMillis): string => new Date(at).toISOString()

/** The UTC day an instant falls on, `YYYY-MM-DD`. */
export const utcDay = (at: EpochMillis): string => toIso(at).slice(0, 10)

/** One UTC day in milliseconds. UTC has no daylight saving, so every day is this long. */
export const dayMillis = 86_400_000
