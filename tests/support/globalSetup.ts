/** Starts what the whole test run shares: one PostgreSQL, in which each test file makes a database of its own. */
import * as fs from "node:fs/promises"
import { tmpdir } from "node:os"
import * as path from "node:path"
import * as EmbeddedPostgres from "@kanmon/store/database/EmbeddedPostgres"
import { Effect, Exit, Redacted, Scope } from "effect"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  export interface ProvidedContext {
    readonly postgresUrl: string
  }
}

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const folder = await fs.mkdtemp(path.join(tmpdir(), "kanmon-test-"))
  await fs.chmod(folder, 0o755)
  const scope = Scope.makeUnsafe()
  const server = await Effect.runPromise(Effect.provideService(EmbeddedPostgres.start(folder), Scope.Scope, scope))
  project.provide("postgresUrl", Redacted.value(server.url))
  return async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await fs.rm(folder, { recursive: true, force: true })
  }
}
