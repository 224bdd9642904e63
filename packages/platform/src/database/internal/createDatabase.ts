/** Makes a database on a server when it is missing. */
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"

export const createDatabase = (url: string, name: string): Promise<void> =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const present = yield* sql`SELECT 1 FROM pg_database WHERE datname = ${name}`
    if (present.length === 0) yield* sql.unsafe(`CREATE DATABASE "${name}"`)
  }).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })),
    Effect.scoped,
    Effect.runPromise
  )
