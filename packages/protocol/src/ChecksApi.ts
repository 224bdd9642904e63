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
import * as Examples from "./internal/Examples.ts"
import { operation } from "./internal/Operation.ts"

/** What one region found. */
export const RegionCheck = Schema.Struct({
  region: Schema.String,
  probeId: Schema.NullOr(Schema.String).annotate({ description: "The probe that was asked; null when there was none" }),
  ...Outcome.fields,
  checkedAt: Schema.NullOr(Outcome.fields.checkedAt).annotate({
    description: "When the check began; null when no probe could be asked, and `failure` says why"
  })
}).annotate({ identifier: "RegionCheck" })

const regions = Schema.Array(RegionCheck).annotate({ description: "One entry for each region that was asked" })

export const CheckAnswer = Schema.Struct({ monitorId: MonitorId, regions }).annotate({ identifier: "CheckAnswer" })

export const TrialAnswer = Schema.Struct({
  status: RegionStatus.annotate({
    description: "Status of a monitor with these results; `unknown` when no region could make the check"
  }),
  failure: Schema.NullOr(Failure).annotate({ description: "Reason for the status; null when it is up" }),
  triggers: Schema.Array(Trigger).annotate({ description: "Triggers of alert rules that would be met" }),
  certificate: Schema.NullOr(CertificateSummary).annotate({ description: "The certificate of the target, if any" }),
  regions
}).annotate({ identifier: "TrialAnswer" })

export class ChecksApi extends HttpApiGroup.make("checks")
  .add(
    HttpApiEndpoint.post("test", "/test", {
      payload: Body.sent<MonitorBody.MonitorRequest>(),
      success: TrialAnswer,
      error: Problem
    }).annotateMerge(
      operation({
        id: "testMonitor",
        summary: "Test a monitor",
        description:
          "Checks a monitor without saving it and returns the status it would have. Nothing is stored and no alert opens. 429 `rate_limited` when three tests of the project or six of the account are running. 503 `unavailable` when no probe can run the check.",
        request: Examples.monitorRequest,
        response: Examples.trial
      })
    ),
    HttpApiEndpoint.post("now", "/:monitorId/check", {
      params: { monitorId: MonitorId },
      success: CheckAnswer,
      error: Problem
    }).annotateMerge(
      operation({
        id: "checkMonitorNow",
        summary: "Check a monitor now",
        description:
          "Checks the monitor in each of its regions at once and answers when all are done, which takes up to the monitor's timeout and a few seconds. The results count like scheduled ones and may open or close alerts. 409 `conflict` when the monitor is paused or waits for signals; 503 `unavailable` when no probe can run the check.",
        response: Examples.check
      })
    )
  )
  .middleware(Gate)
  .prefix("/monitors")
  .annotateMerge(OpenApi.annotations({ title: "Checks", description: "Checks on demand, outside the schedule." })) {}
