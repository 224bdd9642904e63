/**
 * Debian's PostgreSQL packages with their tools, as operators have them. Tests that need them are skipped without them, and
 * say so; where tests must be complete (`CI` is set) they fail.
 */
import { execFile, spawn } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { promisify } from "node:util"
import * as ServerProcess from "@kanmon/core/ServerProcess"
import { Effect, type Scope } from "effect"
import * as Folder from "./Folder.ts"

const run = promisify(execFile)
const home = "/usr/lib/postgresql"

const versions = (): ReadonlyArray<string> => {
  try {
    // Without the server there are at most client programs.
    return readdirSync(home)
      .filter((version) => existsSync(path.join(home, version, "bin/initdb")))
      .sort((a, b) => Number(b) - Number(a))
  } catch {
    return []
  }
}

const [newest] = versions()

export const skipped = newest === undefined && !process.env["CI"]

/** For titles of skipped tests. */
export const note = skipped ? " (skipped: Debian's postgresql is not installed)" : ""

export interface DebianPostgres {
  /** The address of a database on the server. */
  readonly url: (database: string) => string
  /** Runs a program to completion. */
  readonly tool: (name: string, ...args: ReadonlyArray<string>) => Effect.Effect<string>
}

/** Starts a server that is removed when the scope closes. */
export const make: Effect.Effect<DebianPostgres, never, Scope.Scope> = Effect.gen(function* () {
  const program = (name: string) => path.join(home, newest ?? "none", "bin", name)
  // PostgreSQL refuses to run as root; the package has a user.
  const owner = yield* Effect.promise(async () => {
    if (process.getuid!() !== 0) return {}
    const [uid, gid] = await Promise.all(["-u", "-g"].map(async (flag) => (await run("id", [flag, "postgres"])).stdout))
    return { uid: Number(uid), gid: Number(gid) }
  })
  const folder = yield* Folder.make()
  const data = path.join(folder, "data")
  const port = yield* Effect.promise(ServerProcess.freePort)
  const tool: DebianPostgres["tool"] = (name, ...args) =>
    Effect.promise(async () => (await run(program(name), args, { cwd: folder })).stdout)
  yield* Effect.promise(async () => {
    if (owner.uid !== undefined) await fs.chown(folder, owner.uid, owner.gid)
    const args = ["-D", data, "-U", "kanmon", "--auth=trust", "--encoding=UTF8", "--no-sync"]
    await run(program("initdb"), args, { ...owner, cwd: folder })
  })
  const settings = { listen_addresses: "127.0.0.1", port, unix_socket_directories: "", fsync: "off" }
  yield* ServerProcess.supervise({
    name: "Debian's PostgreSQL",
    command: {
      ...owner,
      file: program("postgres"),
      args: ["-D", data, ...Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${value}`])],
      cwd: folder,
      output: "/dev/null",
      appends: true
    },
    guard: { inCharge: path.join(folder, "guard.pid") },
    isReady: () =>
      run(program("pg_isready"), ["-q", "-h", "127.0.0.1", "-p", String(port)]).then(
        () => true,
        () => false
      ),
    outputTail: async () => "",
    signals: ["SIGINT", "SIGQUIT"]
  }).pipe(Effect.orDie)
  return { url: (database) => `postgres://kanmon@127.0.0.1:${port}/${database}`, tool }
})

/** Runs `psql` with a script on its standard input, as an operator restores a dump. */
export const restore = (url: string, sql: string) =>
  Effect.callback<void>((resume) => {
    const psql = spawn("/usr/bin/psql", ["--quiet", "--no-psqlrc", "-v", "ON_ERROR_STOP=1", url], {
      stdio: ["pipe", "ignore", "pipe"]
    })
    let errors = ""
    psql.stderr.on("data", (chunk: Buffer) => {
      errors += chunk.toString("utf8")
    })
    psql.once("exit", (code) => resume(code === 0 ? Effect.void : Effect.die(new Error(errors))))
    psql.stdin.on("error", () => {}).end(sql)
  })
