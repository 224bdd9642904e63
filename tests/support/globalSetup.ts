/** Starts what the test run shares: a PostgreSQL server with a migrated database that tests copy. */
import * as fs from "node:fs/promises"
import { tmpdir } from "node:os"
import * as path from "node:path"
import * as Database from "@kanmon/control-plane/platform/database/Database"
import * as EmbeddedPostgres from "@kanmon/control-plane/platform/database/EmbeddedPostgres"
import * as Migrations from "@kanmon/control-plane/platform/database/Migrations"
import * as DashboardBuild from "./DashboardBuild.ts"
import { Effect, Exit, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  export interface ProvidedContext {
    /** The address of the template database; nobody may be connected to it. */
    readonly templateUrl: string | undefined
  }
}

/** Durability and vacuuming are unnecessary for the short life of the server. */
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
  await DashboardBuild.ensure()
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
