/** Checks beside any schedule: of a monitor, now, and of one that is not saved yet. */
import { MonitorId } from "@kanmon/domain/Ids"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { CheckAnswer, TrialAnswer } from "./CheckBody.ts"
import * as MonitorBody from "./MonitorBody.ts"
import { Authorization, Idempotency, JsonBody, Limits, Problems, ProjectOnly } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import * as Examples from "./internal/Examples.ts"
import { operation } from "./internal/Operation.ts"

export class ChecksApi extends HttpApiGroup.make("checks")
  .add(
    HttpApiEndpoint.post("test", "/test", {
      payload: MonitorBody.MonitorRequest,
      success: TrialAnswer,
      error: refuses("payload_too_large", "validation_failed", "rate_limited", "unavailable")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "testMonitor",
          access: "checks.run",
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
      error: refuses("not_found", "conflict", "payload_too_large", "unavailable")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "checkMonitorNow",
          access: "checks.run",
          summary: "Check a monitor now",
          description:
            "Checks the monitor in each of its regions at once and answers when all are done, which takes up to the monitor's timeout and a few seconds. The results count like scheduled ones and may open or close alerts. 409 `conflict` when the monitor is paused or waits for signals; 503 `unavailable` when no probe can run the check.",
          response: Examples.check
        })
      )
  )
  .middleware(ProjectOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/monitors")
  .annotateMerge(OpenApi.annotations({ title: "Checks", description: "Checks on demand, outside the schedule." })) {}
