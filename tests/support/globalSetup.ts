/** Starts what the test run shares: a PostgreSQL server with a migrated database that tests copy. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import * as Database from "@kanmon/platform/database/Database"
import * as EmbeddedPostgres from "@kanmon/platform/database/EmbeddedPostgres"
import * as Migrations from "@kanmon/platform/database/Migrations"
import * as DashboardBuild from "./DashboardBuild.ts"
import * as Scratch from "./Scratch.ts"
import { Effect, Exit, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  export interface ProvidedContext {
    /** The address of the template database; nobody may be connected to it. */
    readonly templateUrl: string | undefined
    /** A folder of notes about processes that workers leave to this run: named by the process and its worker (`12-7`), with the folder of its files. */
    readonly leftRunning: string
  }
}

/** Durability and vacuuming are unnecessary for the short life of the server. */
const careless = ["fsync", "full_page_writes", "synchronous_commit", "autovacuum"]

const prepare = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const setting of careless) yield* sql.unsafe(`ALTER SYSTEM SET ${setting} = off`)
  // Its log is written for nobody: it need not grow to its usual size.
  yield* sql`ALTER SYSTEM SET max_wal_size = '256MB'`
  yield* sql`SELECT pg_reload_conf()`
  yield* Migrations.run
})

/** After it a process is killed. */
const patienceMillis = 15_000

const start = Effect.fnUntraced(function* (folder: string) {
  const { url } = yield* EmbeddedPostgres.start(folder)
  yield* Effect.provide(prepare, Database.layer(url, { maxConnections: 1 }))
  return url
})

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Lets a process stop that a worker left, with the servers that it brought along, and removes its files and the note of it. */
const stopNoted = async (note: string): Promise<void> => {
  const pid = Number(path.basename(note).split("-")[0])
  if (lives(pid)) process.kill(pid, "SIGTERM")
  for (let waited = 0; lives(pid) && waited < patienceMillis; waited += 50) await sleep(50)
  if (lives(pid)) process.kill(pid, "SIGKILL")
  await fs.rm(await fs.readFile(note, "utf8"), { recursive: true, force: true, maxRetries: 5 })
  await fs.rm(note)
}

/**
 * Stops what workers leave as soon as they have ended: an installation without requests still works for itself. The answer stops what
 * is left in the end.
 */
const stopOrphans = (notes: string): (() => Promise<void>) => {
  const stopping = new Map<string, Promise<void>>()
  const stop = (name: string): Promise<void> => {
    const stopped = stopping.get(name) ?? stopNoted(path.join(notes, name))
    stopping.set(name, stopped)
    return stopped
  }
  const look = async (): Promise<void> => {
    for (const name of await fs.readdir(notes)) if (!lives(Number(name.split("-")[1]))) await stop(name)
  }
  // What fails here fails the run in the end.
  const watching = setInterval(() => void look().catch(() => undefined), 2000).unref()
  return async () => {
    clearInterval(watching)
    await Promise.all([...new Set([...(await fs.readdir(notes)), ...stopping.keys()])].map(stop))
  }
}

export default async (project: TestProject): Promise<() => Promise<void>> => {
  await DashboardBuild.ensure()
  const folder = await Scratch.make()
  const scope = Scope.makeUnsafe()
  const url = await Effect.runPromise(Effect.provideService(start(folder), Scope.Scope, scope))
  project.provide("templateUrl", Redacted.value(url))
  const notes = path.join(folder, "left")
  await fs.mkdir(notes)
  project.provide("leftRunning", notes)
  const stopLeft = stopOrphans(notes)
  return async () => {
    await stopLeft()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await fs.rm(folder, { recursive: true, force: true })
  }
}
