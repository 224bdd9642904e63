/** Migration of existing channels and accounts to consenting recipients. */
import { assert, layer } from "@effect/vitest"
import * as Database from "@kanmon/platform/database/Database"
import * as Migrations from "@kanmon/platform/database/Migrations"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import * as TestDatabase from "../support/TestDatabase.ts"

const live = { excludeTestServices: true } as const

const empty = Layer.unwrap(Effect.map(TestDatabase.empty, (url) => Database.layer(url))).pipe(
  Layer.provide(SecureRandom.layerWebCrypto),
  Layer.orDie
)

layer(empty, live)("an upgrade", (it) => {
  it.effect("keeps existing channels confirmed, and refuses accounts that differ only in case", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Migrations.to(10)
      yield* sql`INSERT INTO users (id, name, email, created_at, updated_at)
        VALUES ('usr_1', 'Ada', 'ada@example.org', now(), now())`
      yield* sql`INSERT INTO projects (id, user_id, name, api_key_hash, api_key_encrypted, created_at, updated_at)
        VALUES ('prj_1', 'usr_1', 'Shop', 'x', 'x', now(), now())`
      for (const type of ["email", "sms", "phone", "webhook"])
        yield* sql`INSERT INTO channels (id, project_id, name, type, config_encrypted, created_at, updated_at)
          VALUES (${`ch_${type}`}, 'prj_1', ${type}, ${type}, 'x', '2026-01-01', now())`
      yield* Migrations.run
      const rows = yield* sql`SELECT type, confirmation, confirmed_at = created_at AS dated FROM channels ORDER BY type`
      assert.deepStrictEqual(rows, [
        { type: "email", confirmation: "confirmed", dated: true },
        { type: "phone", confirmation: "confirmed", dated: true },
        { type: "sms", confirmation: "confirmed", dated: true },
        { type: "webhook", confirmation: "not_needed", dated: null }
      ])
      const twin = sql`INSERT INTO users (id, name, email, created_at, updated_at)
        VALUES ('usr_2', 'Eve', 'ADA@example.org', now(), now())`
      assert.strictEqual((yield* Effect.exit(twin))._tag, "Failure")
    })
  )
})
