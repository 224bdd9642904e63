/** The log of a start says what an operator has to know at that moment: a database that was upgraded, and settings without an effect. */
import { assert, it } from "@effect/vitest"
import * as Database from "@kanmon/platform/database/Database"
import * as Migrations from "@kanmon/platform/database/Migrations"
import { Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { make } from "../support/Product.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

/** The level of a release before. */
const before = 27

it.live("says once that the database was upgraded, and at every start which settings have no effect", () =>
  Effect.gen(function* () {
    const url = yield* Effect.provide(TestDatabase.empty, SecureRandom.layerWebCrypto)
    yield* Effect.provide(Migrations.to(before), Database.layer(url, { maxConnections: 1 }))
    const product = yield* make({
      env: { DATABASE_URL: Redacted.value(url), KANMON_SIGN_UP: "closed", KANMON_LOG_LEVEL: "Info" }
    })
    yield* product.healthy
    yield* product.stop("SIGINT")
    const upgrades = () =>
      [...product.output().matchAll(/The database was upgraded from level (\d+) to (\d+)[^"]*/g)].map(
        ([text, from, to]) => ({ text, from: Number(from), to: Number(to) })
      )
    const misspelt = () =>
      product.output().split("KANMON_SIGN_UP is not a setting of Kanmon and has no effect; did you mean KANMON_SIGNUP?")
        .length - 1
    const [upgrade] = upgrades()
    assert.deepInclude(upgrade, { from: before, to: Migrations.newest })
    assert.include(upgrade!.text, `Releases that know only level ${before} no longer start on it`)
    assert.isAbove(misspelt(), 0)
    const first = misspelt()
    yield* product.start
    yield* product.healthy
    yield* product.stop("SIGINT")
    assert.lengthOf(upgrades(), 1)
    assert.isAbove(misspelt(), first)
  }).pipe(Effect.scoped)
)
