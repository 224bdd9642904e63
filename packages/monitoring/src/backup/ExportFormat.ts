/**
 * The lines of an export: a header, the rows of the tables, the values of their sequences, the observations that are not
 * evaluated yet, and an end with a checksum. Each line is JSON; every value is in PostgreSQL's text format.
 */
import { createHash } from "node:crypto"
import { Data, type Redacted, Result, Schema } from "effect"
import { deriveKey } from "@kanmon/platform/database/Secrets"

/** Increase it when older versions of Kanmon could not read the file. */
const format = 1

const Header = Schema.Struct({
  part: Schema.Literal("kanmon export"),
  format: Schema.Literal(format),
  /** The version of Kanmon that wrote it. */
  version: Schema.String,
  /** The number of the database's last migration. */
  level: Schema.Int,
  /** The {@link fingerprint} of the installation's secret. */
  secret: Schema.String,
  exportedAt: Schema.String,
  tables: Schema.Array(Schema.Struct({ name: Schema.String, columns: Schema.Array(Schema.String) })),
  /** The days that have a partition of observations. */
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

/** Observations that are not evaluated yet. The name is part of the format. */
const Unevaluated = Schema.Struct({ part: Schema.Literal("unjudged"), messages: Schema.Array(Message) })

const End = Schema.Struct({
  part: Schema.Literal("end"),
  rows: Schema.Record(Schema.String, Schema.Int),
  unjudged: Schema.Int,
  /** The hash of all lines before this one, with their line feeds. */
  sha256: Schema.String
})

const Line = Schema.Union([Header, Rows, Sequence, Unevaluated, End])
export type Line = typeof Line.Type

/** The file is not an export, is incomplete, or belongs to another installation; the message says what to do. */
export class ExportUnusable extends Data.TaggedError("ExportUnusable")<{ readonly message: string }> {}

export const damaged = (how: string): ExportUnusable =>
  new ExportUnusable({
    message: `The export is incomplete or damaged: ${how}. Nothing was changed. Copy it again, or export again.`
  })

/** Identifies a secret without revealing it. */
export const fingerprint = (secret: Redacted.Redacted): string =>
  deriveKey(secret, "kanmon/store/export").toString("base64url")

/** Makes the first line. */
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
    const message = `The file has the format ${String(theirs)}, and this version of Kanmon reads ${format}. Import it with the version that wrote it, or a newer one.`
    return Result.fail(new ExportUnusable({ message }))
  }
  return Result.mapError(decode(json), () => damaged("a line has an unknown format"))
}

/** Computes the end of an export from its lines, both when it is written and when it is read. */
export class Proof {
  readonly #hash = createHash("sha256")
  readonly #rows = new Map<string, number>()
  #unevaluated = 0

  /** Adds a line. */
  add(text: string, line: Line): void {
    this.#hash.update(text).update("\n")
    if (line.part === "rows") this.#rows.set(line.table, (this.#rows.get(line.table) ?? 0) + line.rows.length)
    if (line.part === "unjudged") this.#unevaluated += line.messages.length
  }

  /** The end for the lines added so far. Call it once. */
  end(): typeof End.Type {
    return {
      part: "end",
      rows: Object.fromEntries(this.#rows),
      unjudged: this.#unevaluated,
      sha256: this.#hash.digest("hex")
    }
  }
}
