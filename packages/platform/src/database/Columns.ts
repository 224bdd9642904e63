/**
 * Columns of rows as parameters of a statement, for `unnest`: they take less time to make and to read than rows as JSON, and
 * tell the planner how many there are.
 */
import { PgTypes } from "@effect/sql-pg"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Result } from "effect"

const column = (values: ReadonlyArray<unknown>, type: number): PgTypes.Parameter =>
  Result.getOrThrow(PgTypes.array(values, type))

/** `text[]` */
export const texts = (values: ReadonlyArray<string | null>): PgTypes.Parameter => column(values, PgTypes.OID.text)

/** `timestamptz[]` */
export const times = (values: ReadonlyArray<EpochMillis | null>): PgTypes.Parameter =>
  column(values, PgTypes.OID.timestamptz)

/** `double precision[]`; integers are exact up to 2^53. */
export const numbers = (values: ReadonlyArray<number | null>): PgTypes.Parameter => column(values, PgTypes.OID.float8)

/** `jsonb[]` */
export const json = (values: ReadonlyArray<object | null>): PgTypes.Parameter => column(values, PgTypes.OID.jsonb)

/** `bytea[]` */
export const bytes = (values: ReadonlyArray<Uint8Array>): PgTypes.Parameter => column(values, PgTypes.OID.bytea)
