/** Regions in responses. */
import { Schema } from "effect"

/** A region in a response. */
export const RegionRecord = Schema.Struct({
  region: Schema.String.annotate({ description: "Its name, as `regions` of monitors has it" }),
  alive: Schema.Boolean.annotate({ description: "Whether a probe of the region is alive now" })
}).annotate({ identifier: "Region" })
