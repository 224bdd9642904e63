/**
 * Many results of the past in a product's database, written as rows by SQL, and where they are afterwards: each of them is to be in
 * a row or in a block exactly once, and to be answered as it was, while they move and the process that moves them is killed.
 */
import { assert } from "@effect/vitest"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { decode } from "@kanmon/monitoring/testing/evaluation/ResultBlock.ts"
import * as Database from "@kanmon/platform/database/Database"
import { Effect, Fiber, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import { eventually, type Product } from "./Product.ts"

/** Days are closed so long after their end. */
const closedAfterMillis = 7_200_000

export interface ManyResults {
  readonly url: string
  readonly monitors: ReadonlyArray<string>
  /** Checks that are asked for again and again, as they are to be answered. */
  readonly samples: ReadonlyArray<{ readonly route: string; readonly items: ReadonlyArray<unknown> }>
  readonly digest: ReadonlyMap<string, Digest>
  readonly total: number
}

interface Digest {
  readonly count: number
  readonly failing: number
  /** The sum of the due times, and that of the response times in hundredths of a millisecond. */
  readonly due: bigint
  readonly times: bigint
}

const ask = <A, E>(url: string, use: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>): Effect.Effect<A> =>
  Effect.flatMap(SqlClient.SqlClient, use).pipe(
    Effect.provide(Database.layer(Redacted.make(url), { maxConnections: 1 })),
    Effect.orDie
  )

const nothing: Digest = { count: 0, failing: 0, due: 0n, times: 0n }
const add = (one: Digest, other: Digest): Digest => ({
  count: one.count + other.count,
  failing: one.failing + other.failing,
  due: one.due + other.due,
  times: one.times + other.times
})

const ofRows = (sql: SqlClient.SqlClient, monitors: ReadonlyArray<string>) =>
  Effect.map(
    sql<{
      id: string
      count: number
      failing: number
      due: string
      times: string
    }>`SELECT monitor_id || ' ' || region AS id,
        count(*)::integer AS count, (count(*) FILTER (WHERE status <> 'up'))::integer AS failing,
        sum(extract(epoch FROM scheduled_at) * 1000)::bigint::text AS due,
        COALESCE(sum(round(response_time * 100)), 0)::bigint::text AS times
      FROM observations WHERE monitor_id = ANY(${monitors}::text[]) GROUP BY 1`,
    (rows) => rows.map(({ id, ...row }) => [id, { ...row, due: BigInt(row.due), times: BigInt(row.times) }] as const)
  )

const ofBlocks = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, monitor: string) {
  const blocks = yield* sql<{ region: string; data: Uint8Array }>`SELECT region, data FROM result_blocks
    WHERE monitor_id = ${monitor}`
  return blocks.map(({ data, region }) => {
    let found = nothing
    for (const { responseTime, scheduledAt, status } of Result.getOrThrow(decode(data, { detail: "times" })))
      found = add(found, {
        count: 1,
        failing: status === "up" ? 0 : 1,
        due: BigInt(scheduledAt),
        times: BigInt(Math.round((responseTime ?? 0) * 100))
      })
    return [`${monitor} ${region}`, found] as const
  })
})

/** What rows and blocks have of each monitor and region, counted together. */
export const held = (url: string, monitors: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, Digest>> =>
  ask(url, (sql) =>
    // At one instant: results move meanwhile.
    sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`
        const all = new Map<string, Digest>()
        const parts = [yield* ofRows(sql, monitors)]
        const hasBlocks = yield* sql`SELECT 1 FROM pg_tables WHERE tablename = 'result_blocks'`
        if (hasBlocks.length > 0) for (const monitor of monitors) parts.push(yield* ofBlocks(sql, monitor))
        for (const [id, digest] of parts.flat()) all.set(id, add(all.get(id) ?? nothing, digest))
        return all
      })
    )
  )

/** How many of the results are in blocks. */
const moved = ({ monitors, url }: ManyResults): Effect.Effect<number> =>
  ask(url, (sql) =>
    Effect.map(
      sql<{ n: number }>`SELECT COALESCE(sum(results), 0)::integer AS n FROM result_blocks
        WHERE monitor_id = ANY(${monitors}::text[])`,
      ([row]) => row!.n
    )
  )

/** How many rows there are of closed days. */
const waiting = ({ monitors, url }: ManyResults): Effect.Effect<number> =>
  ask(url, (sql) => {
    const now = Date.now() - closedAfterMillis
    return Effect.map(
      sql<{ n: number }>`SELECT count(*)::integer AS n FROM observations WHERE monitor_id = ANY(${monitors}::text[])
        AND scheduled_at < ${new Date(now - (now % dayMillis))}`,
      ([row]) => row!.n
    )
  })

/** Copies a row of a table under other ids, with the columns that the release has. */
const copy = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  table: string,
  key: string,
  original: string,
  ids: ReadonlyArray<string>
) {
  const [columns] = yield* sql<{ names: string }>`SELECT string_agg(quote_ident(column_name), ', ') AS names
    FROM information_schema.columns WHERE table_name = ${table} AND is_generated = 'NEVER'`
  const names = sql.literal(columns!.names)
  yield* sql`INSERT INTO ${sql(table)} (${names}) SELECT ${names} FROM (
    SELECT (jsonb_populate_record(t, jsonb_build_object(${key}::text, v.id, 'key', NULL))).*
    FROM ${sql(table)} t, unnest(${ids}::text[]) AS v(id) WHERE t.${sql(key)} = ${original}) copies`
})

/**
 * Adds paused copies of a monitor, each with results of a minute in the days before the present one. The product must be down: an
 * earlier release may have filled the database.
 */
export const insert = (url: string, original: string, count: number, days: number): Effect.Effect<ManyResults> =>
  Effect.gen(function* () {
    const today = Date.now() - (Date.now() % dayMillis)
    const monitors = Array.from({ length: count }, (_, index) => `mon_many${String(index).padStart(18, "0")}`)
    const samples = yield* ask(url, (sql) =>
      Effect.gen(function* () {
        yield* copy(sql, "monitors", "id", original, monitors)
        yield* copy(sql, "monitor_states", "monitor_id", original, monitors)
        yield* sql`UPDATE monitors SET name = id, paused = true WHERE id = ANY(${monitors}::text[])`
        for (let day = today - days * dayMillis; day < today; day += dayMillis) {
          const name = `observations_${new Date(day).toISOString().slice(0, 10).replaceAll("-", "")}`
          yield* sql.unsafe(`CREATE TABLE IF NOT EXISTS "${name}" PARTITION OF observations
            FOR VALUES FROM ('${new Date(day).toISOString()}') TO ('${new Date(day + dayMillis).toISOString()}')`)
          yield* sql`INSERT INTO observations
              (monitor_id, region, scheduled_at, slot, checked_at, status, response_time, timing, failure, facts)
            SELECT m, 'eu-west', at, (extract(epoch FROM at) / 60)::bigint, at + n % 12 * interval '1 millisecond',
              CASE WHEN n % 300 > 297 THEN 'down' ELSE 'up' END, 100 + n % 9973 / 100.0,
              jsonb_build_object('dns', n % 400 / 100.0, 'connect', 14, 'tls', n % 3100 / 100.0, 'firstByte', n % 9000 / 100.0),
              CASE WHEN n % 300 > 297 THEN '{"code":"status_code","message":"Expected 200, got 503"}'::jsonb END,
              '{"address":"192.0.2.1","statusCode":200}'::jsonb
            FROM unnest(${monitors}::text[]) WITH ORDINALITY AS v(m, place),
              LATERAL (SELECT (g * 7919 + place * 104729)::bigint AS n,
                ${new Date(day)}::timestamptz + g * interval '1 minute' + interval '17.345 seconds' AS at
                FROM generate_series(0, 1439) g) made`
        }
        // They are counted: the product was there all the time.
        yield* sql`INSERT INTO rollup_progress (name, closed_until)
          SELECT name, ${new Date(today)}::timestamptz FROM unnest(ARRAY['hour', 'day', 'timing_hour', 'timing_day']) AS v(name)
          ON CONFLICT (name) DO UPDATE SET closed_until = GREATEST(rollup_progress.closed_until, EXCLUDED.closed_until)`
        yield* sql`ANALYZE observations`
        return yield* Effect.forEach(
          monitors.slice(0, 12).flatMap((id) => [1, Math.ceil(days / 2), days].map((back) => [id, back] as const)),
          ([id, back], index) => {
            const from = new Date(today - back * dayMillis + (index % 20) * 3_600_000)
            const to = new Date(from.getTime() + 5_400_000)
            return Effect.map(
              sql<{ at: Date; status: string; time: number }>`SELECT checked_at AS at, status, response_time AS time
                FROM observations WHERE monitor_id = ${id} AND scheduled_at >= ${from} AND scheduled_at < ${to}
                ORDER BY scheduled_at DESC`,
              (rows) => ({
                route: `/monitors/${id}/checks?limit=100&from=${from.toISOString()}&to=${to.toISOString()}`,
                items: rows.map(({ at, status, time }) => [at.toISOString(), status, time])
              })
            )
          }
        )
      })
    )
    const digest = yield* held(url, monitors)
    const total = [...digest.values()].reduce((sum, each) => sum + each.count, 0)
    assert.strictEqual(total, count * days * 1440)
    return { url, monitors, samples, digest, total }
  })

/** Asks for samples again and again, and fails when one is not answered as it was. */
const asking = (product: Product, key: string, { samples }: ManyResults) => {
  let asked = 0
  const ask = Effect.suspend(() => {
    const { items, route } = samples[asked++ % samples.length]!
    return Effect.map(product.call("GET", route, undefined, { "x-api-key": key }), ({ body, status }) => {
      assert.strictEqual(status, 200, JSON.stringify(body))
      const found = body.map((item: Readonly<Record<string, unknown>>) => [
        item["checkedAt"],
        item["status"],
        item["responseTime"]
      ])
      assert.deepStrictEqual(found, items, route)
    })
  })
  return Effect.forever(ask)
}

/** Waits for a number for as long as it changes. */
const goingOn = Effect.fnUntraced(function* (look: Effect.Effect<number>, good: (value: number) => boolean) {
  let last = yield* look
  while (!good(last)) last = yield* eventually(look, (value) => good(value) || value !== last)
})

/**
 * Kills the product whenever a share of the results has moved, while somebody asks for checks; then waits until all of closed days
 * have moved. After each kill, and in the end, each result is there once.
 */
export const killWhileMoving = Effect.fnUntraced(function* (
  product: Product,
  key: string,
  many: ManyResults,
  shares: ReadonlyArray<number>
) {
  const once = Effect.map(held(many.url, many.monitors), (found) => assert.deepStrictEqual(found, many.digest))
  for (const share of shares) {
    yield* product.healthy
    const reader = yield* Effect.forkChild(asking(product, key, many))
    const enough = goingOn(moved(many), (count) => count > share * many.total)
    yield* Effect.raceFirst(enough, Fiber.join(reader))
    yield* Fiber.interrupt(reader)
    assert.strictEqual(yield* product.stop("SIGKILL"), "SIGKILL")
    assert.isBelow(yield* moved(many), many.total, "it was killed while it moved them")
    yield* once
    yield* product.start
  }
  yield* product.healthy
  const reader = yield* Effect.forkChild(asking(product, key, many))
  yield* Effect.raceFirst(
    goingOn(waiting(many), (count) => count === 0),
    Fiber.join(reader)
  )
  yield* Fiber.interrupt(reader)
  yield* once
})
