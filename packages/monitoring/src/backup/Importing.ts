/**
 * Imports the lines of an export into an empty database, all or nothing: migrates it to the level of the export, restores
 * every row, and migrates on to this version.
 */
import { Data, Effect, Layer, type Redacted, Stream } from "effect"
import { SqlClient } from "effect/sql"
import * as Migrations from "@kanmon/platform/database/Migrations"
import { Partitions } from "../evaluation/index.ts"
import type { Exported } from "./Exporting.ts"
import { damaged, ExportUnusable, fingerprint, type Header, type Line, Proof, read } from "./ExportFormat.ts"
import { Outbox } from "@kanmon/platform/outbox/Outbox"
import { OutboxSignal } from "@kanmon/platform/outbox/OutboxSignal"
import * as Tables from "./Tables.ts"

/** Tables that migrations, or an engine without monitors, have filled: their rows are replaced. */
const filledBySelf: ReadonlySet<string> = new Set(["plans", "rollup_progress", "heartbeat_watch", "installation"])

/** The database cannot take the import; the message says what to do. */
export class TargetUnusable extends Data.TaggedError("TargetUnusable")<{ readonly message: string }> {}

interface Imported extends Exported {
  /** The migrations that were applied to the restored data. */
  readonly migrated: ReadonlyArray<string>
}

/** Imports into the connected database. Observations that were not evaluated go to the bus through the outbox. */
export const run = Effect.fn("Importing.run")(
  function* <E, R>(options: { readonly secret: Redacted.Redacted; readonly lines: Stream.Stream<string, E, R> }) {
    const sql = yield* SqlClient.SqlClient
    const imported = yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* Tables.plainText
        const proof = new Proof()
        let tables: ReadonlyMap<string, Tables.Table> | undefined
        let done: Exported | undefined

        const take = Effect.fnUntraced(function* (text: string) {
          const line = yield* Effect.fromResult(read(text))
          if (done !== undefined) return yield* damaged("there is more behind its end")
          if (line.part === "kanmon export") {
            if (tables !== undefined) return yield* damaged("it begins twice")
            tables = yield* prepare(line, options.secret)
          } else if (tables === undefined) {
            return yield* damaged("its beginning is missing")
          } else if (line.part === "end") {
            if (!sameEnd(line, proof.end())) return yield* damaged("its checksum does not fit")
            done = line
            return
          } else {
            yield* restore(line, tables)
          }
          proof.add(text, line)
        })

        yield* Stream.runForEach(options.lines, take)
        if (done === undefined) return yield* damaged("its end is missing")
        return { ...done, migrated: yield* Migrations.run } satisfies Imported as Imported
      })
    )
    // An export holds no planner statistics.
    yield* sql.unsafe("ANALYZE")
    return imported
  },
  Effect.provide([Outbox.layer.pipe(Layer.provide(OutboxSignal.layer)), Partitions.layer])
)

const sameEnd = (told: Line & { part: "end" }, counted: Line & { part: "end" }): boolean =>
  told.sha256 === counted.sha256 &&
  told.unjudged === counted.unjudged &&
  Object.keys({ ...told.rows, ...counted.rows }).every((table) => told.rows[table] === counted.rows[table])

/** Prepares the database: migrates it to the export's level, checks that it is empty, and locks its tables. */
const prepare = Effect.fnUntraced(function* (header: Header, secret: Redacted.Redacted) {
  const sql = yield* SqlClient.SqlClient
  if (header.secret !== fingerprint(secret)) {
    return yield* new ExportUnusable({
      message:
        "The file was exported under another KANMON_SECRET, and what is encrypted in it could not be read. Set KANMON_SECRET to the old installation's: its own setting, or the content of the file `secret` in its data directory."
    })
  }
  if (header.level > Migrations.newest) {
    return yield* new ExportUnusable({
      message: `The file was exported by a newer Kanmon, ${header.version}: import it with that version.`
    })
  }
  if ((yield* Migrations.level) > header.level) {
    return yield* new TargetUnusable({
      message: `The file was exported by an older Kanmon, ${header.version}, and this database has been migrated further. Import it into a new, empty database: it is migrated behind the import.`
    })
  }
  yield* Migrations.to(header.level)
  const tables = new Map((yield* Tables.read).map((table) => [table.name, table]))
  const strange = header.tables.find(
    ({ columns, name }) => !columns.every((column) => tables.get(name)?.columns.some((own) => own.name === column))
  )
  if (strange !== undefined) {
    return yield* new ExportUnusable({
      message: `The file has a table ${strange.name} that this version of Kanmon does not know as it is; it was exported by Kanmon ${header.version}.`
    })
  }
  const names = header.tables.map(({ name }) => Tables.quoted(name))
  yield* sql.unsafe(`LOCK TABLE ${names.join(", ")} IN ACCESS EXCLUSIVE MODE`)
  for (const { name } of header.tables) {
    if (filledBySelf.has(name)) {
      yield* sql.unsafe(`DELETE FROM ${Tables.quoted(name)}`)
    } else if ((yield* sql.unsafe(`SELECT 1 FROM ${Tables.quoted(name)} LIMIT 1`)).length > 0) {
      return yield* new TargetUnusable({
        message: `The database is not empty: there is something in ${name}. Import into a new database; nothing was changed in this one.`
      })
    }
  }
  yield* (yield* Partitions).makeDays(header.days)
  return columnsAsWritten(header, tables)
})

/** The tables with the columns in the order of the file. */
const columnsAsWritten = (
  header: Header,
  tables: ReadonlyMap<string, Tables.Table>
): ReadonlyMap<string, Tables.Table> =>
  new Map(
    header.tables.map(({ columns, name }) => {
      const table = tables.get(name)!
      return [
        name,
        { ...table, columns: columns.map((column) => table.columns.find((own) => own.name === column)!) }
      ] as const
    })
  )

const restore = Effect.fnUntraced(function* (
  line: Extract<Line, { part: "rows" | "sequence" | "unjudged" }>,
  tables: ReadonlyMap<string, Tables.Table>
) {
  const sql = yield* SqlClient.SqlClient
  if (line.part === "unjudged") {
    const outbox = yield* Outbox
    yield* outbox.append(line.messages)
    return
  }
  const table = tables.get(line.table)
  if (table === undefined) return yield* damaged(`its header does not name the table ${line.table}`)
  if (line.part === "sequence") {
    yield* sql`SELECT setval(pg_get_serial_sequence(${Tables.quoted(table.name)}, ${line.column}),
      ${line.value}::bigint, ${line.called})`
    return
  }
  const names = table.columns.map(({ name }) => Tables.quoted(name)).join(", ")
  const values = table.columns.map(({ type }, index) => `(r->>${index})::${type}`).join(", ")
  yield* sql.unsafe(
    `INSERT INTO ${Tables.quoted(table.name)} (${names}) OVERRIDING SYSTEM VALUE
      SELECT ${values} FROM jsonb_array_elements($1::jsonb) AS r`,
    [JSON.stringify(line.rows)]
  )
})
