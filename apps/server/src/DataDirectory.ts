/** The data directory: the installation's secret, the embedded servers' data, and a lock for a single process. */
import { randomBytes } from "node:crypto"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import type { Handover as ServerHandover } from "@kanmon/core/ServerProcess"
import { Clock, Context, Data, Effect, Layer, Option, Redacted } from "effect"
import * as Handover from "./loop-watch/Handover.ts"
import { Settings } from "./Settings.ts"

/** The data directory cannot be used; the message says what to do. */
class DataDirectoryUnusable extends Data.TaggedError("DataDirectoryUnusable")<{ readonly message: string }> {}

export class DataDirectory extends Context.Service<DataDirectory>()("@kanmon/server/DataDirectory", {
  make: Effect.gen(function* () {
    const settings = yield* Settings
    /** Absolute. */
    const directory = path.resolve(settings.dataDirectory)
    yield* attempt(`The data directory ${directory} (KANMON_DATA_DIR) cannot be created`, () =>
      fs.mkdir(directory, { recursive: true, mode: 0o700 })
    )
    const file = path.join(directory, "secret")
    /**
     * `KANMON_SECRET`, or the one in the directory, or a new one. A new one is stored only by `keepSecret`, once a database
     * depends on it, so that a failed start leaves no wrong secret.
     */
    const secret = yield* Option.match(settings.secret, {
      onSome: Effect.succeed,
      onNone: () =>
        Effect.map(
          attempt(`The secret in ${file} cannot be read`, () => secretIn(file)),
          (kept) => Redacted.make(kept ?? randomBytes(32).toString("base64url"))
        )
    })
    /** Writes the secret to the directory, unless it has one. */
    const keepSecret = attempt(`The secret cannot be written to ${file}`, () => keep(file, Redacted.value(secret)))
    const isBegun = Handover.isFresh(directory, yield* Clock.currentTimeMillis)
    /** Says whether the process before this one left its embedded servers running for this one. */
    const handover: ServerHandover = { isBegun, file: Handover.fileIn(directory) }
    return { path: directory, secret, keepSecret, handover }
  })
}) {
  /** Opens the directory without the lock, for commands that run beside a server. */
  static readonly layer = Layer.effect(DataDirectory, DataDirectory.make)

  /** Opens the directory and locks it until the scope closes. */
  static readonly layerLocked = Layer.effectDiscard(
    Effect.gen(function* () {
      const directory = yield* DataDirectory
      yield* Effect.acquireRelease(lock(directory.path), () => unlock(directory.path))
      Handover.end(directory.path)
    })
  ).pipe(Layer.provideMerge(DataDirectory.layer))
}

const attempt = <A>(what: string, run: () => Promise<A>): Effect.Effect<A, DataDirectoryUnusable> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) => new DataDirectoryUnusable({ message: `${what}: ${(cause as Error).message}` })
  })

const secretIn = (file: string): Promise<string | undefined> =>
  fs.readFile(file, "utf8").then(
    (text) => text.trim(),
    (error: NodeJS.ErrnoException) => (error.code === "ENOENT" ? undefined : Promise.reject(error))
  )

const keep = (file: string, secret: string): Promise<void> =>
  fs
    .writeFile(file, secret, { flag: "wx", mode: 0o600 })
    .catch((error: NodeJS.ErrnoException) => (error.code === "EEXIST" ? undefined : Promise.reject(error)))

const lockFile = (directory: string): string => path.join(directory, "kanmon.pid")

const lock = Effect.fnUntraced(function* (directory: string) {
  const file = lockFile(directory)
  for (;;) {
    const taken = yield* attempt(`${file} cannot be written`, () =>
      fs.writeFile(file, String(process.pid), { flag: "wx", mode: 0o600 }).then(
        () => false,
        (error: NodeJS.ErrnoException) => (error.code === "EEXIST" ? true : Promise.reject(error))
      )
    )
    if (!taken) return
    const owner = Number.parseInt(yield* attempt(`${file} cannot be read`, () => fs.readFile(file, "utf8")), 10)
    if (owner !== process.pid && (yield* isAlive(owner))) {
      return yield* new DataDirectoryUnusable({
        message: `Another Kanmon (process ${owner}) uses ${directory}. Stop it, or set another KANMON_DATA_DIR for this one.`
      })
    }
    yield* attempt(`${file} cannot be removed`, () => fs.rm(file, { force: true }))
  }
})

const unlock = (directory: string): Effect.Effect<void> =>
  Effect.promise(() => fs.rm(lockFile(directory), { force: true }))

/** How Kanmon is started: from a checkout (by earlier versions, as `main.ts`), and as a command on a PATH. */
const ours = /[/\\](main\.[jt]s|kanmon(\.mjs)?)\0/

/** Whether the process is a running Kanmon: after a reboot, its number may belong to another program. */
export const isAlive = (pid: number): Effect.Effect<boolean> =>
  Effect.promise(async () => {
    if (!Number.isInteger(pid) || pid <= 0) return false
    try {
      process.kill(pid, 0)
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "EPERM"
    }
    try {
      return ours.test(await fs.readFile(`/proc/${pid}/cmdline`, "utf8"))
    } catch {
      return true
    }
  })
