/**
 * Opens the SQLite file of an Uptime Kuma 2, a copy of it or the one in use, without changing anything beside it. Uptime Kuma
 * keeps recent changes in `kuma.db-wal` (write-ahead log) while it runs.
 */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import type { DatabaseSync } from "node:sqlite"
import { pathToFileURL } from "node:url"
import { Data, Effect, type Scope } from "effect"

/** A file that cannot be read as a database of Uptime Kuma 2. The message says what to do. */
export class UnreadableDatabase extends Data.TaggedError("UnreadableDatabase")<{ readonly message: string }> {}

/** An open database. */
export interface Opened {
  readonly database: DatabaseSync
  /** Whether it belongs to a database with a write-ahead log, and there is none: recent changes may be missing. */
  readonly withoutLog: boolean
}

const magic = "SQLite format 3\0"

/** Whether a file begins as a SQLite database does. */
const isDatabase = (start: Uint8Array): boolean =>
  Buffer.from(start.subarray(0, magic.length)).toString("latin1") === magic

/** Bytes of one value, and columns of a table: above what Uptime Kuma has, below what hurts. */
const limits = { length: 4 * 1024 * 1024, column: 300 }

export const whatToCopy =
  "copy kuma.db and kuma.db-wal together from the data directory, or stop Uptime Kuma first and copy kuma.db"

/**
 * Opens a database, read only, until the scope closes. `patience` is how long to wait for the lock of another process, in
 * milliseconds.
 */
export const open = (
  file: string,
  { patience = 5000 }: { readonly patience?: number } = {}
): Effect.Effect<Opened, UnreadableDatabase, Scope.Scope> =>
  Effect.gen(function* () {
    // Loaded here, so that other commands do not load SQLite.
    const sqlite = yield* Effect.promise(() => import("node:sqlite"))
    const { location, withoutLog } = yield* place(file)
    const database = yield* Effect.acquireRelease(
      reading(file, () => new sqlite.DatabaseSync(location, { readOnly: true, timeout: patience, limits })),
      (opened) => Effect.sync(() => opened.close())
    )
    // Opening reads nothing yet.
    yield* reading(file, () => database.prepare("SELECT count(*) FROM sqlite_schema").get())
    return { database, withoutLog }
  })

/** Runs statements; their failures become messages. */
export const reading = <A>(file: string, read: () => A): Effect.Effect<A, UnreadableDatabase> =>
  Effect.try({ try: read, catch: (cause) => new UnreadableDatabase({ message: `${file} ${explained(cause)}` }) })

const codes = { busy: 5, locked: 6, readOnly: 8, damaged: 11, cannotOpen: 14, notDatabase: 26 }

const explained = (cause: unknown): string => {
  const code = cause instanceof Error && "errcode" in cause ? Number(cause.errcode) & 0xff : undefined
  const said = cause instanceof Error ? cause.message : String(cause)
  switch (code) {
    case codes.busy:
    case codes.locked:
      return `is locked by another process: stop Uptime Kuma, or ${whatToCopy}; then import the copy`
    case codes.damaged:
    case codes.notDatabase:
      return `is damaged or encrypted (${said}): ${whatToCopy}; sqlite3 kuma.db "PRAGMA integrity_check" tests the copy`
    case codes.cannotOpen:
    case codes.readOnly:
      return `cannot be opened (${said}): check that this user may read it, or import a copy`
    default:
      return /^no such (table|column)/.test(said)
        ? `cannot be read: ${said}. Is this a complete kuma.db? If not: ${whatToCopy}`
        : `cannot be read: ${said}`
  }
}

interface Place {
  readonly location: string | URL
  readonly withoutLog: boolean
}

/**
 * The file to open. A database in use has a shared-memory file; it is opened itself, and SQLite respects its locks. A
 * copy with its log is copied once more, since reading it creates files beside it. A copy without a log is opened as it
 * is.
 */
const place = (file: string): Effect.Effect<Place, UnreadableDatabase, Scope.Scope> =>
  Effect.gen(function* () {
    const header = yield* headerOf(file)
    // Version 2 of the read format is the write-ahead log; everything else needs no second file.
    if (header[19] !== 2 || fs.existsSync(`${file}-shm`)) return { location: file, withoutLog: false }
    if (!fs.existsSync(`${file}-wal`)) {
      const location = pathToFileURL(path.resolve(file))
      location.searchParams.set("immutable", "1")
      return { location, withoutLog: true }
    }
    const folder = yield* Effect.acquireRelease(
      reading(file, () => fs.mkdtempSync(path.join(os.tmpdir(), "kanmon-import-"))),
      (made) => Effect.sync(() => fs.rmSync(made, { recursive: true, force: true }))
    )
    const copy = path.join(folder, "kuma.db")
    yield* reading(file, () => {
      fs.copyFileSync(file, copy, fs.constants.COPYFILE_FICLONE)
      fs.copyFileSync(`${file}-wal`, `${copy}-wal`, fs.constants.COPYFILE_FICLONE)
    })
    return { location: copy, withoutLog: false }
  })

const headerOf = (file: string): Effect.Effect<Buffer, UnreadableDatabase> =>
  Effect.gen(function* () {
    const refuse = (why: string) => new UnreadableDatabase({ message: `${file} ${why}` })
    const header = yield* Effect.try({ try: () => startOf(file), catch: (cause) => refuse(String(cause)) })
    if (header.length === 0) return yield* refuse(`is empty: ${whatToCopy}`)
    if (isDatabase(header)) return header
    return yield* refuse(
      `is not a SQLite database; it may be encrypted or damaged: ${whatToCopy}. An Uptime Kuma on MariaDB has no kuma.db and cannot be imported`
    )
  })

/** The first bytes of a file. */
export const startOf = (file: string): Buffer => {
  const handle = fs.openSync(file, "r")
  try {
    const start = Buffer.alloc(100)
    return start.subarray(0, fs.readSync(handle, start, 0, start.length, 0))
  } finally {
    fs.closeSync(handle)
  }
}
