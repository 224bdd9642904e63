/**
 * An observation: the result of one check of one monitor in one region, as it is published and stored. Its id,
 * `monitorId:region:slot`, does not depend on who reports it or how often: it is the event id on the bus and the primary
 * key in the store, which makes redelivery harmless.
 */
import { Schema } from "effect"
import { Capture } from "./Capture.ts"
import { Explanation } from "./Explanation.ts"
import { MonitorId, ProjectId } from "./Ids.ts"
import { Region } from "./Region.ts"
import { RegionStatus } from "./Status.ts"
import { type EpochMillis, Timestamp } from "./Timestamp.ts"

/** The stages of a check, in milliseconds. A stage that was not reached is absent. */
export const Timing = Schema.Struct({
  dns: Schema.optionalKey(Schema.Finite),
  connect: Schema.optionalKey(Schema.Finite),
  tls: Schema.optionalKey(Schema.Finite),
  firstByte: Schema.optionalKey(Schema.Finite),
  download: Schema.optionalKey(Schema.Finite)
}).annotate({ description: "The stages of the check, in milliseconds. A stage that was not reached is absent" })
export type Timing = typeof Timing.Type

/** Why a check did not pass: a stable code, an English sentence, and what other languages make sentences of. */
export const Failure = Schema.Struct({
  code: Schema.String,
  message: Schema.String,
  explanation: Schema.optionalKey(Explanation)
})
export type Failure = typeof Failure.Type

/** Additional findings of a check: `statusCode`, `certificate`, `addresses`, `records`… Plain JSON. */
export const Facts = Schema.Record(Schema.String, Schema.Json)
export type Facts = typeof Facts.Type

export const Observation = Schema.Struct({
  monitorId: MonitorId,
  projectId: ProjectId,
  region: Region,
  slot: Schema.Int.annotate({
    description: "Number of the schedule slot; for a check on demand, the slot it was made in"
  }),
  scheduledAt: Timestamp.annotate({
    description: "When the check was due. Identifies the observation together with monitor and region"
  }),
  checkedAt: Timestamp.annotate({ description: "When the check began" }),
  finishedAt: Schema.optionalKey(
    Timestamp.annotate({ description: "When the result arrived. Absent when it was not measured" })
  ),
  status: RegionStatus.annotate({
    description: "`unknown`: the check could not be made, so the target's status is unknown"
  }),
  responseTime: Schema.NullOr(Schema.Finite).annotate({
    description: "Milliseconds, or null when it was not measured. For http: connect to last byte"
  }),
  timing: Timing,
  failure: Schema.NullOr(Failure).annotate({ description: "Null when the status is up" }),
  facts: Facts.annotate({ description: "Additional findings of the check, such as statusCode or certificate" }),
  capture: Schema.optionalKey(
    Capture.annotate({
      description: "The target's response. Only for failed checks, and only if it differs from the previous failure"
    })
  )
})
export type Observation = typeof Observation.Type

const { checkedAt, facts, failure, responseTime, status, timing } = Observation.fields

/** The result of one check, without the monitor and region it belongs to. */
export const CheckOutcome = Schema.Struct({ status, responseTime, timing, failure, facts, checkedAt })
export type CheckOutcome = typeof CheckOutcome.Type

/** An observation further ahead of the clock than this, or than its interval, is rejected. */
export const aheadMillis = 60_000

/**
 * The instant that an observation is evidence for. A passing result proves that the target answered when the answer
 * arrived; any other result is evidence from when the request was sent.
 */
export const evidentAt = ({
  checkedAt,
  finishedAt,
  status
}: Pick<Observation, "checkedAt" | "finishedAt" | "status">): EpochMillis =>
  status === "up" || status === "degraded" ? Math.max(checkedAt, finishedAt ?? checkedAt) : checkedAt

/** The id of an observation. */
export const observationId = (
  observation: {
    readonly monitorId: string
    readonly region: string
    readonly slot: number
    readonly scheduledAt: EpochMillis
  },
  slotAt?: EpochMillis
): string =>
  slotAt === undefined || slotAt === observation.scheduledAt
    ? `${observation.monitorId}:${observation.region}:${observation.slot}`
    : `${observation.monitorId}:${observation.region}:${observation.slot}:${observation.scheduledAt}`
