/** Another record of the kind has this key in the project. The database says so: looking first would let two through. */
import { Effect, Schema } from "effect"
import { SqlError } from "effect/sql"
import { databaseDies } from "./Database.ts"
import * as Rows from "./Rows.ts"

export class KeyTaken extends Schema.TaggedError<KeyTaken>()("KeyTaken", {}) {}

const constraints = new Set([
  "monitors_key",
  "channels_key",
  "alert_rules_key",
  "status_pages_key",
  "incidents_key",
  "schedules_key",
  "escalation_policies_key",
  "integrations_key"
])

export const keyTakenAsAnswer = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | KeyTaken, R> =>
  Effect.mapError(effect, (error) =>
    error instanceof SqlError.SqlError &&
    error.reason._tag === "UniqueViolation" &&
    constraints.has(error.reason.constraint)
      ? new KeyTaken()
      : error
  )

/** The row that a statement wrote, decoded; fails when its key is taken. */
export const writtenUnlessTaken = <S extends Schema.Codec<unknown, unknown>>(row: S) => {
  const decode = Rows.one(row)
  return (statement: Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>): Effect.Effect<S["Type"], KeyTaken> =>
    databaseDies(keyTakenAsAnswer(statement)).pipe(Effect.flatMap((rows) => decode(Effect.succeed(rows))))
}
