/** What lists and deletions have in common on the wire. */
import { Schema } from "effect"

/** `?limit=` (1 to 1000) and `?cursor=`. The next page is in the `Link` header (RFC 8288). */
export const pageQuery = {
  limit: Schema.optionalKey(
    Schema.FiniteFromString.check(
      Schema.isInt(),
      Schema.isBetween({ minimum: 1, maximum: 1000 }, { message: "Expected a whole number from 1 to 1000" })
    )
  ),
  cursor: Schema.optionalKey(Schema.String)
}

/** The answer to every deletion. */
export const Deleted = Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) })
