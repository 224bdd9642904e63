/** Region labels, `<area>-<direction>`: `eu-west`, `us-east`, `ap-south`. */
import { Schema } from "effect"
import { patternText } from "./BoundedText.ts"

export const Region = patternText(33, /^[a-z]{2,16}-[a-z]{2,16}$/, "Expected a region label such as eu-west")
export type Region = typeof Region.Type

/** Takes the place of a region in observations of heartbeats. */
export const inbox = "heartbeat-inbox"

/** A region that probes can run in. */
export const ProbeRegion = Region.check(
  Schema.makeFilter((label) =>
    label === inbox ? `${inbox} is reserved for heartbeats; choose another label` : undefined
  )
)
