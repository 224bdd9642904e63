/** The escalation of alerts over HTTP: each handler only translates. */
import type { AlertConflict } from "@kanmon/domain/AlertHandling"
import type { AlertNotFound } from "@kanmon/domain/NotFound"
import { asProblem } from "@kanmon/platform/http/AsProblem"
import * as Payload from "@kanmon/platform/http/Payload"
import * as AlertEscalationBody from "@kanmon/protocol/AlertEscalationBody"
import { Api } from "@kanmon/protocol/Api"
import { CallerProject } from "@kanmon/protocol/Middleware"
import { notFound, Problem } from "@kanmon/protocol/Problem"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { responder } from "../alerts/index.ts"
import { AlertCalls } from "./AlertCalls.ts"
import { Timelines } from "./Timelines.ts"

const stepIn = Payload.read(AlertEscalationBody.escalate)
const askedIn = Payload.read(AlertEscalationBody.page)

export const layer = HttpApiBuilder.group(
  Api,
  "alertEscalations",
  Effect.fnUntraced(function* (handlers) {
    const calls = yield* AlertCalls
    const timelines = yield* Timelines

    return handlers.handleAll({
      timeline: ({ params }) =>
        Effect.flatMap(CallerProject, (projectId) => timelines.of(projectId, params.alertId)).pipe(refusing),
      escalate: ({ params, payload }) =>
        Effect.gen(function* () {
          const { step } = yield* stepIn(payload)
          return yield* calls.escalate(yield* CallerProject, params.alertId, step, yield* responder)
        }).pipe(refusing),
      page: ({ params, payload }) =>
        Effect.gen(function* () {
          const asked = yield* askedIn(payload)
          return yield* calls.page(yield* CallerProject, params.alertId, asked, yield* responder)
        }).pipe(refusing)
    })
  })
)

const refusing = asProblem({
  AlertNotFound: (_: AlertNotFound) => notFound("alert"),
  AlertConflict: ({ detail }: AlertConflict) => new Problem({ code: "conflict", detail })
})
