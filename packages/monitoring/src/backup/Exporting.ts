/**
 * Exports the database as lines of text, from one snapshot, without data that expires within a day. Secrets stay
 * encrypted. Memory stays constant for any size.
 */
import { toIso } from "@kanmon/domain/Timestamp"
import { Clock, Effect, type Redacted, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import * as Migrations from "@kanmon/platform/database/Migrations"
import { Partitions } from "../evaluation/index.ts"
import type { PublicEvent } from "@kanmon/domain/PublicEvent"
import { ExportUnusable, fingerprint, header, type Line, Proof } from "./ExportFormat.ts"
import * as Tables from "./Tables.ts"

/** The maximum of rows or messages on one line. */
const rowsAtOnce = 500

export interface ExportOptions<E, R, E2, R2> {
  /** The version of Kanmon that writes. */
  readonly version: string
  readonly secret: Redacted.Redacted
  /** Observations that no engine has evaluated yet: they are on the bus, but not in the database. */
  readonly unevaluated: Stream.Stream<PublicEvent, E, R>
  /** Takes one line, without its line feed. */
  readonly write: (line: string) => Effect.Effect<void, E2, R2>
}

/** The result of an export. */
export interface Exported {
  /** Rows by table, without empty tables. */
  readonly rows: Readonly<Record<string, number>>
  /** Observations that were not evaluated. */
  readonly unjudged: number
}

/** Exports the database. */
export const run = Effect.fn("Exporting.run")(function* <E, R, E2, R2>(options: ExportOptions<E, R, E2, R2>) {
  const sql = yield* SqlClient.SqlClient
  const partitions = yield* Partitions
  const proof = new Proof()
  const write = (line: Line) => {
    const text = JSON.stringify(line)
    proof.add(text, line)
    return options.write(text)
  }

  return yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql.unsafe("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
      yield* Tables.plainText
      const level = yield* Migrations.level
      if (level === 0)
        return yield* new ExportUnusable({ message: "There is nothing to export: the database is empty." })
      const tables = (yield* Tables.read).filter(({ name }) => !Tables.passing.has(name))
      yield* write(
        header({
          version: options.version,
          level,
          secret: fingerprint(options.secret),
          exportedAt: toIso(yield* Clock.currentTimeMillis),
          tables: tables.map(({ columns, name }) => ({ name, columns: columns.map((column) => column.name) })),
          days: yield* partitions.days
        })
      )
      for (const table of tables) {
        yield* rowsOf(table, (rows) => write({ part: "rows", table: table.name, rows }))
        if (table.numbered !== null) yield* write(yield* sequenceOf(table.name, table.numbered))
      }
      yield* options.unevaluated.pipe(
        Stream.grouped(rowsAtOnce),
        Stream.runForEach((messages) => write({ part: "unjudged", messages }))
      )
      const end = proof.end()
      yield* options.write(JSON.stringify(end))
      return end as Exported
    })
  )
}, Effect.provide(Partitions.layer))

/** Passes on a table's rows in batches. */
const rowsOf = Effect.fnUntraced(function* <E, R>(
  { columns, name }: Tables.Table,
  take: (rows: ReadonlyArray<ReadonlyArray<string | null>>) => Effect.Effect<void, E, R>
) {
  const sql = yield* SqlClient.SqlClient
  const cursor = Tables.quoted(`export_${name}`)
  const texts = columns.map((column) => `${Tables.quoted(column.name)}::text`).join(", ")
  yield* sql.unsafe(`DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT ${texts} FROM ${Tables.quoted(name)}`)
  for (;;) {
    const rows = yield* sql.unsafe(`FETCH ${rowsAtOnce} FROM ${cursor}`).valuesUnprepared
    if (rows.length > 0) yield* take(decodeTexts(rows))
    if (rows.length < rowsAtOnce) break
  }
  yield* sql.unsafe(`CLOSE ${cursor}`)
})

const sequenceOf = Effect.fnUntraced(function* (table: string, column: string) {
  const sql = yield* SqlClient.SqlClient
  const [{ name }] = decodeName(yield* sql`SELECT pg_get_serial_sequence(${Tables.quoted(table)}, ${column}) AS name`)
  const [state] = decodeSequence(
    yield* sql.unsafe(`SELECT last_value::text AS value, is_called AS called FROM ${name}`)
  )
  return { part: "sequence", table, column, ...state } as const
})

const decodeTexts = Schema.decodeUnknownSync(Schema.Array(Schema.Array(Schema.NullOr(Schema.String))))
const decodeName = Schema.decodeUnknownSync(Schema.Tuple([Schema.Struct({ name: Schema.String })]))
const decodeSequence = Schema.decodeUnknownSync(
  Schema.Tuple([Schema.Struct({ value: Schema.String, called: Schema.Boolean })])
)
