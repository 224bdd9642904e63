/**
 * Instants. Inside, an instant is a number of milliseconds since 1970 (what the pure functions compute with);
 * on the wire it is ISO 8601 in UTC with milliseconds and `Z`.
 */
import { Effect, Schema, SchemaIssue, SchemaTransformation } from "effect"

/** Milliseconds since the Unix epoch, UTC. */
export type EpochMillis = number

/** `2026-11-20T08:30:00.000Z` on the wire, {@link EpochMillis} in memory. */
export const Timestamp = Schema.String.pipe(
  Schema.annotate({ description: "ISO 8601 in UTC with milliseconds", examples: ["2026-11-20T08:30:00.000Z"] }),
  Schema.decodeTo(
    Schema.Number,
    SchemaTransformation.transformEffect({
      decode: (text: string, options) => {
        const at = Date.parse(text)
        return Number.isNaN(at)
          ? Effect.fail(new SchemaIssue.InvalidValue({ message: "Expected an ISO 8601 timestamp" }, text, options))
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
