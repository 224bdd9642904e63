/** Migration of heartbeats from a release with a deadline for the first signal. */
import { assert, it } from "@effect/vitest"
import * as Database from "@kanmon/platform/database/Database"
import * as Migrations from "@kanmon/platform/database/Migrations"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import * as TestDatabase from "../support/TestDatabase.ts"

/** The level of that release. */
const before = 10

it.live("removes the deadlines only from heartbeats that never had a signal", () =>
  Effect.gen(function* () {
    const url = yield* TestDatabase.empty
    const rows = yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Migrations.to(before)
      yield* sql`INSERT INTO users (id, name, email, created_at, updated_at)
        VALUES ('usr_1', 'Ada', 'ada@example.org', now(), now())`
      yield* sql`INSERT INTO projects (id, user_id, name, api_key_hash, api_key_encrypted, created_at, updated_at)
        VALUES ('prj_1', 'usr_1', 'Jobs', 'hash', 'v1.xyz', now(), now())`
      const job = Effect.fnUntraced(function* (id: string, state: object, signal?: string) {
        yield* sql`INSERT INTO monitors (id, project_id, name, type, interval_seconds, timeout_seconds, regions, paused,
            config, passive, created_at, updated_at)
          VALUES (${id}, 'prj_1', ${id}, 'heartbeat', 600, 10, ARRAY[]::text[], false, '{}', true, now(), now())`
        const whole = { lastSignal: null, lastSuccess: null, started: {}, observedAt: 0, ...state }
        yield* sql`INSERT INTO heartbeats (monitor_id, token_hash, token_encrypted, state, overdue_at, stale)
          VALUES (${id}, ${id}, 'v1.xyz', ${JSON.stringify(whole)}::jsonb, now() + interval '1 minute', false)`
        if (signal !== undefined)
          yield* sql`INSERT INTO heartbeat_signals (monitor_id, at, kind, rid) VALUES (${id}, now(), ${signal}, '')`
      })
      yield* job("new", {})
      yield* job("missed", { lastSignal: 1, observedAt: 1 })
      yield* job("logged", {}, "log")
      yield* job("begun", { started: { "": 1 } }, "start")
      yield* job("failed", { lastSignal: 1, observedAt: 1 }, "fail")
      yield* job("well", { lastSignal: 1, lastSuccess: 1, observedAt: 1 })
      yield* Migrations.run
      return yield* sql<{
        id: string
        stale: boolean
        due: boolean
        last: number | null
      }>`SELECT monitor_id AS id, stale,
        overdue_at IS NOT NULL AS due, (state->>'lastSignal')::int AS last FROM heartbeats ORDER BY monitor_id`
    }).pipe(Effect.provide(Database.layer(url, { maxConnections: 1 })))
    const free = { stale: true, due: false, last: null }
    assert.deepStrictEqual(rows, [
      { id: "begun", stale: false, due: true, last: null },
      { id: "failed", stale: false, due: true, last: 1 },
      { id: "logged", ...free },
      { id: "missed", ...free },
      { id: "new", ...free },
      { id: "well", stale: false, due: true, last: 1 }
    ])
  }).pipe(Effect.scoped, Effect.provide(SecureRandom.layerWebCrypto))
)
