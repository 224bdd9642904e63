/** The result of an import from another product: requests in the order in which they can be sent. */
import { Schema } from "effect"

/** The largest file that can be sent. Databases of Uptime Kuma hold their history, which is read over. */
export const maxImportBytes = 256 * 1024 * 1024

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const ImportStep = Schema.Struct({
  ref: Schema.String.annotate({
    description: "Stands in the bodies of later steps for the id that the record gets when it is created"
  }),
  kind: Schema.Literals(["channel", "monitor", "maintenance", "rule", "page"]),
  name: Schema.String.annotate({ description: "Name of the record" }),
  path: Schema.String.annotate({ description: "Where `body` is sent to, with POST: `/monitors`" }),
  body: Schema.JsonObject.annotate({
    description: "The request that creates the record, secrets of the file included"
  })
}).annotate({ identifier: "ImportStep" })

const ImportNote = Schema.Struct({
  about: Schema.String.annotate({ description: "The record in the file: `Monitor Shop`" }),
  leftOut: Schema.Boolean.annotate({ description: "Whether nothing is created for it" }),
  review: Schema.Boolean.annotate({
    description:
      "Whether what is created watches or tells less than before, or waits for somebody, so that it has to be looked at"
  }),
  notes: Schema.Array(Schema.String)
}).annotate({ identifier: "ImportNote" })

export const ImportPlan = Schema.Struct({
  counts: Schema.Struct({ monitors: Count, channels: Count, rules: Count, pages: Count, maintenance: Count }).annotate({
    description: "How many records the steps create"
  }),
  steps: Schema.Array(ImportStep),
  notes: Schema.Array(ImportNote).annotate({
    description: "Settings without a counterpart, and settings that will behave differently"
  })
}).annotate({ identifier: "ImportPlan" })
export type ImportPlan = typeof ImportPlan.Type
