/** Checks outside the schedule: of a saved monitor, and of one that is not saved yet. */
import { MonitorId } from "@kanmon/domain/Ids"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { CheckAnswer, TrialAnswer } from "./CheckBody.ts"
import * as MonitorBody from "./MonitorBody.ts"
import { Authorization, Idempotency, JsonBody, Limits, Problems, ProjectOnly } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import { Declared } from "./Serving.ts"
import * as CheckExamples from "./internal/CheckExamples.ts"
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
          description: [
            "Checks a monitor without saving it and returns the status it would have. Nothing is stored and no alert opens. 429 `rate_limited` when three tests of the project or six of the account are running. 503 `unavailable` when no probe can run the check.",
            "With `Accept: text/event-stream` each region's result is sent as it arrives, as server-sent events with one line of JSON as `data`: `start` names the `regions` that are asked, `region` is one entry of `regions` below, `end` has the other fields and is the last. `error` ends the stream early; its data is a problem. A region that cannot run the check says so in its event. A comment comes every 15 seconds; the stream ends after two and a half minutes at most. A test ends when its client disconnects."
          ].join("\n\n"),
          request: Examples.monitorRequest,
          response: CheckExamples.trial,
          events: CheckExamples.trialStream
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
          response: CheckExamples.check
        })
      )
  )
  // A check takes up to two minutes, finding a probe a little longer.
  .annotateEndpoints(Declared, { timeout: "140 seconds" })
  .middleware(ProjectOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/monitors")
  .annotateMerge(OpenApi.annotations({ title: "Checks", description: "Checks on demand, outside the schedule." })) {}
