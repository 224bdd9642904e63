/** The daily partitions of observations: made ahead of time, dropped whole when retention has passed. */
import { dayMillis, utcDay } from "@kanmon/domain/Timestamp"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"

const daysAhead = 2
const daysBehind = 1
const prefix = "observations_"

/** One process at a time: partitions are made and dropped under this lock. */
const lock = 0x6b616e7061

export const keep = Effect.fnUntraced(function* (retentionDays: number) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SELECT pg_advisory_xact_lock(${lock}::bigint)`
      const present = (yield* sql<{ name: string }>`SELECT c.relname AS name FROM pg_inherits i
        JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'observations'::regclass`).map(({ name }) => name)

      let made = 0
      for (let day = -daysBehind; day <= daysAhead; day++) {
        const begin = Math.floor(now / dayMillis) * dayMillis + day * dayMillis
        const name = nameOf(begin)
        if (present.includes(name)) continue
        yield* make(name, begin)
        made++
      }

      let dropped = 0
      const oldest = nameOf(now - retentionDays * dayMillis)
      for (const name of present) {
        if (!/^observations_\d{8}$/.test(name) || name >= oldest) continue
        yield* sql.unsafe(`DROP TABLE "${name}"`)
        dropped++
      }
      yield* sql`DELETE FROM observations_default WHERE scheduled_at < ${new Date(now - retentionDays * dayMillis)}`
      return { made, dropped }
    })
  )
})

/** The days that have a partition, as `YYYYMMDD`, oldest first. */
export const days = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ name: string }>`SELECT c.relname AS name FROM pg_inherits i
    JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'observations'::regclass ORDER BY c.relname`
  return rows.flatMap(({ name }) => /^observations_(\d{8})$/.exec(name)?.[1] ?? [])
})

/** Makes the partitions of these days, where they are missing. */
export const makeDays = Effect.fnUntraced(function* (wanted: ReadonlyArray<string>) {
  const present = new Set(yield* days)
  for (const day of wanted) {
    if (present.has(day)) continue
    yield* make(`${prefix}${day}`, Date.parse(day.replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3")))
  }
})

const nameOf = (at: number): string => `${prefix}${utcDay(at).replaceAll("-", "")}`

/** Rows of the day that were caught by the default partition move along. */
const make = Effect.fnUntraced(function* (name: string, begin: number) {
  const sql = yield* SqlClient.SqlClient
  const from = new Date(begin)
  const to = new Date(begin + dayMillis)
  yield* sql.unsafe(`CREATE TABLE "${name}" (LIKE observations INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`)
  yield* sql`WITH moved AS (DELETE FROM observations_default WHERE scheduled_at >= ${from} AND scheduled_at < ${to} RETURNING *)
    INSERT INTO ${sql(name)} SELECT * FROM moved`
  yield* sql.unsafe(
    `ALTER TABLE observations ATTACH PARTITION "${name}" FOR VALUES FROM ('${from.toISOString()}') TO ('${to.toISOString()}')`
  )
})
