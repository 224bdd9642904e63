/** A fresh, migrated database on the server that the test run shares; dropped when the scope closes. */
import { PlanId } from "@kanmon/domain/Ids"
import * as Database from "@kanmon/store/database/Database"
import { DefaultPlan } from "@kanmon/store/billing/DefaultPlan"
import * as Migrations from "@kanmon/store/database/Migrations"
import * as Store from "@kanmon/store/Store"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"

const server = (): string => inject("postgresUrl")

/** The address of a new, empty database. */
export const create = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom
  const name = `test_${(yield* random.ulid).toLowerCase()}`
  const onServer = <A, E>(use: Effect.Effect<A, E, SqlClient.SqlClient>) =>
    use.pipe(Effect.provide(Database.layer(Redacted.make(server()), { maxConnections: 1 })), Effect.orDie)
  yield* Effect.acquireRelease(
    onServer(Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(`CREATE DATABASE ${name}`))),
    () => onServer(Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`)))
  )
  const url = new URL(server())
  url.pathname = `/${name}`
  return Redacted.make(url.href)
})

/** A connection to a new, migrated database. */
export const migrated = Layer.effectDiscard(Migrations.run).pipe(
  Layer.provideMerge(Layer.unwrap(Effect.map(create, (url) => Database.layer(url)))),
  Layer.provideMerge(SecureRandom.layerWebCrypto),
  Layer.orDie
)

/** The whole store on a new database, where accounts have this plan. */
export const storeWith = (defaultPlan: string) =>
  Store.layer(Redacted.make("a secret for tests")).pipe(
    Layer.provideMerge(migrated),
    Layer.provide(Layer.succeed(DefaultPlan, PlanId.make(defaultPlan)))
  )

/** The same without limits: most tests are about something else. */
export const store = storeWith("plan_enterprise")
