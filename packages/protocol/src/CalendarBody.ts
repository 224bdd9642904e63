/** The addresses of calendars of shifts, and when people are away. */
import { decodeStrict, type InvalidFields } from "@kanmon/domain/FieldErrors"
import type { Span } from "@kanmon/domain/Spans"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { type Result, Schema } from "effect"
import * as Body from "./Body.ts"

const fields = {
  createdAt: Timestamp,
  lastUsedAt: Schema.NullOr(Timestamp).annotate({
    description: "When the calendar was read last, accurate to an hour; null: never"
  })
}

/** A calendar that has an address. */
export const Calendar = Schema.Struct(fields).annotate({ identifier: "Calendar" })

/** A calendar with its address. */
export const CalendarAddress = Schema.Struct({
  ...fields,
  url: Schema.String.annotate({
    description: "Address of the calendar, which is shown once. Anyone with the address can read the shifts"
  })
}).annotate({ identifier: "CalendarAddress" })

/** Most periods in which a person is away. */
const maxPeriods = 50

/** When a person is away. */
export const AwayPeriods = Schema.Array(Schema.Struct({ from: Timestamp, to: Timestamp }))
  .check(Schema.isMaxLength(maxPeriods))
  .annotate({ identifier: "AwayPeriods" })

/** Decodes periods; every broken field is named. */
export const decodeAway: (body: unknown) => Result.Result<ReadonlyArray<Span>, InvalidFields> = Body.fit(
  decodeStrict(AwayPeriods)
)
