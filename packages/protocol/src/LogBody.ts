/** The past of a monitor in detail, in responses. */
import { Capture } from "@kanmon/domain/Capture"
import { Failure, Timing } from "@kanmon/domain/Observation"
import { RegionStatus, TimelineStatus } from "@kanmon/domain/Status"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Schema } from "effect"

const CheckId = Schema.String.annotate({
  description: "`monitorId:region:slot`, and the due time after it for a check outside of the schedule"
})

const checkFields = {
  id: CheckId,
  region: Schema.String,
  scheduledAt: Timestamp.annotate({ description: "When the check was due" }),
  checkedAt: Timestamp.annotate({ description: "When the check began" }),
  status: RegionStatus,
  responseTime: Schema.NullOr(Schema.Finite).annotate({ description: "Milliseconds; null when it was not measured" }),
  timing: Timing,
  statusCode: Schema.NullOr(Schema.Finite).annotate({ description: "HTTP status of the answer, if any" }),
  failure: Schema.NullOr(Failure).annotate({ description: "Null when the check passed" }),
  captureId: Schema.NullOr(Schema.String).annotate({
    description: "Set if what the target answered to this check is kept"
  })
}

/** One result of a monitor in one region. */
export const CheckRecord = Schema.Struct(checkFields).annotate({ identifier: "CheckRecord" })

/** The result of another region that counted at the time of a check. */
const Vote = Schema.Struct({
  region: Schema.String,
  checkId: CheckId,
  checkedAt: Timestamp,
  status: RegionStatus,
  responseTime: checkFields.responseTime,
  failure: checkFields.failure
})

const CaptureRecord = Schema.Struct({
  id: Schema.String,
  checkId: CheckId.annotate({
    description: "The check that got this answer: this one, or an earlier one that failed alike"
  }),
  capturedAt: Timestamp,
  ...Capture.fields,
  certificate: Schema.Json.annotate({ description: "The certificate of the target; null if it showed none" })
})

/** One result with what other regions said and what the target answered. */
export const CheckDetail = Schema.Struct({
  ...checkFields,
  votes: Schema.Array(Vote).annotate({
    description: "The newest result of each other region at that time, unless it was older than two intervals"
  }),
  capture: Schema.NullOr(CaptureRecord).annotate({
    description:
      "The target's response, if the check failed and the response was kept. The target controls this text: do not interpret it as HTML"
  })
}).annotate({ identifier: "CheckDetail" })

/** A time in which a monitor was down or degraded. */
export const OutageRecord = Schema.Struct({
  startedAt: Timestamp.annotate({ description: "The first failing check" }),
  endedAt: Schema.NullOr(Timestamp).annotate({ description: "The first passing check; null while the outage lasts" }),
  durationSeconds: Schema.Finite.annotate({ description: "Until now while the outage lasts" }),
  status: Schema.Literals(["down", "degraded"]),
  reason: Schema.NullOr(Failure).annotate({ description: "Why it began" }),
  regions: Schema.Array(Schema.String).annotate({
    description: "Regions that failed at its beginning; empty when their results are no longer kept"
  }),
  alertIds: Schema.Array(Schema.String).annotate({ description: "Alerts that were open during it" }),
  incidentIds: Schema.Array(Schema.String).annotate({ description: "Incidents of the monitor during it" }),
  acknowledgedBy: Schema.NullOr(Schema.String).annotate({
    description:
      "The first acknowledgement of its alerts, as a name: `Ada`, `the API key Deploys`, `the link sent to On call`; null if there is none"
  })
}).annotate({ identifier: "Outage" })

const Interval = Schema.Struct({
  from: Timestamp,
  to: Timestamp.annotate({ description: "Exclusive: the beginning of the next interval" }),
  status: TimelineStatus,
  counted: Schema.Literals(["up", "down", "excluded"]).annotate({ description: "How the interval counts" })
})

/** The parts of a window's uptime. */
export const UptimeReport = Schema.Struct({
  from: Timestamp,
  to: Timestamp.annotate({ description: "Exclusive; now, if the window ends in the future" }),
  uptime: Schema.NullOr(Schema.Finite).annotate({
    description: "Percent: upSeconds ÷ (upSeconds + downSeconds); null when neither is known"
  }),
  upSeconds: Schema.Finite,
  downSeconds: Schema.Finite,
  excludedSeconds: Schema.Finite.annotate({
    description: "Time that does not count: paused, pending, maintenance and unknown"
  }),
  intervals: Schema.Array(Interval).annotate({ description: "Oldest first, without a gap from `from` to `to`" })
}).annotate({ identifier: "UptimeReport" })

const Quantiles = Schema.Struct({
  checks: Schema.Int.annotate({ description: "Checks that measured it" }),
  p50: Schema.Finite.annotate({ description: "Milliseconds" }),
  p95: Schema.Finite.annotate({ description: "Milliseconds" })
})
const quantiles = (description: string) => Schema.NullOr(Quantiles).annotate({ description })

const phases = {
  responseTime: quantiles("The whole check"),
  dns: quantiles("Name resolution"),
  connect: quantiles("TCP connection"),
  tls: quantiles("TLS handshake"),
  firstByte: quantiles("From the request to the first byte of the answer"),
  download: quantiles("From the first byte to the last")
}

/** Response times of a window and their phases. */
export const PhasesReport = Schema.Struct({
  from: Timestamp,
  to: Timestamp.annotate({ description: "Exclusive" }),
  resolution: Schema.Literals(["hour", "day"]).annotate({ description: "How long each point is" }),
  overall: Schema.Struct(phases).annotate({ description: "Over the whole window" }),
  points: Schema.Array(Schema.Struct({ timestamp: Timestamp, ...phases })).annotate({
    description: "Oldest first; periods without checks are left out"
  })
}).annotate({ identifier: "PhasesReport" })
