/** Alert rules and the alert history over HTTP: each handler only translates. */
import { dots } from "@kanmon/core/Masking"
import type { AlertNotFound, MonitorNotFound, RuleNotFound } from "@kanmon/domain/NotFound"
import { AlertHistoryEntry, AlertRule } from "@kanmon/domain/AlertRule"
import { permits } from "@kanmon/domain/Role"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { Api } from "@kanmon/protocol/Api"
import { CallerProject, CallerRole } from "@kanmon/protocol/Middleware"
import { notFound } from "@kanmon/protocol/Problem"
import type { DeliveryRecord } from "../delivery/index.ts"
import { AlertHistory } from "./AlertHistory.ts"
import { AlertRules } from "./AlertRules.ts"
import { RulePreviews } from "./RulePreviews.ts"
import * as RuleWrites from "./RuleWrites.ts"
import { Effect, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asProblem } from "@kanmon/platform/http/AsProblem"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import * as Paging from "@kanmon/platform/http/Paging"
import * as Window from "@kanmon/platform/http/Window"

const encodeRule = Schema.encodeSync(AlertRule)
const encodeEntry = Schema.encodeSync(AlertHistoryEntry)

export const rules = HttpApiBuilder.group(
  Api,
  "alertRules",
  Effect.fnUntraced(function* (handlers) {
    const alertRules = yield* AlertRules
    const previews = yield* RulePreviews
    const writes = yield* RuleWrites.make
    const settings = yield* ApiSettings

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.gen(function* () {
          const page = yield* alertRules.list(yield* CallerProject, {
            ...(yield* Paging.read(query)),
            key: query.key
          })
          return yield* Paging.answer(page, encodeRule, settings.baseUrl)
        }),
      create: ({ payload }) => Effect.flatMap(CallerProject, (projectId) => writes.create(projectId, payload)),
      preview: ({ query }) =>
        Effect.flatMap(CallerProject, (projectId) => previews.of(projectId, query.monitorId)).pipe(refusing),
      get: ({ params }) =>
        Effect.flatMap(CallerProject, (projectId) => alertRules.get(projectId, params.ruleId)).pipe(refusing),
      update: ({ params, payload }) =>
        Effect.flatMap(CallerProject, (projectId) => writes.update(projectId, params.ruleId, payload)),
      remove: ({ params }) =>
        Effect.flatMap(CallerProject, (projectId) => writes.remove(projectId, params.ruleId)).pipe(
          Effect.as({ id: params.ruleId, deleted: true as const })
        )
    })
  })
)

export const history = HttpApiBuilder.group(
  Api,
  "alertHistory",
  Effect.fnUntraced(function* (handlers) {
    const alertHistory = yield* AlertHistory
    const settings = yield* ApiSettings

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.gen(function* () {
          const { from, to } = yield* Window.read(query, 30 * dayMillis)
          const page = yield* alertHistory.list(yield* CallerProject, from, to, yield* Paging.read(query))
          return yield* Paging.answer(page, encodeEntry, settings.baseUrl)
        }),
      deliveries: ({ params }) =>
        Effect.gen(function* () {
          const deliveries = yield* alertHistory.deliveries(yield* CallerProject, params.alertId)
          return permits(yield* CallerRole, "secrets.read") ? deliveries : deliveries.map(withoutRecipients)
        }).pipe(refusing)
    })
  })
)

/** As callers see it who may not see where channels lead. */
const withoutRecipients = (delivery: DeliveryRecord): DeliveryRecord => ({
  ...delivery,
  attempts: delivery.attempts.map((one) => ({ ...one, recipient: one.recipient === null ? null : dots }))
})

const refusing = asProblem({
  MonitorNotFound: (_: MonitorNotFound) => notFound("monitor"),
  RuleNotFound: (_: RuleNotFound) => notFound("alert rule"),
  AlertNotFound: (_: AlertNotFound) => notFound("alert")
})
