/** Runs the roles of an installation as separate processes on the benchmark's nats-server and PostgreSQL. */
import { type ChildProcess, spawn } from "node:child_process"
import * as fs from "node:fs/promises"
import { tmpdir } from "node:os"
import * as path from "node:path"
import * as EmbeddedNats from "@kanmon/bus/EmbeddedNats"
import { Effect, Exit, Redacted, Scope } from "effect"
import { descendants, root, usage } from "./Child.ts"
import type { Server } from "./Server.ts"

export interface Parts {
  readonly natsUrl: string
  /** Starts a process with these roles. */
  readonly start: (name: string, roles: string, env?: Readonly<Record<string, string>>) => ChildProcess
  /** CPU seconds used by the servers so far. */
  readonly servers: () => Promise<{ readonly bus: number; readonly database: number }>
  /** Stops all processes and nats-server. */
  readonly close: () => Promise<void>
}

/** Undefined if nats-server is not installed. */
export const make = async (server: Server): Promise<Parts | undefined> => {
  const binary = await Effect.runPromise(EmbeddedNats.find(`${process.env["PATH"]}:/usr/sbin`))
  if (binary === undefined) return undefined
  const folder = await fs.mkdtemp(path.join(tmpdir(), "kanmon-parts-"))
  const scope = Scope.makeUnsafe()
  const nats = await Effect.runPromise(Effect.provideService(EmbeddedNats.start(binary, folder), Scope.Scope, scope))
  const natsUrl = Redacted.value(nats.url).replace("//", `//${Redacted.value(nats.token)}@`)
  const children: Array<ChildProcess> = []
  return {
    natsUrl,
    start: (name, roles, env = {}) => {
      const child = spawn(process.execPath, ["apps/server/src/main.js", "serve", "--roles", roles], {
        cwd: root,
        env: {
          ...process.env,
          KANMON_DATA_DIR: path.join(folder, name),
          KANMON_SECRET: "a secret that is used in benchmarks only",
          KANMON_ALLOW_PRIVATE_TARGETS: "true",
          KANMON_DEFAULT_PLAN: "plan_enterprise",
          KANMON_WRITES_PER_MINUTE: "1000000",
          KANMON_GROUP_ALERTS: "1000000",
          KANMON_READS_PER_MINUTE: "1000000",
          KANMON_HOST_CONCURRENCY: "2000",
          DATABASE_URL: server.databaseUrl,
          NATS_URL: natsUrl,
          ...env
        },
        stdio: ["ignore", process.env["BENCH_LOG"] === undefined ? "ignore" : "inherit", "inherit"]
      })
      children.push(child)
      return child
    },
    servers: async () => {
      const database = await descendants(server.databasePid())
      return {
        bus: (await usage(nats.pid()!)).cpuSeconds,
        database: Object.values(database).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)
      }
    },
    close: async () => {
      await Promise.all(children.map(stop))
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await fs.rm(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  }
}

export const stop = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once("exit", () => resolve())
    child.kill()
  })
