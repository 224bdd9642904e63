/**
 * The keys of records that were created by hand: from their names, in the order of their creation, so that a later record with
 * the same name changes none of them. Pure.
 */
import type { Schema } from "effect"
import type { Row } from "../Remote.ts"
import { byKind, type Kind, kinds } from "../Resource.ts"
import { slugs } from "../Slugs.ts"

/** All records of the project by their kind. */
export type Rows = Readonly<Record<Kind, ReadonlyArray<Row>>>

/** An entry of the files, as far as it names a record. */
export interface Named {
  readonly kind: Kind
  readonly key: string
  readonly name: Schema.Json | undefined
  readonly type: Schema.Json | undefined
}

/** The display name of a record. */
const titleOf = (row: Row): string => String(row["name"] ?? row["title"] ?? row.id)

const alike = (kind: Kind, row: Row) => (one: Named) =>
  one.kind === kind && one.name === titleOf(row) && (one.type ?? null) === (row["type"] ?? null)

/**
 * Gives every record without a key one of its own, and returns the keys by ID. An entry of the files that no record has is the
 * record's own if it alone has the name and the type.
 */
export const assign = (rows: Rows, entries: ReadonlyArray<Named>): ReadonlyMap<string, string> => {
  const assigned = new Map<string, string>()
  for (const kind of kinds) {
    const onServer = new Set(rows[kind].flatMap(({ key }) => (typeof key === "string" ? [key] : [])))
    const inFiles = entries.filter((one) => one.kind === kind)
    const slug = slugs(kind, [...onServer, ...inFiles.map(({ key }) => key)])
    const bare = rows[kind]
      .filter(({ key }) => typeof key !== "string")
      .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    for (const row of bare) {
      const [own, second] = inFiles.filter((one) => !onServer.has(one.key) && alike(kind, row)(one))
      const isAlone =
        second === undefined && bare.filter((one) => own !== undefined && alike(kind, one)(own)).length === 1
      assigned.set(row.id, own !== undefined && isAlone ? own.key : slug(titleOf(row)))
    }
  }
  return assigned
}

/** The display names of all records by ID. */
export const titles = (rows: Rows): ReadonlyMap<string, string> =>
  new Map(kinds.flatMap((kind) => rows[kind].map((row) => [row.id, titleOf(row)] as const)))

/** The records with the keys that they were given. */
export const withKeys = (rows: Rows, assigned: ReadonlyMap<string, string>): Rows =>
  byKind((kind) => rows[kind].map((row) => ({ ...row, key: assigned.get(row.id) ?? row["key"] ?? null })))
