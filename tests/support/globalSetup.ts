/**
 * Starts what the whole test run shares: one PostgreSQL, with a migrated database of which each test that needs one takes a
 * copy.
 */
import * as fs from "node:fs/promises"
import { tmpdir } from "node:os"
import * as path from "node:path"
import * as Database from "@kanmon/store/database/Database"
import * as EmbeddedPostgres from "@kanmon/store/database/EmbeddedPostgres"
import * as Migrations from "@kanmon/store/database/Migrations"
import { Effect, Exit, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  export interface ProvidedContext {
    /** The address of the database that is copied; nobody may be connected to it. */
    readonly templateUrl: string | undefined
  }
}

/** Nothing here must outlive a power cut, nor live so long that its tables want cleaning. */
const careless = ["fsync", "full_page_writes", "synchronous_commit", "autovacuum"]

const prepare = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const setting of careless) yield* sql.unsafe(`ALTER SYSTEM SET ${setting} = off`)
  yield* sql`SELECT pg_reload_conf()`
  yield* Migrations.run
})

const start = Effect.fnUntraced(function* (folder: string) {
  const { url } = yield* EmbeddedPostgres.start(folder)
  yield* Effect.provide(prepare, Database.layer(url, { maxConnections: 1 }))
  return url
})

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const folder = await fs.mkdtemp(path.join(tmpdir(), "kanmon-test-"))
  await fs.chmod(folder, 0o755)
  const scope = Scope.makeUnsafe()
  const url = await Effect.runPromise(Effect.provideService(start(folder), Scope.Scope, scope))
  project.provide("templateUrl", Redacted.value(url))
  return async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await fs.rm(folder, { recursive: true, force: true })
  }
}
