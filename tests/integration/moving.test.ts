/** Export and import of a whole database either restore everything or change nothing. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import * as ExportFile from "@kanmon/monitoring/testing/backup/ExportFile.ts"
import * as Database from "@kanmon/platform/database/Database"
import * as Migrations from "@kanmon/platform/database/Migrations"
import * as Exporting from "@kanmon/monitoring/testing/backup/Exporting.ts"
import * as Importing from "@kanmon/monitoring/testing/backup/Importing.ts"
import * as Tables from "@kanmon/monitoring/testing/backup/Tables.ts"
import { Context, Effect, Layer, Redacted, Stream } from "effect"
import { SqlClient } from "effect/sql"
import * as Folder from "../support/Folder.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const secret = Redacted.make("a secret for tests")
const today = "2026-11-20"

/** A database with values in it that do not survive careless hands. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const text = '’quoted’, "doubly", back\\slash, {braces}, ,comma, NULL, \t tab, \n line, 関門 🦉'
  yield* sql`INSERT INTO users (id, name, email, created_at, updated_at)
    VALUES ('usr_1', ${text}, 'ada@example.org', '2026-11-20 08:30:00.123456+00', 'infinity')`
  yield* sql`INSERT INTO organizations (id, name, created_at, updated_at) VALUES ('org_1', ${text}, now(), now())`
  yield* sql`INSERT INTO projects (id, organization_id, name, api_key_hash, api_key_encrypted, created_at, updated_at)
    VALUES ('prj_1', 'org_1', '', 'hash', 'v1.xyz', now(), '0044-03-15 12:00:00+00 BC')`
  yield* sql`INSERT INTO monitors (id, project_id, name, type, interval_seconds, timeout_seconds, regions, paused, config, created_at, updated_at)
    VALUES ('mon_1', 'prj_1', 'Odd', 'http', 60, 0.1::float8 + 0.2::float8, ARRAY[${text}, '', 'NULL', NULL], false,
      ${JSON.stringify({ text, deep: [[null], {}] })}::text::jsonb, now(), now())`
  yield* sql`INSERT INTO status_changes (monitor_id, at, status) SELECT 'mon_1', now() - n * interval '1 hour', 'up' FROM generate_series(1, 3) n`
  yield* sql`INSERT INTO rollup_day VALUES ('mon_1', ${today}, 9223372036854775807, -9223372036854775808)`
  yield* sql`CREATE TABLE observations_20261119 PARTITION OF observations FOR VALUES FROM ('2026-11-19') TO ('2026-11-20')`
  yield* sql`INSERT INTO observations (monitor_id, region, scheduled_at, slot, checked_at, status, response_time, facts)
    SELECT 'mon_1', 'eu-west', '2026-11-19 23:00:00+00'::timestamptz + n * interval '1 minute', n, now(), 'up',
      CASE n % 3 WHEN 0 THEN 'NaN' WHEN 1 THEN 1e-300 ELSE 1 / 3::float8 END, '{"a": 1.10, "large": 12345678901234567890}'
    FROM generate_series(1, 1203) n`
  yield* sql`INSERT INTO outbox (kind, monitor_id, created_at) VALUES ('spec', 'mon_1', now()), ('spec', 'mon_1', now())`
  yield* sql`DELETE FROM outbox WHERE sequence = 2`
})

/** Every row of every table as PostgreSQL writes it, in an order of its own. */
const contents = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const all: Record<string, unknown> = {}
  for (const { name } of yield* Tables.read)
    all[name] = (yield* sql.unsafe(`SELECT t::text FROM "${name}" t ORDER BY 1`).values).flat()
  return all
})

const message = { id: "o1", subject: "kanmon.checks.1.eu-west.prj_1.mon_1", headers: { "ce-id": "o1" }, payload: "{}" }

const exporting = Effect.fnUntraced(function* (file: string, unevaluated: ReadonlyArray<typeof message> = []) {
  return yield* ExportFile.write(file, (write) =>
    Exporting.run({ version: "0.1.0", secret, unevaluated: Stream.fromIterable(unevaluated), write })
  )
})

const importing = (file: string, under = secret) => Importing.run({ secret: under, lines: ExportFile.lines(file) })

const onNew = <A, E, R>(use: Effect.Effect<A, E, R | SqlClient.SqlClient>) =>
  Effect.flatMap(TestDatabase.empty, (url) => Effect.provide(use, Database.layer(url)))

/** A filled database with a whole export of it, its lines, and a way to try others. */
const open = Effect.gen(function* () {
  yield* fill
  const folder = yield* Folder.make()
  const file = path.join(folder, "kanmon.export")
  yield* exporting(file, [message])
  const lines = gunzipSync(yield* Effect.promise(() => fs.readFile(file)))
    .toString()
    .split("\n")
    .slice(0, -1)
  const attempt = (bytes: Buffer, under = secret) =>
    Effect.gen(function* () {
      const other = path.join(folder, "other.export")
      yield* Effect.promise(() => fs.writeFile(other, bytes))
      const { message: words } = yield* Effect.flip(importing(other, under))
      const sql = yield* SqlClient.SqlClient
      const left = yield* sql`SELECT 1 FROM users UNION ALL SELECT 1 FROM observations`
      assert.strictEqual(left.length, 0, "something was left behind")
      return words
    })
  const rewritten = (change: (lines: Array<string>) => ReadonlyArray<string>) =>
    attempt(gzipSync(`${change([...lines]).join("\n")}\n`))
  return { file, lines, attempt, rewritten }
})

class Stage extends Context.Service<Stage, Effect.Success<typeof open>>()("@kanmon/tests/moving") {}

const world = Layer.effect(Stage, open).pipe(Layer.provideMerge(TestDatabase.database), Layer.orDie)

layer(world, { timeout: "30 seconds", excludeTestServices: true })("an export", (it) => {
  it.effect("restores every value in a new database", () =>
    Effect.gen(function* () {
      const { file } = yield* Stage
      assert.strictEqual((yield* Effect.promise(() => fs.stat(file))).mode & 0o777, 0o600)
      const before = yield* contents
      const done = yield* onNew(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          // An engine that has never watched anything has been here: what it wrote is replaced.
          yield* Migrations.run
          yield* sql`INSERT INTO heartbeat_watch (seen_at) VALUES (now())`
          const imported = yield* importing(file)
          assert.deepStrictEqual({ ...(yield* contents), outbox: before["outbox"] }, before)
          // Sequences continue, and observations not yet evaluated wait for the bus.
          const waiting = yield* sql`SELECT sequence::int, kind, event FROM outbox ORDER BY sequence`
          assert.deepStrictEqual(waiting, [
            { sequence: 1, kind: "spec", event: null },
            { sequence: 3, kind: "event", event: message }
          ])
          const [placed] = yield* sql`SELECT count(*)::int AS count FROM observations_20261119`
          assert.deepStrictEqual(placed, { count: 59 })
          return imported
        })
      )
      assert.deepStrictEqual([done.unjudged, done.migrated, done.rows["observations"]], [1, [], 1203])
    }).pipe(Effect.scoped)
  )

  it.effect("is migrated if it comes from an older version", () =>
    Effect.gen(function* () {
      const file = path.join(yield* Folder.make(), "old.export")
      yield* onNew(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* Migrations.to(1)
          yield* sql`INSERT INTO users VALUES ('usr_1', 'Ada', 'ada@example.org', false, null, false, now(), now())`
          yield* sql`INSERT INTO projects VALUES ('prj_1', 'usr_1', 'Default', 'h', 'e', now(), now())`
          yield* exporting(file)
        })
      )
      const migrated = yield* onNew(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const imported = yield* importing(file)
          // The second migration gives every project a rule: here it found the imported one.
          assert.deepStrictEqual(yield* sql`SELECT project_id FROM alert_rules`, [{ project_id: "prj_1" }])
          assert.strictEqual((yield* Migrations.pending).length, 0)
          return imported.migrated
        })
      )
      assert.deepStrictEqual(migrated.slice(0, 2), ["alerts", "domains"])
      const refused = yield* onNew(Effect.andThen(Migrations.run, Effect.flip(importing(file))))
      assert.include(refused.message, "new, empty database")
    }).pipe(Effect.scoped)
  )

  it.effect("is refused if it is truncated anywhere, and changes nothing", () =>
    Effect.gen(function* () {
      const { attempt, file, lines, rewritten } = yield* Stage
      const bytes = yield* Effect.promise(() => fs.readFile(file))
      yield* onNew(
        Effect.gen(function* () {
          yield* Migrations.run
          for (const part of [0, 0.02, 0.5, 0.99]) {
            const words = yield* attempt(bytes.subarray(0, Math.floor(bytes.length * part)))
            assert.include(words, "is incomplete or damaged", `cut at ${part}`)
          }
          for (let kept = 0; kept < lines.length; kept += 7) {
            assert.include(yield* rewritten((all) => all.slice(0, kept)), "is incomplete or damaged", `${kept} lines`)
          }
          const odd: ReadonlyArray<readonly [string, (all: Array<string>) => ReadonlyArray<string>]> = [
            ["its beginning is missing", (all) => all.slice(1)],
            ["its checksum does not fit", (all) => all.toSpliced(-2, 1)],
            [
              "its checksum does not fit",
              (all) => all.map((line) => line.replace("ada@example.org", "eve@example.org"))
            ],
            ["there is more behind its end", (all) => [...all, all[1]!]],
            ["a line of it is not JSON", (all) => all.with(1, "rows")],
            ["has the format 2", (all) => all.with(0, all[0]!.replace('"format":1', '"format":2'))],
            ["by a newer Kanmon, 0.1.0", (all) => all.with(0, all[0]!.replace(/"level":\d+/, '"level":9999'))]
          ]
          for (const [words, change] of odd) assert.include(yield* rewritten(change), words)
          assert.include(yield* attempt(bytes, Redacted.make("another")), "another KANMON_SECRET")
          assert.include(yield* attempt(Buffer.from("not an export")), "is incomplete or damaged")
        })
      )
    }).pipe(Effect.scoped)
  )

  it.effect("refuses a database that is not empty, and an existing file", () =>
    Effect.gen(function* () {
      const { file } = yield* Stage
      const before = yield* contents
      const refused = yield* Effect.flip(importing(file))
      assert.include(refused.message, "The database is not empty")
      assert.deepStrictEqual(yield* contents, before)
      assert.include((yield* Effect.flip(exporting(file))).message, "exists")
      const broken = Stream.fail("the bus is gone")
      const unwritten = path.join(yield* Folder.make(), "unwritten")
      const options = { version: "0.1.0", secret, unevaluated: broken }
      yield* Effect.flip(ExportFile.write(unwritten, (write) => Exporting.run({ ...options, write })))
      assert.deepStrictEqual(yield* Effect.promise(() => fs.readdir(path.dirname(unwritten))), [])
    }).pipe(Effect.scoped)
  )

  it.effect("refuses a database that a newer version has migrated, like every older command", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO migrations VALUES (9999, 'of_the_future', now())`
      assert.match((yield* Effect.flip(Migrations.run)).message, /newer Kanmon \(to 9999/)
      yield* sql`DELETE FROM migrations WHERE id = 9999`
    })
  )
})
