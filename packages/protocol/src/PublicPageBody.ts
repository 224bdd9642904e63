/** The public content of a status page, in responses. */
import { PublicPage } from "@kanmon/domain/PublicPage"
import { Schema } from "effect"

/** The public record of a page, with one part of its monitors. */
export const PublicStatusPage = Schema.Struct({
  ...PublicPage.fields,
  nextCursor: Schema.NullOr(Schema.String).annotate({
    description: "The cursor of the next monitors; null when these were the last"
  })
}).annotate({ identifier: "PublicStatusPage" })
