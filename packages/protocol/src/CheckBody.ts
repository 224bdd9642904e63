/** What checks on demand answer. */
import { Trigger } from "@kanmon/domain/AlertRule"
import { CertificateSummary } from "@kanmon/domain/Certificate"
import { MonitorId } from "@kanmon/domain/Ids"
import { Failure, CheckOutcome } from "@kanmon/domain/Observation"
import { RegionStatus } from "@kanmon/domain/Status"
import { Schema } from "effect"

/** What one region found. */
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

/** The results of a monitor that is not saved. */
export const TrialAnswer = Schema.Struct({
  status: RegionStatus.annotate({
    description: "Status of a monitor with these results; `unknown` when no region could make the check"
  }),
  failure: Schema.NullOr(Failure).annotate({ description: "Reason for the status; null when it is up" }),
  triggers: Schema.Array(Trigger).annotate({ description: "Triggers of alert rules that would be met" }),
  certificate: Schema.NullOr(CertificateSummary).annotate({ description: "The certificate of the target, if any" }),
  regions
}).annotate({ identifier: "TrialAnswer" })
