/** Responses of checks on demand. */
import { Trigger } from "@kanmon/domain/AlertRule"
import { CertificateSummary } from "@kanmon/domain/Certificate"
import { MonitorId } from "@kanmon/domain/Ids"
import { Capture } from "@kanmon/domain/Capture"
import { Failure, CheckOutcome } from "@kanmon/domain/Observation"
import { RegionStatus } from "@kanmon/domain/Status"
import { Schema } from "effect"
import { ProblemDetails } from "./Problem.ts"

/** The result of one region. */
export const RegionCheck = Schema.Struct({
  region: Schema.String,
  probeId: Schema.NullOr(Schema.String).annotate({ description: "The probe that was asked; null when there was none" }),
  ...CheckOutcome.fields,
  checkedAt: Schema.NullOr(CheckOutcome.fields.checkedAt).annotate({
    description: "When the check began; null when no probe could be asked, and `failure` says why"
  })
}).annotate({ identifier: "RegionCheck" })

const regions = Schema.Array(RegionCheck).annotate({ description: "One entry for each region that was asked" })

/** The results of a check that was asked for. */
export const CheckAnswer = Schema.Struct({ monitorId: MonitorId, regions }).annotate({ identifier: "CheckAnswer" })

/** The result of one region for a monitor that is not saved. */
export const RegionTrial = Schema.Struct({
  ...RegionCheck.fields,
  capture: Schema.optionalKey(Capture.annotate({ description: "The target's response. Only for failed http checks" }))
}).annotate({ identifier: "RegionTrial" })

/** The status that a monitor with these results would have. */
const preview = {
  status: RegionStatus.annotate({
    description: "Status of a monitor with these results; `unknown` when no region could make the check"
  }),
  failure: Schema.NullOr(Failure).annotate({ description: "Reason for the status; null when it is up" }),
  triggers: Schema.Array(Trigger).annotate({ description: "Triggers of alert rules that would be met" }),
  certificate: Schema.NullOr(CertificateSummary).annotate({ description: "The certificate of the target, if any" })
}

/** The results of a monitor that is not saved. */
export const TrialAnswer = Schema.Struct({
  ...preview,
  regions: Schema.Array(RegionTrial).annotate({ description: "One entry for each region that was asked" })
}).annotate({ identifier: "TrialAnswer" })

/** The data of the events of a test that is streamed, by their types. `error` ends the stream before `end`. */
export const trialEvents = {
  start: Schema.Struct({ regions: Schema.Array(Schema.String) }),
  region: RegionTrial,
  end: Schema.Struct(preview),
  error: ProblemDetails
}
