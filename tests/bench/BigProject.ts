/** A project of 10,000 monitors with 20 tags each and 90 days of history, made by the database itself. */
import { packing } from "@kanmon/domain/Sketch"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const monitors = 10_000
const days = 90
/** Seconds between the checks of a monitor: of the last day, and of the days before, of which most monitors have one check. */
const newestGap = 900
const olderGap = 86_400
/** Monitors that were checked every minute of all days. */
export const watchedClosely = 8
const closeGap = 60

const idOf = (n: string) => `'mon_' || lpad((${n})::text, 26, '0')`

/** The id of one of its monitors, from 1. */
export const monitorId = (n: number): string => `mon_${String(n).padStart(26, "0")}`

/** Copies a monitor that exists, and writes a past for each copy. Deletes the original. */
export const fill = Effect.fnUntraced(function* (template: string, now: EpochMillis) {
  const sql = yield* SqlClient.SqlClient
  const today = Math.floor(now / dayMillis) * dayMillis
  const ago = (count: number) => new Date(today - count * dayMillis)
  const run = (statement: string, ...values: ReadonlyArray<unknown>) => sql.unsafe(statement, values)

  /** All but those that the database computes. */
  const columnsOf = (table: string) =>
    Effect.map(
      sql<{ columns: string }>`SELECT string_agg(quote_ident(attname), ', ') AS columns FROM pg_attribute
        WHERE attrelid = ${table}::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
      ([found]) => found!.columns
    )
  const ofMonitors = yield* columnsOf("monitors")
  const ofStates = yield* columnsOf("monitor_states")

  yield* run(
    `INSERT INTO monitors (${ofMonitors}) SELECT ${ofMonitors} FROM (SELECT (jsonb_populate_record(m, jsonb_build_object('id', ${idOf("n")},
        'name', 'Service ' || n, 'name_folded', 'service ' || n, 'group_path', 'Shop/Team ' || n % 40,
        'config', m.config || jsonb_build_object('url', 'https://s' || n || '.shop.example/'),
        'tags', t.tags, 'search', 'service ' || n || chr(10) || 'https://s' || n || '.shop.example/' || chr(10)
          || array_to_string(t.tags, chr(10)), 'created_at', $2::timestamptz))).*
      FROM monitors m, generate_series(1, ${monitors}) AS n, LATERAL (SELECT array_agg(tag ORDER BY tag) AS tags FROM (
        SELECT 'tag' || k || ':' || (n % 500 * (k + 3)) % (5 + k * 7) AS tag FROM generate_series(1, 20) AS k) AS all_tags) AS t
      WHERE m.id = $1) AS copies`,
    template,
    ago(days)
  )
  yield* run(
    `INSERT INTO monitor_states (${ofStates}) SELECT ${ofStates} FROM (SELECT (jsonb_populate_record(s, jsonb_build_object('monitor_id', ${idOf("n")},
        'status', CASE WHEN n % 50 = 0 THEN 'down' ELSE 'up' END, 'last_checked_at', $2::timestamptz, 'stale', false,
        'state', s.state || jsonb_build_object('since', $3::bigint, 'recent', repeat('u', 30))))).*
      FROM monitor_states s, generate_series(1, ${monitors}) AS n WHERE s.monitor_id = $1) AS copies`,
    template,
    new Date(now),
    today
  )
  yield* run(`DELETE FROM monitors WHERE id = $1`, template)
  // Three outages each, one of them still open for every 50th.
  yield* run(
    `INSERT INTO status_changes (monitor_id, at, status, failure)
      SELECT ${idOf("n")}, $1::timestamptz + e.after, e.status,
        CASE WHEN e.status = 'down' THEN '{"code": "timeout", "message": "No answer within 30 s"}'::jsonb END
      FROM generate_series(1, ${monitors}) AS n, LATERAL (
        SELECT interval '0' AS after, 'up' AS status UNION ALL
        SELECT make_interval(days => 20 * k + n % 17, mins => n % 600), 'down' FROM generate_series(1, 3) AS k UNION ALL
        SELECT make_interval(days => 20 * k + n % 17, mins => n % 600 + 5 + n % 90), 'up'
          FROM generate_series(1, 3) AS k) AS e ORDER BY 1, 2`,
    ago(days)
  )
  yield* run(
    `INSERT INTO rollup_day (monitor_id, day, up_millis, down_millis)
      SELECT ${idOf("n")}, ($1::timestamptz AT TIME ZONE 'UTC')::date + d, 86400000 - 60000 * (n % 3), 60000 * (n % 3)
      FROM generate_series(1, ${monitors}) AS n, generate_series(0, ${days - 1}) AS d`,
    ago(days)
  )
  yield* run(
    `INSERT INTO timing_hour (monitor_id, region, hour, response_time)
      SELECT ${idOf("n")}, 'eu-west', date_trunc('hour', $1::timestamptz) - make_interval(hours => h),
        ARRAY[(100 + n % 40) * ${packing} + 40, (105 + (n + h) % 40) * ${packing} + 20]
      FROM generate_series(1, ${monitors}) AS n, generate_series(1, 24) AS h`,
    new Date(now)
  )
  yield* run(
    `INSERT INTO monitor_summaries (monitor_id, uptime_24h, response_time_24h, median_24h, measured_at)
      SELECT ${idOf("n")}, 100 - n % 7 * 0.1, 40 + n % 160, 38 + n % 160, $1 FROM generate_series(1, ${monitors}) AS n
      ON CONFLICT DO NOTHING`,
    new Date(now)
  )
  for (const [name, until] of [
    ["day", today],
    ["hour", Math.floor(now / 3_600_000) * 3_600_000]
  ] as const)
    yield* sql`INSERT INTO rollup_progress (name, closed_until) VALUES (${name}, ${new Date(until)})
      ON CONFLICT (name) DO UPDATE SET closed_until = GREATEST(rollup_progress.closed_until, EXCLUDED.closed_until)`
  for (let day = days; day >= 0; day--)
    yield* partition(ago(day), ago(day - 1), { until: new Date(now), gap: day <= 1 ? newestGap : olderGap })
  yield* sql.unsafe("ANALYZE")
})

/** One day of the check log, up to an instant. */
const partition = Effect.fnUntraced(function* (
  from: Date,
  to: Date,
  { gap, until }: { readonly gap: number; readonly until: Date }
) {
  const sql = yield* SqlClient.SqlClient
  const name = `observations_${from.toISOString().slice(0, 10).replaceAll("-", "")}`
  const [{ exists }] = (yield* sql.unsafe(`SELECT to_regclass('${name}') IS NOT NULL AS exists`)) as [
    { readonly exists: boolean }
  ]
  if (!exists)
    yield* sql.unsafe(`CREATE TABLE ${name} PARTITION OF observations
      FOR VALUES FROM ('${from.toISOString()}') TO ('${to.toISOString()}')`)
  yield* sql.unsafe(
    `INSERT INTO ${name} (monitor_id, region, scheduled_at, slot, checked_at, status, response_time, failure, facts)
      SELECT ${idOf("n")}, 'eu-west', at, floor(extract(epoch FROM at) / 60), at,
        CASE WHEN failed THEN 'down' ELSE 'up' END, CASE WHEN failed THEN NULL ELSE 40 + n % 160 END,
        CASE WHEN failed THEN '{"code": "timeout", "message": "No answer within 30 s"}'::jsonb END, '{"statusCode": 200}'
      FROM generate_series(1, ${monitors}) AS n, LATERAL (
        SELECT $1::timestamptz + make_interval(secs => s) AS at, (n + s / 60) % 500 = 0 AS failed
        FROM generate_series(0, 86399, CASE WHEN n <= ${watchedClosely} THEN ${closeGap} ELSE ${gap} END) AS s) AS c
      WHERE at <= $2 ON CONFLICT DO NOTHING`,
    [from, until]
  )
})
