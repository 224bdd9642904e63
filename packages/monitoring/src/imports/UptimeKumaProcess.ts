/**
 * Reads uploaded files of Uptime Kuma. The file goes into a temporary folder that only this user can read, and SQLite
 * opens it in a process that can write nothing and read nothing else, at a low priority, with limits on memory, time
 * and CPU time, so that a malicious file affects only that process.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { createWriteStream } from "node:fs"
import * as fs from "node:fs/promises"
import { getPriority, setPriority, tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { finished } from "node:stream/promises"
import { fileURLToPath } from "node:url"
import { type ImportedFile, maxImportBytes } from "@kanmon/protocol/ImportBody"
import { Clock, Context, Effect, Layer, Semaphore, Stream } from "effect"
import { codeFolders } from "./CodeFolders.ts"
import { NotPlanned, UptimeKumaReader } from "./UptimeKumaReader.ts"

/** The last message of the process. */
export type Said =
  { readonly _tag: "Planned"; readonly plan: ImportedFile } | { readonly _tag: "Refused"; readonly message: string }

/**
 * The number of files that are read at once. Others wait in the order in which they arrived, with at most one per
 * account, so that an account's second file delays no other account.
 */
const maxReading = 1
/** The number of files that arrive at once, of different accounts, so that a slow connection delays no one else. */
const maxArriving = 8
/** Heap of the process in MiB. */
const heapLimit = 512
/** Memory of the process in KiB, also outside of the heap, where SQLite keeps what the columns of a row are made of. */
const memoryLimit = 1024 * 1024
/** Seconds of CPU time that reading a file may take; the kernel counts, also when this process is gone. Starting takes a few. */
const cpuSeconds = 15
/** Milliseconds that reading a file may take at all, on a busy machine, where others come first. */
const usualLimit = 180_000
/** Niceness above that of this process: checks and answers go first. */
const niceness = 5

/** Milliseconds after which no upload can still be on its way. */
const leftoverMillis = 24 * 60 * 60 * 1000

const unreadable = (message: string) => new NotPlanned({ reason: "unreadable", message })

const busy = (message: string) => Effect.fail(new NotPlanned({ reason: "busy", message }))

const tooSlow = unreadable("The file takes too long or too much memory to read: is it a kuma.db?")

const prefix = "kanmon-import-"

/** Folder for uploaded files while they are read; by default that of the system. */
export const TemporaryFolder = Context.Reference<string>("@kanmon/monitoring/imports/TemporaryFolder", {
  defaultValue: tmpdir
})

const remove = (made: string) => Effect.promise(() => fs.rm(made, { recursive: true, force: true }))

const folderIn = (parent: string) =>
  Effect.acquireRelease(
    Effect.promise(() => fs.mkdtemp(join(parent, prefix))),
    remove
  )

/** Removes what a killed server left behind: files hold other services' keys. Younger folders may be in use by another server. */
const removeLeftovers = (parent: string) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const names = yield* Effect.tryPromise(() => fs.readdir(parent))
    yield* Effect.forEach(
      names.filter((name) => name.startsWith(prefix)),
      Effect.fnUntraced(
        function* (name) {
          const { mtimeMs } = yield* Effect.tryPromise(() => fs.stat(join(parent, name)))
          if (now - mtimeMs > leftoverMillis)
            yield* Effect.tryPromise(() => fs.rm(join(parent, name), { recursive: true }))
        },
        (removing) => Effect.ignore(removing)
      )
    )
  }).pipe(Effect.ignore)

/** Writes what arrives, up to the limit. */
const save = Effect.fnUntraced(function* <E>(file: string, content: Stream.Stream<Uint8Array, E>) {
  const target = yield* Effect.acquireRelease(
    Effect.sync(() => createWriteStream(file, { flags: "wx", mode: 0o600 })),
    (opened) => Effect.sync(() => void opened.destroy())
  )
  let size = 0
  yield* Stream.runForEach(content, (chunk) =>
    Effect.gen(function* () {
      size += chunk.length
      if (size > maxImportBytes)
        return yield* new NotPlanned({
          reason: "too_large",
          message: `The file is over ${maxImportBytes / 1024 / 1024} MiB. kanmon import uptime-kuma reads larger ones`
        })
      yield* Effect.promise(
        () =>
          new Promise<void>((resolve, reject) => target.write(chunk, (error) => (error ? reject(error) : resolve())))
      )
    })
  )
  yield* Effect.promise(() => {
    target.end()
    return finished(target)
  })
})

/**
 * Limits that Node cannot set. A process that needs more memory aborts, and the data of the file must not become a core
 * dump.
 */
const bounds = `ulimit -t ${cpuSeconds} && ulimit -d ${memoryLimit} && ulimit -c 0`

/** Starts the process. A shell sets the limits and becomes Node. */
const start = (child: URL, file: string): ChildProcess => {
  const readable = [dirname(file), ...codeFolders(child)].map((folder) => `--allow-fs-read=${folder}`)
  const node = [process.execPath, `--max-old-space-size=${heapLimit}`, "--permission", ...readable]
  const running = spawn("/bin/sh", ["-c", `${bounds} && exec "$@"`, "sh", ...node, fileURLToPath(child), file], {
    serialization: "advanced",
    // An empty environment: the reader of the file must not see this process's secrets.
    env: {},
    stdio: ["ignore", "ignore", "ignore", "ipc"]
  })
  if (running.pid !== undefined) lower(running.pid)
  return running
}

const lower = (pid: number): void => {
  try {
    setPriority(pid, Math.min(19, getPriority() + niceness))
  } catch {
    // It has ended already, and says so itself.
  }
}

/** The result of the process for the file. The process is killed when its caller is gone. */
const ask = (child: URL, file: string, limitMillis: number): Effect.Effect<Said, NotPlanned> =>
  Effect.callback<Said, NotPlanned>((resume) => {
    const running = start(child, file)
    running.on("message", (said: Said) => resume(Effect.succeed(said)))
    running.on("error", () => resume(Effect.fail(tooSlow)))
    running.on("exit", () => resume(Effect.fail(tooSlow)))
    return Effect.sync(() => void running.kill("SIGKILL"))
  }).pipe(Effect.timeoutOrElse({ duration: limitMillis, orElse: () => Effect.fail(tooSlow) }))

/** `child`: the module that reads a file and says a `Said`. `limitMillis`: how long it may take. */
export const layer = (child: URL, limitMillis = usualLimit) =>
  Layer.effect(
    UptimeKumaReader,
    Effect.gen(function* () {
      const parent = yield* TemporaryFolder
      yield* removeLeftovers(parent)
      const reading = yield* Semaphore.make(maxReading)
      const arriving = new Set<string>()
      const admitted = (account: string) =>
        Effect.acquireRelease(
          Effect.suspend(() => {
            if (arriving.has(account)) return busy("Another file is on its way; wait for its answer")
            if (arriving.size === maxArriving) return busy("Other imports are on their way; try again in a moment")
            return Effect.sync(() => void arriving.add(account))
          }),
          () => Effect.sync(() => void arriving.delete(account))
        )
      return UptimeKumaReader.of({
        plan: (account, content) =>
          Effect.gen(function* () {
            yield* admitted(account)
            const file = join(yield* folderIn(parent), "kuma.db")
            yield* save(file, content)
            const said = yield* reading.withPermit(ask(child, file, limitMillis))
            if (said._tag === "Refused") return yield* unreadable(said.message)
            return said.plan
          }).pipe(Effect.scoped)
      })
    })
  )
