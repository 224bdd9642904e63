/** `kanmon doctor` after a restore: with the wrong secret nothing encrypted can be read, and the command says so. */
import { assert, describe, it } from "@effect/vitest"
import * as Database from "@kanmon/platform/database/Database"
import * as SecretCheck from "@kanmon/platform/database/SecretCheck"
import { Secrets } from "@kanmon/platform/database/Secrets"
import { Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Folder from "../support/Folder.ts"
import { kanmon } from "../support/Kanmon.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const own = "the secret that this database was made with, long enough"

describe("doctor", () => {
  it.effect("compares the secret with the database's", () =>
    Effect.gen(function* () {
      const url = yield* TestDatabase.create
      yield* SecretCheck.check(Effect.void).pipe(
        Effect.provide(Secrets.layer(Redacted.make(own))),
        Effect.provide(Database.layer(url, { maxConnections: 1 }))
      )
      const doctor = (settings: Record<string, string>) =>
        Effect.gen(function* () {
          const env = { DATABASE_URL: Redacted.value(url), KANMON_DATA_DIR: yield* Folder.make(), ...settings }
          return yield* kanmon(["doctor"], env)
        })
      const right = yield* doctor({ KANMON_SECRET: own })
      assert.match(right.output, /^ok {2}secret +\d+ characters$/m)
      for (const other of [{ KANMON_SECRET: own.toUpperCase() }, {}]) {
        const wrong = yield* doctor(other)
        assert.match(wrong.output, /^!! {2}secret +KANMON_SECRET: This database was made with another secret/m)
        assert.strictEqual(wrong.code, 1)
      }
      // It looks and records nothing.
      const fresh = yield* TestDatabase.create
      const env = { DATABASE_URL: Redacted.value(fresh), KANMON_DATA_DIR: yield* Folder.make() }
      assert.match((yield* kanmon(["doctor"], env)).output, /^ok {2}secret/m)
      assert.match((yield* kanmon(["doctor"], { ...env, KANMON_SECRET: own })).output, /^ok {2}secret/m)
    }).pipe(Effect.provide(SecureRandom.layerWebCrypto), Effect.scoped)
  )

  it.effect("speaks of no database and no secret to a probe", () =>
    Effect.gen(function* () {
      const { output } = yield* kanmon(["doctor"], {
        KANMON_ROLES: "probe",
        NATS_URL: "nats://127.0.0.1:1",
        KANMON_DATA_DIR: yield* Folder.make()
      })
      assert.match(output, /^ {4}database +none, and no secret: probes need neither$/m)
      assert.notMatch(output, /secret +\d+ characters|embedded/)
    }).pipe(Effect.scoped)
  )
})
