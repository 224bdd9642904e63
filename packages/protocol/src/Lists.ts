/** Schemas common to lists and deletions. */
import { boundedText, patternText } from "@kanmon/domain/BoundedText"
import { Schema, SchemaTransformation } from "effect"

/** A search term. PostgreSQL does not support null characters. */
export const Search = patternText(
  200,
  // oxlint-disable-next-line no-control-regex -- this is the one that is refused
  /^[^\u0000]{0,200}$/,
  "Expected at most 200 characters, and no null character"
)

/** A number in a query. */
const numberText = boundedText(32).pipe(Schema.decodeTo(Schema.Finite, SchemaTransformation.numberFromString))

/** `?limit=` (1 to 1000) and `?cursor=`. The next page is in the `Link` header (RFC 8288). */
export const pageQuery = {
  limit: Schema.optionalKey(
    numberText.check(
      Schema.isInt(),
      Schema.isBetween({ minimum: 1, maximum: 1000 }, { message: "Expected a whole number from 1 to 1000" })
    )
  ),
  cursor: Schema.optionalKey(
    Search.annotate({ description: "Cursor of the page, from the `Link` header of the previous one" })
  )
}

/** `?key=`: selects the record with this key, if any. */
export const keyQuery = {
  key: Schema.optionalKey(Search.annotate({ description: "Only the record with this key" }))
}

/** The cursor of the next page in a `Link` header; none on the last one. */
export const nextCursor = (link: string | undefined): string | undefined => {
  const next = /<([^<>]*)>\s*;[^,]*\brel="?next"?/.exec(link ?? "")?.[1]
  // The base is for URLs without a host; only the query is used.
  return next === undefined ? undefined : (URL.parse(next, "http://localhost")?.searchParams.get("cursor") ?? undefined)
}

/** The response to every deletion. */
export const Deleted = Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) }).annotate({
  identifier: "Deleted"
})

/** The fields that a change would change: paths such as `name` and `config.botToken`. */
export const Comparison = Schema.Struct({
  differing: Schema.Array(Schema.String),
  hidden: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({
      description:
        "Fields with values that the caller may not read, so that they are not compared; absent when there are none"
    })
  )
})

const moment = (description: string) =>
  Schema.optionalKey(
    boundedText(100).annotate({
      description: `${description}: a day (UTC, \`2026-11-20\`) or a timestamp`,
      examples: ["2026-11-20"]
    })
  )

/** `?from=` and `?to=`. */
export const rangeQuery = { from: moment("Beginning, inclusive"), to: moment("End, inclusive") }
