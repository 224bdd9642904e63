/**
 * Writes everything that the store keeps for longer than a day as lines of text, from one snapshot of the database. Secrets stay encrypted as they
 * are. Memory stays constant, however much there is.
 */
import { toIso } from "@kanmon/domain/Timestamp"
import { Clock, Effect, type Redacted, Stream } from "effect"
import { SqlClient } from "effect/sql"
import * as Migrations from "../database/Migrations.ts"
import * as Partitions from "../history/Partitions.ts"
import type { OutboxEvent } from "../outbox/Outbox.ts"
import { ExportUnusable, fingerprint, header, type Line, Proof } from "./ExportFormat.ts"
import * as Tables from "./Tables.ts"

/** Rows, and messages, of one line. */
const rowsAtOnce = 500

export interface ExportOptions<E, R, E2, R2> {
  /** The version of Kanmon that writes. */
  readonly version: string
  readonly secret: Redacted.Redacted
  /** Observations that were accepted and that no engine has judged: the bus has them, the database not yet. */
  readonly unjudged: Stream.Stream<OutboxEvent, E, R>
  /** Takes one line, without its line feed. */
  readonly write: (line: string) => Effect.Effect<void, E2, R2>
}

/** What was exported. */
export interface Exported {
  /** By table; those without rows are left out. */
  readonly rows: Readonly<Record<string, number>>
  readonly unjudged: number
}

/** Exports the database. */
export const run = Effect.fn("Exporting.run")(function* <E, R, E2, R2>(options: ExportOptions<E, R, E2, R2>) {
  const sql = yield* SqlClient.SqlClient
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
          days: yield* Partitions.days
        })
      )
      for (const table of tables) {
        yield* rowsOf(table, (rows) => write({ part: "rows", table: table.name, rows }))
        if (table.numbered !== null) yield* write(yield* sequenceOf(table.name, table.numbered))
      }
      yield* options.unjudged.pipe(
        Stream.grouped(rowsAtOnce),
        Stream.runForEach((messages) => write({ part: "unjudged", messages }))
      )
      const end = proof.end()
      yield* options.write(JSON.stringify(end))
      return end as Exported
    })
  )
})

/** Hands out a table's rows, some at a time. */
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
    if (rows.length > 0) yield* take(rows as ReadonlyArray<ReadonlyArray<string | null>>)
    if (rows.length < rowsAtOnce) break
  }
  yield* sql.unsafe(`CLOSE ${cursor}`)
})

const sequenceOf = Effect.fnUntraced(function* (table: string, column: string) {
  const sql = yield* SqlClient.SqlClient
  const [{ name }] = (yield* sql`SELECT pg_get_serial_sequence(${Tables.quoted(table)}, ${column}) AS name`) as [
    { name: string }
  ]
  const [{ called, value }] = (yield* sql.unsafe(
    `SELECT last_value::text AS value, is_called AS called FROM ${name}`
  )) as [{ value: string; called: boolean }]
  return { part: "sequence", table, column, value, called } as const
})
