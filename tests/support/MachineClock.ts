/**
 * The clock of a machine, which a test moves: libfaketime (Debian's package `libfaketime`) gives a process and all its children, its
 * PostgreSQL too, another time of day. Durations stay real, as when an operator or NTP sets a machine's clock.
 */
import { randomUUID } from "node:crypto"
import { existsSync, readdirSync } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Effect, type Scope } from "effect"
import * as Folder from "./Folder.ts"

const libraries = "/usr/lib"
const library = existsSync(libraries)
  ? readdirSync(libraries)
      .map((folder) => path.join(libraries, folder, "faketime/libfaketime.so.1"))
      .find((file) => existsSync(file))
  : undefined

/** In CI a missing library is a failure. */
export const skipped = library === undefined && !process.env["CI"]

/** For titles of skipped tests. */
export const note = skipped ? " (skipped: Debian's libfaketime is not installed)" : ""

export interface MachineClock {
  /** Settings of the processes that go by this clock. */
  readonly env: Readonly<Record<string, string>>
  /** Sets the clock; it runs on from there. */
  readonly set: (at: number) => Effect.Effect<void>
  readonly now: () => number
}

/**
 * The lock that libfaketime's processes share, as its command `faketime` makes it (a semaphore of a 64-bit glibc with the value 1). A
 * process without one makes its own, named after its PID: what a killed process leaves behind keeps a later one of this PID from
 * starting.
 */
const sharedLock: Effect.Effect<string, never, Scope.Scope> = Effect.gen(function* () {
  const name = `kanmon-clock-${randomUUID()}`
  const semaphore = Buffer.alloc(32)
  semaphore.writeUInt32LE(1, 0)
  semaphore.writeUInt32LE(128, 8)
  for (const [file, bytes] of [
    [`/dev/shm/sem.${name}`, semaphore],
    [`/dev/shm/${name}`, Buffer.alloc(8)]
  ] as const)
    yield* Effect.acquireRelease(
      Effect.promise(async () => {
        await fs.writeFile(file, bytes)
        // Beyond the umask: PostgreSQL is another user when the tests run as root.
        await fs.chmod(file, 0o666)
      }),
      () => Effect.promise(() => fs.rm(file, { force: true }))
    )
  return `/${name} /${name}`
})

/** A clock that starts at an instant, in milliseconds since 1970. */
export const make = (at: number): Effect.Effect<MachineClock, never, Scope.Scope> =>
  Effect.gen(function* () {
    const folder = yield* Folder.make()
    const file = path.join(folder, "offset")
    let offset = 0
    const set = (to: number) =>
      Effect.promise(async () => {
        // Whole seconds: a difference of two clocks that both are read later.
        offset = Math.round((to - Date.now()) / 1000) * 1000
        const next = `${file}.next`
        await fs.writeFile(next, `${offset < 0 ? "-" : "+"}${Math.abs(offset) / 1000}\n`, { mode: 0o644 })
        await fs.rename(next, file)
      })
    // PostgreSQL reads it as another user when the tests run as root.
    yield* Effect.promise(() => fs.chmod(folder, 0o755))
    yield* set(at)
    const env = {
      FAKETIME_SHARED: yield* sharedLock,
      LD_PRELOAD: library ?? "libfaketime is not installed",
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
      // Files keep the times at which they were written.
      NO_FAKE_STAT: "1"
    }
    return { env, set, now: () => Date.now() + offset }
  })
