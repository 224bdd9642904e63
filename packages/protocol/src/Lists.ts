/** What lists and deletions have in common on the wire. */
import { Schema } from "effect"

/** What is searched for. The database knows no null characters. */
export const Search = Schema.String.check(
  // oxlint-disable-next-line no-control-regex -- this is the one that is refused
  Schema.isPattern(/^[^\u0000]{0,200}$/, { message: "Expected at most 200 characters, and no null character" })
)

/** `?limit=` (1 to 1000) and `?cursor=`. The next page is in the `Link` header (RFC 8288). */
export const pageQuery = {
  limit: Schema.optionalKey(
    Schema.FiniteFromString.check(
      Schema.isInt(),
      Schema.isBetween({ minimum: 1, maximum: 1000 }, { message: "Expected a whole number from 1 to 1000" })
    )
  ),
  cursor: Schema.optionalKey(
    Search.annotate({ description: "Cursor of the page, from the `Link` header of the previous one" })
  )
}

/** `?key=`: the one that has this key, if any. */
export const keyQuery = {
  key: Schema.optionalKey(Search.annotate({ description: "Only the record with this key" }))
}

/** The cursor of the next page in a `Link` header; none on the last one. */
export const nextCursor = (link: string | undefined): string | undefined => {
  const next = /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(link ?? "")?.[1]
  // The base is there for addresses without a host; only the query counts.
  return next === undefined ? undefined : (URL.parse(next, "http://localhost")?.searchParams.get("cursor") ?? undefined)
}

/** The answer to every deletion. */
export const Deleted = Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) })
