/** Endpoints that check a monitor now, or test settings before they are saved. */
import { upTo } from "@kanmon/domain/BoundedText"
import type { MonitorNotFound } from "@kanmon/domain/NotFound"
import { Api } from "@kanmon/protocol/Api"
import { Caller, CallerProject } from "@kanmon/protocol/Middleware"
import { notFound } from "@kanmon/protocol/Problem"
import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { MonitorVetting } from "../monitors/index.ts"
import { asProblem } from "@kanmon/platform/http/AsProblem"
import { CallerOwners } from "@kanmon/platform/http/CallerOwners"
import { Checks } from "./Checks.ts"
import * as TrialStream from "./TrialStream.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "checks",
  Effect.fnUntraced(function* (handlers) {
    const checks = yield* Checks
    const vetting = yield* MonitorVetting.make
    const accounts = yield* CallerOwners

    return handlers.handleAll({
      now: ({ params: { monitorId } }) =>
        Effect.flatMap(CallerProject, (projectId) => checks.now(projectId, monitorId)).pipe(
          Effect.map(({ regions }) => ({ monitorId, regions })),
          refusing
        ),
      test: ({ payload }) =>
        Effect.gen(function* () {
          const projectId = yield* CallerProject
          const draft = yield* vetting.trial(projectId, payload)
          const account = yield* accounts.of(yield* Caller)
          const { headers } = yield* HttpServerRequest.HttpServerRequest
          return wantsEvents(headers["accept"])
            ? yield* TrialStream.response(yield* checks.stream(projectId, account, draft))
            : yield* checks.test(projectId, account, draft)
        }).pipe(refusing)
    })
  })
).pipe(Layer.provide(Checks.layer))

const wantsEvents = (accept = ""): boolean => /\btext\/event-stream\b/i.test(upTo(accept, 1024))

const refusing = asProblem({
  MonitorNotFound: (_: MonitorNotFound) => notFound("monitor"),
  ...TrialStream.notAsked
})
