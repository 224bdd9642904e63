/** Cursors of lists that are sorted by id: opaque for clients, the last id of a page inside. */
import { Option, Schema } from "effect"

export const encode = (id: string): string => Buffer.from(id).toString("base64url")

/** The id a cursor stands for; none for text that is no cursor. */
export const decode = (cursor: string | undefined): string | undefined => {
  if (cursor === undefined) return undefined
  const id = Buffer.from(cursor, "base64url").toString("utf8")
  return /^[a-z]+_[0-9A-Za-z]+$/.test(id) ? id : undefined
}

/** Where a page of a sorted list ended: which sort, the value that the last record is sorted by, and its id. */
export interface Position {
  readonly sort: string
  readonly value: string | number | null
  readonly id: string
}

/** The cursor of a sorted list. It names its sort, so that it is never used in a list of another one. */
export const encodeSorted = ({ id, sort, value }: Position): string => encode(JSON.stringify([sort, value, id]))

const SortedCursor = Schema.fromJsonString(
  Schema.Tuple([Schema.String, Schema.NullOr(Schema.Union([Schema.String, Schema.Finite])), Schema.String])
)
const decodePosition = Schema.decodeUnknownOption(SortedCursor)

/** The position that a cursor of a sorted list stands for; none for another text. */
export const decodeSorted = (cursor: string): Position | undefined =>
  Option.getOrUndefined(
    Option.map(decodePosition(Buffer.from(cursor, "base64url").toString("utf8")), ([sort, value, id]) => ({
      sort,
      value,
      id
    }))
  )

/** Cuts a page out of one row more than was asked for. */
export const page = <A extends { readonly id: string }>(
  rows: ReadonlyArray<A>,
  limit: number
): { readonly items: ReadonlyArray<A>; readonly next: string | undefined } => {
  const items = rows.slice(0, limit)
  return { items, next: rows.length > limit ? encode(items.at(-1)!.id) : undefined }
}
