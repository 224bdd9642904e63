/** A new, migrated database on the shared server of the test run; dropped when the scope closes. */
import { Store } from "@kanmon/monitoring"
import { PlanId } from "@kanmon/domain/Ids"
import * as Database from "@kanmon/platform/database/Database"
import { DefaultPlan } from "@kanmon/identity/testing/billing/DefaultPlan.ts"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"

/** Whether the test run has a shared server; runs that kill servers have none. */
export const isShared = (): boolean => inject("templateUrl") !== undefined

const made = Effect.fnUntraced(function* (as: (template: string) => string) {
  const random = yield* SecureRandom.SecureRandom
  const name = `test_${(yield* random.ulid).toLowerCase()}`
  const url = new URL(inject("templateUrl")!)
  const template = url.pathname.slice(1)
  url.pathname = "/postgres"
  const server = Database.layer(Redacted.make(url.href), { maxConnections: 1 })
  const onServer = (statement: string) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)).pipe(Effect.provide(server), Effect.orDie)
  yield* Effect.acquireRelease(onServer(`CREATE DATABASE ${name} ${as(template)}`), () =>
    onServer(`DROP DATABASE ${name} WITH (FORCE)`)
  )
  url.pathname = `/${name}`
  return Redacted.make(url.href)
})

/** The address of a new, migrated database. */
export const create = made((template) => `TEMPLATE ${template} STRATEGY FILE_COPY`)

/** The address of a new, empty database. */
export const empty = made(() => "TEMPLATE template0")

/** A connection to a new database. */
export const database = Layer.unwrap(Effect.map(create, (url) => Database.layer(url))).pipe(
  Layer.provideMerge(SecureRandom.layerWebCrypto),
  Layer.orDie
)

/** The store on a new database, with this default plan. */
export const storeWith = (defaultPlan: string) =>
  Store.layer(Redacted.make("a secret for tests")).pipe(
    Layer.provideMerge(database),
    Layer.provide(Layer.succeed(DefaultPlan, PlanId.make(defaultPlan)))
  )

/** The same without limits, which most tests are not about. */
export const store = storeWith("plan_enterprise")
