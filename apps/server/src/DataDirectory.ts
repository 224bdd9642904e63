/**
 * The folder in which an installation keeps what it makes for itself: its secret, the embedded servers' data, a lock.
 * One process uses a data directory at a time.
 */
import { randomBytes } from "node:crypto"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Context, Data, Effect, Layer, Option, Redacted } from "effect"
import { Settings } from "./Settings.ts"

/** The data directory cannot be used; the message says what to do. */
export class DataDirectoryUnusable extends Data.TaggedError("DataDirectoryUnusable")<{ readonly message: string }> {}

export class DataDirectory extends Context.Service<
  DataDirectory,
  {
    /** Absolute. */
    readonly path: string
    /**
     * `KANMON_SECRET`, or the one in the directory, or else a new one. A new one is kept only when a database comes to depend
     * on it: a start that is refused must not leave a wrong one behind.
     */
    readonly secret: Redacted.Redacted
    /** Keeps the secret in the directory, unless one is there. */
    readonly keepSecret: Effect.Effect<void, DataDirectoryUnusable>
  }
>()("@kanmon/server/DataDirectory") {
  /** Opens the directory for reading and writing next to others (commands that serve nothing). */
  static readonly layer = Layer.effect(
    DataDirectory,
    Effect.gen(function* () {
      const settings = yield* Settings
      const directory = path.resolve(settings.dataDirectory)
      yield* attempt(`The data directory ${directory} (KANMON_DATA_DIR) cannot be made`, () =>
        fs.mkdir(directory, { recursive: true, mode: 0o700 })
      )
      const file = path.join(directory, "secret")
      const secret = yield* Option.match(settings.secret, {
        onSome: Effect.succeed,
        onNone: () =>
          Effect.map(
            attempt(`The secret in ${file} cannot be read`, () => secretIn(file)),
            (kept) => Redacted.make(kept ?? randomBytes(32).toString("base64url"))
          )
      })
      const keepSecret = attempt(`The secret cannot be written to ${file}`, () => keep(file, Redacted.value(secret)))
      return DataDirectory.of({ path: directory, secret, keepSecret })
    })
  )

  /** The directory for one process alone, until its scope closes. */
  static readonly layerLocked = Layer.effectDiscard(
    Effect.gen(function* () {
      const directory = yield* DataDirectory
      yield* Effect.acquireRelease(lock(directory.path), () => unlock(directory.path))
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
        message: `Another Kanmon (process ${owner}) uses ${directory}. Stop it, or give this one a KANMON_DATA_DIR of its own.`
      })
    }
    yield* attempt(`${file} cannot be removed`, () => fs.rm(file, { force: true }))
  }
})

const unlock = (directory: string): Effect.Effect<void> =>
  Effect.promise(() => fs.rm(lockFile(directory), { force: true }))

/** Whether the process lives and is a Kanmon: after a reboot its number may belong to anybody. */
export const isAlive = (pid: number): Effect.Effect<boolean> =>
  Effect.promise(async () => {
    if (!Number.isInteger(pid) || pid <= 0) return false
    try {
      process.kill(pid, 0)
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "EPERM"
    }
    try {
      return (await fs.readFile(`/proc/${pid}/cmdline`, "utf8")).includes("main.ts")
    } catch {
      return true
    }
  })
