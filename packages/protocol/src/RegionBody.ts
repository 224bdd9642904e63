/** Regions in responses. */
import { clockStatuses } from "@kanmon/domain/ClockOffset"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Schema } from "effect"

/** A region in a response. */
export const RegionRecord = Schema.Struct({
  region: Schema.String.annotate({ description: "Its name, as `regions` of monitors has it" }),
  alive: Schema.Boolean.annotate({ description: "Whether a probe of the region is alive now" })
}).annotate({ identifier: "Region" })

const silent = "null if the probe did not answer"

/** A probe that announces itself. */
export const ProbeState = Schema.Struct({
  id: Schema.String,
  answers: Schema.Boolean.annotate({
    description: "Whether it answered this request; one that just stopped is announced for a few seconds more"
  }),
  version: Schema.NullOr(Schema.String).annotate({ description: `Its version of Kanmon; ${silent}` }),
  startedAt: Schema.NullOr(Timestamp).annotate({ description: `When its process started; ${silent}` }),
  monitors: Schema.NullOr(Schema.Int).annotate({ description: `How many monitors it checks now; ${silent}` }),
  offline: Schema.NullOr(Schema.Boolean).annotate({
    description: `Whether it has no network connection, so that its failed checks count as unknown; ${silent} or does not say`
  }),
  clock: Schema.NullOr(
    Schema.Struct({
      offsetMillis: Schema.NullOr(Schema.Int).annotate({
        description: "Positive when its clock is behind the bus's; null until it was measured"
      }),
      status: Schema.Literals(clockStatuses).annotate({
        description: "`corrected`: more than 2 s off. `wrong`: more than 30 s off, its results count as unknown"
      })
    })
  ).annotate({ description: `Its clock; ${silent} or does not say` })
}).annotate({ identifier: "Probe" })

/** A region with its probes. */
export const RegionState = Schema.Struct({
  ...RegionRecord.fields,
  lastSeenAt: Schema.NullOr(Timestamp).annotate({
    description: "When a probe of the region was last known to be alive; null if it never had one"
  }),
  monitors: Schema.Int.annotate({ description: "How many monitors are checked from here; paused ones are not" }),
  onlyHere: Schema.Int.annotate({
    description: "How many of them no other region checks. They are not checked while the region has no live probe"
  }),
  probes: Schema.Array(ProbeState)
}).annotate({ identifier: "RegionState" })
