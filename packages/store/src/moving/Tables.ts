/**
 * The store's tables as the database's own catalogue describes them: what an export reads and an import fills. Tables are
 * not listed here, so a migration that adds one need not think of it.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export interface Column {
  readonly name: string
  /** As PostgreSQL writes it: `timestamp with time zone`, `text[]`. */
  readonly type: string
}

export interface Table {
  readonly name: string
  /** Without those that are computed. */
  readonly columns: ReadonlyArray<Column>
  /** The column that a sequence of its own numbers. */
  readonly numbered: string | null
  /** The tables whose rows must be there before its own. */
  readonly refersTo: ReadonlyArray<string>
}

/**
 * Every table, each after those that it refers to; but not the one that counts the migrations, and those in which engines find
 * each other.
 */
export const read = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<Table>`SELECT c.relname AS name,
      (SELECT json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) ORDER BY a.attnum)
        FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
      (SELECT a.attname FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attidentity <> '') AS numbered,
      (SELECT coalesce(json_agg(DISTINCT f.relname), '[]') FROM pg_constraint k JOIN pg_class f ON f.oid = k.confrelid
        WHERE k.conrelid = c.oid AND k.contype = 'f') AS "refersTo"
    FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND c.relname <> 'migrations' AND c.relname NOT LIKE 'engine\\_%'
    ORDER BY c.relname`
  return inOrder(tables)
})

/** Tables that an export leaves out: what they hold ends within a day, and is as good as a password until then. */
export const passing: ReadonlySet<string> = new Set(["idempotency_keys", "verifications"])

/** Tables, each after those that it refers to. A circle has no such order: that is a mistake of the schema. */
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

/** A name as it stands in a statement. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/**
 * Every type has one text form that reads back as the same value; these settings make it the same on every server, whatever
 * its own are. They hold until the transaction ends.
 */
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
