/**
 * An observation: the result of one check of one monitor in one region, as it travels on the bus and is stored.
 * Its id, `monitorId:region:slot`, is the same wherever and however often it is reported: it is the event's id on
 * the bus and the primary key in the store, which makes redelivery harmless.
 */
import { Schema } from "effect"
import { MonitorId, ProjectId } from "./Ids.ts"
import { Region } from "./Region.ts"
import { RegionStatus } from "./Status.ts"
import { type EpochMillis, Timestamp } from "./Timestamp.ts"

/** Where the time of a check went, in milliseconds. A stage that was not reached is absent. */
export const Timing = Schema.Struct({
  dns: Schema.optionalKey(Schema.Finite),
  connect: Schema.optionalKey(Schema.Finite),
  tls: Schema.optionalKey(Schema.Finite),
  firstByte: Schema.optionalKey(Schema.Finite),
  download: Schema.optionalKey(Schema.Finite)
}).annotate({ description: "Where the time went, in milliseconds. A stage that was not reached is absent" })
export type Timing = typeof Timing.Type

/** Why a check did not pass: a stable code for machines and a sentence for people. */
export const Failure = Schema.Struct({ code: Schema.String, message: Schema.String })
export type Failure = typeof Failure.Type

/** What a check learned besides its verdict: `statusCode`, `certificate`, `addresses`, `records`… Plain JSON. */
export const Facts = Schema.Record(Schema.String, Schema.Json)
export type Facts = typeof Facts.Type

export const Observation = Schema.Struct({
  monitorId: MonitorId,
  projectId: ProjectId,
  region: Region,
  slot: Schema.Int.annotate({
    description: "Number of the schedule slot; for a check asked for by hand, the slot it fell into"
  }),
  scheduledAt: Timestamp.annotate({
    description: "When the check was due. With monitor and region it identifies the observation"
  }),
  checkedAt: Timestamp.annotate({ description: "When the check really began" }),
  finishedAt: Schema.optionalKey(
    Timestamp.annotate({ description: "When its result was there. Absent from those that do not measure it" })
  ),
  status: RegionStatus.annotate({
    description: "`unknown`: the check could not be made, so it says nothing about the target"
  }),
  responseTime: Schema.NullOr(Schema.Finite).annotate({
    description: "Milliseconds, or null when nothing was measured. For http: connect to last byte"
  }),
  timing: Timing,
  failure: Schema.NullOr(Failure).annotate({ description: "Present unless the status is up" }),
  facts: Facts.annotate({ description: "Further findings of the check, such as statusCode or certificate" })
})
export type Observation = typeof Observation.Type

const { checkedAt, facts, failure, responseTime, status, timing } = Observation.fields

/** What one check found, whosever it was. */
export const Outcome = Schema.Struct({ status, responseTime, timing, failure, facts, checkedAt })
export type Outcome = typeof Outcome.Type

/** Clocks are checked: an observation that is dated further ahead than this, or than its interval, is a mistake or a lie. */
export const aheadMillis = 60_000

/**
 * The instant that an observation is evidence for: a passing result proves that the target answered when the answer came, any
 * other result says something of the target from when it was asked.
 */
export const evidentAt = ({
  checkedAt,
  finishedAt,
  status
}: Pick<Observation, "checkedAt" | "finishedAt" | "status">): EpochMillis =>
  status === "up" || status === "degraded" ? Math.max(checkedAt, finishedAt ?? checkedAt) : checkedAt

/** The identity of a check. */
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
