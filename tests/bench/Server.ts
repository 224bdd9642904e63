/** Runs the product as a separate process, on a PostgreSQL that the benchmark can query. */
import { type ChildProcess, spawn } from "node:child_process"
import * as fs from "node:fs/promises"
import { tmpdir } from "node:os"
import * as path from "node:path"
import * as EmbeddedPostgres from "@kanmon/platform/database/EmbeddedPostgres"
import { Effect, Exit, Redacted, Scope } from "effect"
import { freePort } from "./Api.ts"
import { root } from "./Child.ts"

export interface Server {
  readonly base: string
  /** Empty if it brings its own database. */
  readonly databaseUrl: string
  readonly dataDirectory: string
  readonly databasePid: () => number
  readonly pid: () => number
  /** The port of Node's inspector, where it listens. */
  readonly inspector: number
  readonly start: () => Promise<void>
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>
  readonly close: () => Promise<void>
}

/** The environment and the options that `npm start` gives to Node. */
const startScript = async () => {
  const { scripts } = JSON.parse(await fs.readFile(path.join(root, "package.json"), "utf8"))
  const words = String(scripts.start).split(" ")
  return {
    env: Object.fromEntries(words.flatMap((word) => (/^[A-Z_]+=/.test(word) ? [word.split("=")] : []))),
    flags: words.filter((word) => word.startsWith("--"))
  }
}

export interface ServerOptions {
  /** Whether Node's inspector listens. */
  readonly inspected?: boolean
  /** Whether it brings its own database, as `npm start` does, which the benchmark cannot query then. */
  readonly ownDatabase?: boolean
  readonly env?: Readonly<Record<string, string>>
}

export const make = async (options: ServerOptions = {}): Promise<Server> => {
  const { inspected = false, ownDatabase = false } = options
  const { env, flags } = await startScript()
  const folder = await fs.mkdtemp(path.join(tmpdir(), "kanmon-bench-"))
  await fs.chmod(folder, 0o755)
  const scope = Scope.makeUnsafe()
  const database = ownDatabase
    ? undefined
    : await Effect.runPromise(Effect.provideService(EmbeddedPostgres.start(folder), Scope.Scope, scope))
  const databaseUrl = database === undefined ? "" : Redacted.value(database.url)
  const dataDirectory = path.join(folder, "data")
  const own = await freePort()
  const base = `http://127.0.0.1:${own}/api/v1`
  const inspector = await freePort()
  const inspect = inspected ? [`--inspect=127.0.0.1:${inspector}`] : []
  let child: ChildProcess | undefined

  const start = async (): Promise<void> => {
    child = spawn(process.execPath, [...flags, ...inspect, "apps/server/src/main.js", "serve"], {
      cwd: root,
      env: {
        ...process.env,
        ...env,
        KANMON_PORT: String(own),
        KANMON_DATA_DIR: dataDirectory,
        ...(database === undefined ? {} : { DATABASE_URL: databaseUrl }),
        KANMON_SECRET: "a secret that is used in benchmarks only",
        KANMON_ALLOW_PRIVATE_TARGETS: "true",
        KANMON_DEFAULT_PLAN: "plan_enterprise",
        KANMON_WRITES_PER_MINUTE: "1000000",
        KANMON_GROUP_ALERTS: "1000000",
        KANMON_READS_PER_MINUTE: "1000000",
        KANMON_HOST_CONCURRENCY: "2000",
        ...options.env
      },
      stdio: ["ignore", process.env["BENCH_LOG"] === undefined ? "ignore" : "inherit", "inherit"]
    })
    for (;;) {
      const healthy = await fetch(`${base}/health`).then(
        ({ ok }) => ok,
        () => false
      )
      if (healthy) return
      if (child.exitCode !== null) throw new Error("The product ended")
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const stop = (signal: NodeJS.Signals = "SIGTERM"): Promise<void> =>
    new Promise((resolve) => {
      child!.once("exit", () => resolve())
      child!.kill(signal)
    })
  return {
    base,
    databaseUrl,
    dataDirectory,
    databasePid: () => database!.pid()!,
    pid: () => child!.pid!,
    inspector,
    start,
    stop,
    close: async () => {
      if (child !== undefined && child.exitCode === null) await stop()
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await fs.rm(folder, { recursive: true, force: true })
    }
  }
}
