/** Acknowledging, snoozing and silencing over HTTP: each handler only translates. */
import { Alert } from "@kanmon/domain/Alert"
import type { Act, AlertConflict } from "@kanmon/domain/AlertHandling"
import type { AlertNotFound, MonitorNotFound, SilenceNotFound } from "@kanmon/domain/NotFound"
import { Silence } from "@kanmon/domain/Silence"
import * as AlertBody from "@kanmon/protocol/AlertBody"
import type { MonitorId } from "@kanmon/domain/Ids"
import { Api } from "@kanmon/protocol/Api"
import { Caller, CallerProject } from "@kanmon/protocol/Middleware"
import { notFound, Problem } from "@kanmon/protocol/Problem"
import { Clock, Effect, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import { asProblem } from "@kanmon/platform/http/AsProblem"
import * as Paging from "@kanmon/platform/http/Paging"
import { actorOf, responder } from "./AlertActors.ts"
import { AlertHandlings } from "./AlertHandlings.ts"
import { ExternalAlerts } from "./ExternalAlerts.ts"
import { Silences } from "./Silences.ts"

const encodeAlert = Schema.encodeSync(Alert)
const encodeSilence = Schema.encodeSync(Silence)

const actor = Effect.map(Caller, actorOf)

const acknowledged = (body: unknown) =>
  Effect.map(Effect.fromResult(AlertBody.acknowledgement(body)), ({ note }): Act => ({
    _tag: "Acknowledge",
    note: note === "" ? null : note
  }))

const snoozed = Effect.fnUntraced(function* (body: unknown) {
  const { until } = yield* Effect.fromResult(AlertBody.snooze(body, yield* Clock.currentTimeMillis))
  return { _tag: "Snooze", until } satisfies Act
})

const unacknowledged = Effect.succeed({ _tag: "Unacknowledge" } satisfies Act)

export const alerts = HttpApiBuilder.group(
  Api,
  "alerts",
  Effect.fnUntraced(function* (handlers) {
    const handlings = yield* AlertHandlings
    const external = yield* ExternalAlerts
    const settings = yield* ApiSettings

    const act = Effect.fnUntraced(function* <E>(
      id: Alert["id"] | Alert["entries"][number]["id"],
      act: Effect.Effect<Act, E>
    ) {
      return yield* handlings.act(yield* CallerProject, id, yield* act, yield* responder)
    })

    return handlers.handleAll({
      list: ({ query: { integrationId, monitorId, severity: severities = [], state: states = [], ...query } }) =>
        Effect.gen(function* () {
          const filter = { ...(yield* Paging.read(query)), states, severities, monitorId, integrationId }
          const page = yield* handlings.list(yield* CallerProject, filter)
          return yield* Paging.answer(page, encodeAlert, settings.baseUrl)
        }),
      get: ({ params }) =>
        Effect.flatMap(CallerProject, (projectId) => handlings.get(projectId, params.alertId)).pipe(refusing),
      acknowledge: ({ params, payload }) => act(params.alertId, acknowledged(payload)).pipe(refusing),
      unacknowledge: ({ params }) => act(params.alertId, unacknowledged).pipe(refusing),
      snooze: ({ params, payload }) => act(params.alertId, snoozed(payload)).pipe(refusing),
      resolve: ({ params }) =>
        Effect.gen(function* () {
          return yield* external.resolve(yield* CallerProject, params.alertId, yield* responder)
        }).pipe(refusing)
    })
  })
)

export const monitorAlerts = HttpApiBuilder.group(
  Api,
  "monitorAlerts",
  Effect.fnUntraced(function* (handlers) {
    const handlings = yield* AlertHandlings

    const act = Effect.fnUntraced(function* <E>(id: MonitorId, act: Effect.Effect<Act, E>) {
      return yield* handlings.actOnMonitor(yield* CallerProject, id, yield* act, yield* responder)
    })

    return handlers.handleAll({
      acknowledge: ({ params, payload }) => act(params.monitorId, acknowledged(payload)).pipe(refusing),
      unacknowledge: ({ params }) => act(params.monitorId, unacknowledged).pipe(refusing),
      snooze: ({ params, payload }) => act(params.monitorId, snoozed(payload)).pipe(refusing)
    })
  })
)

export const silences = HttpApiBuilder.group(
  Api,
  "silences",
  Effect.fnUntraced(function* (handlers) {
    const all = yield* Silences
    const settings = yield* ApiSettings

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.gen(function* () {
          const page = yield* all.list(yield* CallerProject, yield* Paging.read(query))
          return yield* Paging.answer(page, encodeSilence, settings.baseUrl)
        }),
      create: ({ payload }) =>
        Effect.gen(function* () {
          const draft = yield* Effect.fromResult(AlertBody.silence(payload, yield* Clock.currentTimeMillis))
          return yield* all.create(yield* CallerProject, draft, yield* actor)
        }).pipe(refusing),
      remove: ({ params }) =>
        Effect.flatMap(CallerProject, (projectId) => all.remove(projectId, params.silenceId)).pipe(
          Effect.as({ id: params.silenceId, deleted: true as const }),
          refusing
        )
    })
  })
)

const refusing = asProblem({
  AlertNotFound: (_: AlertNotFound) => notFound("alert"),
  AlertConflict: ({ detail }: AlertConflict) => new Problem({ code: "conflict", detail }),
  MonitorNotFound: (_: MonitorNotFound) => notFound("monitor"),
  SilenceNotFound: (_: SilenceNotFound) => notFound("silence")
})
