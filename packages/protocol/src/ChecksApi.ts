/** Checks beside any schedule: of a monitor, now, and of one that is not saved yet. */
import { Trigger } from "@kanmon/domain/AlertRule"
import { CertificateSummary } from "@kanmon/domain/Certificate"
import { MonitorId } from "@kanmon/domain/Ids"
import { Failure, Outcome } from "@kanmon/domain/Observation"
import { RegionStatus } from "@kanmon/domain/Status"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import { Gate } from "./Gate.ts"
import type * as MonitorBody from "./MonitorBody.ts"
import { Problem } from "./Problem.ts"

/** What one region found. */
export const RegionCheck = Schema.Struct({
  region: Schema.String,
  probeId: Schema.NullOr(Schema.String).annotate({ description: "Who was asked; null when there was nobody to ask" }),
  ...Outcome.fields,
  checkedAt: Schema.NullOr(Outcome.fields.checkedAt).annotate({
    description: "When the check began; null when nobody could be asked, and then failure says why"
  })
}).annotate({ identifier: "RegionCheck" })

const regions = Schema.Array(RegionCheck).annotate({ description: "One row for each region that was asked" })

export const CheckAnswer = Schema.Struct({ monitorId: MonitorId, regions }).annotate({ identifier: "CheckAnswer" })

export const TrialAnswer = Schema.Struct({
  status: RegionStatus.annotate({
    description: "How a monitor would stand after these results; unknown when no region could look"
  }),
  failure: Schema.NullOr(Failure).annotate({ description: "Why it would stand so; null when it is up" }),
  triggers: Schema.Array(Trigger).annotate({ description: "The triggers of alert rules that would hold" }),
  certificate: Schema.NullOr(CertificateSummary).annotate({ description: "The certificate that was shown, if any" }),
  regions
}).annotate({ identifier: "TrialAnswer" })

export class ChecksApi extends HttpApiGroup.make("checks")
  .add(
    HttpApiEndpoint.post("test", "/test", {
      payload: Body.sent<MonitorBody.MonitorRequest>(),
      success: TrialAnswer,
      error: Problem
    }).annotate(OpenApi.Summary, "Checks a monitor that is not saved, and tells how it would stand; nothing is kept"),
    HttpApiEndpoint.post("now", "/:monitorId/check", {
      params: { monitorId: MonitorId },
      success: CheckAnswer,
      error: Problem
    }).annotate(OpenApi.Summary, "Checks a monitor now, in each of its regions; the results count like any other")
  )
  .middleware(Gate)
  .prefix("/monitors")
  .annotateMerge(OpenApi.annotations({ title: "Checks" })) {}
