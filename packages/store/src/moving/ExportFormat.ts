/**
 * The lines of an export: a header, then the tables' rows, the numbers that sequences have reached and the observations that
 * nobody has judged, and an end that proves the rest. Each line is JSON; every value is the text that PostgreSQL writes for it.
 */
import { createHash } from "node:crypto"
import { Data, type Redacted, Result, Schema } from "effect"
import { deriveKey } from "../database/Secrets.ts"

/** Grows when older versions of Kanmon could not read the file. */
const format = 1

const Header = Schema.Struct({
  part: Schema.Literal("kanmon export"),
  format: Schema.Literal(format),
  /** The Kanmon that wrote it. */
  version: Schema.String,
  /** How far the database had come: the number of its last migration. */
  level: Schema.Int,
  /** By what the installation's secret is recognised. */
  secret: Schema.String,
  exportedAt: Schema.String,
  tables: Schema.Array(Schema.Struct({ name: Schema.String, columns: Schema.Array(Schema.String) })),
  /** The days of which observations have a partition. */
  days: Schema.Array(Schema.String)
})
export type Header = typeof Header.Type

const Rows = Schema.Struct({
  part: Schema.Literal("rows"),
  table: Schema.String,
  rows: Schema.Array(Schema.Array(Schema.NullOr(Schema.String)))
})

const Sequence = Schema.Struct({
  part: Schema.Literal("sequence"),
  table: Schema.String,
  column: Schema.String,
  value: Schema.String,
  called: Schema.Boolean
})

const Message = Schema.Struct({
  id: Schema.String,
  subject: Schema.String,
  headers: Schema.Record(Schema.String, Schema.String),
  payload: Schema.String
})

const Unjudged = Schema.Struct({ part: Schema.Literal("unjudged"), messages: Schema.Array(Message) })

const End = Schema.Struct({
  part: Schema.Literal("end"),
  rows: Schema.Record(Schema.String, Schema.Int),
  unjudged: Schema.Int,
  /** Of every line before, with its line feed. */
  sha256: Schema.String
})

const Line = Schema.Union([Header, Rows, Sequence, Unjudged, End])
export type Line = typeof Line.Type

/** The file is no export, not a whole one, or not one for this installation; the message says what to do. */
export class ExportUnusable extends Data.TaggedError("ExportUnusable")<{ readonly message: string }> {}

export const damaged = (how: string): ExportUnusable =>
  new ExportUnusable({
    message: `The file is not a whole export: ${how}. Nothing was changed. Copy it again, or export again.`
  })

/** Says which secret it was and gives nothing of it away. */
export const fingerprint = (secret: Redacted.Redacted): string =>
  deriveKey(secret, "kanmon/store/export").toString("base64url")

/** The first line, as far as the writer knows it. */
export const header = (known: Omit<Header, "part" | "format">): Header => ({ part: "kanmon export", format, ...known })

const decode = Schema.decodeUnknownResult(Line)

/** Reads one line. */
export const read = (text: string): Result.Result<Line, ExportUnusable> => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return Result.fail(damaged("a line of it is not JSON"))
  }
  const { format: theirs, part } = (json ?? {}) as { readonly part?: unknown; readonly format?: unknown }
  if (part === "kanmon export" && theirs !== format) {
    const message = `The file has the format ${String(theirs)}, and this Kanmon reads ${format}: import it with the version that wrote it, or a newer one.`
    return Result.fail(new ExportUnusable({ message }))
  }
  return Result.mapError(decode(json), () => damaged("a line of it is none of an export"))
}

/** What the end says about the lines before it: kept while they are written, and again while they are read. */
export class Proof {
  readonly #hash = createHash("sha256")
  readonly #rows = new Map<string, number>()
  #unjudged = 0

  /** Takes a line into account. */
  add(text: string, line: Line): void {
    this.#hash.update(text).update("\n")
    if (line.part === "rows") this.#rows.set(line.table, (this.#rows.get(line.table) ?? 0) + line.rows.length)
    if (line.part === "unjudged") this.#unjudged += line.messages.length
  }

  /** The end that belongs behind the lines so far. Once. */
  end(): typeof End.Type {
    return {
      part: "end",
      rows: Object.fromEntries(this.#rows),
      unjudged: this.#unjudged,
      sha256: this.#hash.digest("hex")
    }
  }
}
