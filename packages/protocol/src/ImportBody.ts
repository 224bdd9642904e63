/** The result of an import from another product: requests in the order in which they can be sent. */
import { Schema } from "effect"

/** The largest file that can be sent. Databases of Uptime Kuma hold their history, which is read over. */
export const maxImportBytes = 256 * 1024 * 1024

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** The kinds of records that an import creates. */
export const importKinds = ["channel", "monitor", "maintenance", "rule", "page"] as const

const stepFields = {
  ref: Schema.String.annotate({
    description: "Stands in the bodies of later steps for the id that the record gets when it is created"
  }),
  kind: Schema.Literals(importKinds),
  name: Schema.String.annotate({ description: "Name of the record" }),
  path: Schema.String.annotate({ description: "Where `body` is sent to, with POST: `/monitors`" }),
  body: Schema.JsonObject.annotate({
    description: "The request that creates the record, secrets of the file included"
  })
}

const ImportStep = Schema.Struct({
  ...stepFields,
  exists: Schema.Boolean.annotate({
    description:
      "Whether the project has a record with the key of the body already, which refuses the step as `conflict`"
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

const planFields = {
  counts: Schema.Struct({ monitors: Count, channels: Count, rules: Count, pages: Count, maintenance: Count }).annotate({
    description: "How many records the steps create"
  }),
  notes: Schema.Array(ImportNote).annotate({
    description: "Settings without a counterpart, and settings that will behave differently"
  })
}

/** What a file holds, without regard to the project. */
export interface ImportedFile extends Schema.Struct.Type<typeof planFields> {
  readonly steps: ReadonlyArray<Schema.Struct.Type<typeof stepFields>>
}

export const ImportPlan = Schema.Struct({
  ...planFields,
  steps: Schema.Array(ImportStep),
  shortestInterval: Count.annotate({
    description:
      "Seconds: the shortest `interval` and `retryInterval` of a monitor that the plan of the organization allows; shorter ones are refused with `plan_limit_reached`"
  })
}).annotate({ identifier: "ImportPlan" })
export type ImportPlan = typeof ImportPlan.Type
