/** Decodes the database's rows by schemas. A row that does not decode is a defect: the schema and the migrations disagree. */
import { Effect, Schema, SchemaGetter } from "effect"
import type { SqlError } from "effect/sql"

type Row = Schema.Codec<unknown, unknown>
type Statement = Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>

/** Every row, decoded. */
export const all = <S extends Row>(row: S) => {
  const decode = Schema.decodeUnknownSync(Schema.Array(row))
  return (statement: Statement): Effect.Effect<ReadonlyArray<S["Type"]>> =>
    Effect.orDie(Effect.map(statement, (rows) => decode(rows)))
}

/** The first row, decoded; `undefined` when there is none. */
export const first = <S extends Row>(row: S) => {
  const decode = Schema.decodeUnknownSync(row)
  return (statement: Statement): Effect.Effect<S["Type"] | undefined> =>
    Effect.orDie(Effect.map(statement, ([found]) => (found === undefined ? undefined : decode(found))))
}

/** The row of a statement that always has one, such as a count. */
export const one = <S extends Row>(row: S) => {
  const decode = Schema.decodeUnknownSync(row)
  return (statement: Statement): Effect.Effect<S["Type"]> =>
    Effect.orDie(Effect.map(statement, ([found]) => decode(found)))
}

/** Whether a statement returned any row. */
export const any = (statement: Statement): Effect.Effect<boolean> =>
  Effect.orDie(Effect.map(statement, (rows) => rows.length > 0))

/** A `timestamptz` as milliseconds since the epoch. */
export const Time = Schema.Date.pipe(
  Schema.decodeTo(Schema.Number, {
    decode: SchemaGetter.transform((date) => date.getTime()),
    encode: SchemaGetter.transform((millis) => new Date(millis))
  })
)

/** A `bigint` that fits a number: a count or a sequence. */
export const Count = Schema.Union([Schema.Number, Schema.BigInt, Schema.NumberFromString]).pipe(
  Schema.decodeTo(Schema.Number, {
    decode: SchemaGetter.transform(Number),
    encode: SchemaGetter.transform((count) => count)
  })
)
