/**
 * The tables of the database as PostgreSQL's catalogue describes them, for export and import. They are not listed here, so
 * a migration that adds a table needs no change in this feature.
 */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

const Table = Schema.Struct({
  name: Schema.String,
  /** Without generated columns. The type is as PostgreSQL writes it: `timestamp with time zone`, `text[]`. */
  columns: Schema.Array(Schema.Struct({ name: Schema.String, type: Schema.String })),
  /** The identity column. */
  numbered: Schema.NullOr(Schema.String),
  /** The tables that its foreign keys refer to. Their rows must be restored first. */
  refersTo: Schema.Array(Schema.String)
})
export type Table = typeof Table.Type

/** Every table after those that it refers to, without the tables of migrations and of the cluster. */
export const read = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql`SELECT c.relname AS name,
      (SELECT json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) ORDER BY a.attnum)
        FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
      (SELECT a.attname FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attidentity <> '') AS numbered,
      (SELECT coalesce(json_agg(DISTINCT f.relname), '[]') FROM pg_constraint k JOIN pg_class f ON f.oid = k.confrelid
        WHERE k.conrelid = c.oid AND k.contype = 'f') AS "refersTo"
    FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND c.relname <> 'migrations' AND c.relname NOT LIKE 'engine\\_%'
    ORDER BY c.relname`.pipe(Rows.all(Table))
  return inOrder(tables)
})

/** Tables that an export leaves out: their rows expire within a day, and are as secret as passwords or of this installation only. */
export const passing: ReadonlySet<string> = new Set([
  "device_codes",
  "idempotency_keys",
  "running_processes",
  "verifications"
])

/** Sorts tables so that each follows those that it refers to. Throws when they refer to each other in a circle. */
export const inOrder = <T extends Pick<Table, "name" | "refersTo">>(tables: ReadonlyArray<T>): ReadonlyArray<T> => {
  const ordered = new Set<T>()
  let rest = tables
  while (rest.length > 0) {
    const waiting = new Set(rest.map(({ name }) => name))
    const free = rest.filter(({ refersTo }) => !refersTo.some((name) => waiting.has(name)))
    if (free.length === 0) throw new Error(`The tables ${[...waiting].join(", ")} refer to each other in a circle`)
    for (const table of free) ordered.add(table)
    rest = rest.filter((table) => !ordered.has(table))
  }
  return [...ordered]
}

/** An SQL identifier. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Makes the text form of all values independent of the server's settings, until the transaction ends. */
export const plainText = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const [name, value] of [
    ["TimeZone", "UTC"],
    ["DateStyle", "ISO, YMD"],
    ["IntervalStyle", "iso_8601"],
    ["bytea_output", "hex"],
    ["extra_float_digits", "1"]
  ] as const)
    yield* sql`SELECT set_config(${name}, ${value}, true)`
})
