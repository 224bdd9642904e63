/** Alert rules and the alert history over HTTP: each handler only translates. */
import { AlertHistoryEntry, AlertRule } from "@kanmon/domain/AlertRule"
import type { FieldError, InvalidFields } from "@kanmon/domain/FieldErrors"
import type { ProjectId } from "@kanmon/domain/Ids"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { Api } from "@kanmon/protocol/Api"
import { invalid, notFound, type Problem } from "@kanmon/protocol/Problem"
import * as RuleBody from "@kanmon/protocol/RuleBody"
import { AlertHistory, type AlertNotFound } from "@kanmon/store/alerts/AlertHistory"
import { AlertRules, type RuleNotFound } from "@kanmon/store/alerts/AlertRules"
import type { KeyTaken } from "@kanmon/store/database/KeyTaken"
import { Channels } from "@kanmon/store/alerts/Channels"
import { Effect, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Access from "./Access.ts"
import { ApiSettings } from "./ApiSettings.ts"
import * as KeyConflict from "./KeyConflict.ts"
import * as Paging from "./Paging.ts"
import * as Quotas from "./Quotas.ts"
import * as Window from "./Window.ts"

const encodeRule = Schema.encodeSync(AlertRule)
const encodeEntry = Schema.encodeSync(AlertHistoryEntry)

export const rules = HttpApiBuilder.group(
  Api,
  "alertRules",
  Effect.fnUntraced(function* (handlers) {
    const alertRules = yield* AlertRules
    const channels = yield* Channels
    const settings = yield* ApiSettings
    const within = yield* Quotas.make

    /** Monitors and channels have to be the project's own. A rule may go on naming what has been deleted since. */
    const decode = Effect.fnUntraced(function* (projectId: ProjectId, body: unknown, current?: AlertRule) {
      const draft = yield* Effect.fromResult(RuleBody.decode(body))
      const monitors = yield* alertRules.unknownMonitors(projectId, draft.monitorIds)
      const unknownChannels = yield* channels.unknown(projectId, draft.channelIds)
      const rows = (
        path: string,
        ids: ReadonlyArray<string>,
        strange: ReadonlySet<string>,
        kept: ReadonlyArray<string>
      ) =>
        ids.flatMap((id, index): ReadonlyArray<FieldError> =>
          strange.has(id) && !kept.includes(id)
            ? [{ path: `${path}[${index}]`, message: `This project has no ${id}` }]
            : []
        )
      const errors = [
        ...rows("monitorIds", draft.monitorIds, monitors, current?.monitorIds ?? []),
        ...rows("channelIds", draft.channelIds, unknownChannels, current?.channelIds ?? [])
      ]
      return errors.length === 0 ? draft : yield* invalid(errors)
    })

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.gen(function* () {
          const page = yield* alertRules.list(yield* Access.project, {
            ...(yield* Paging.read(query)),
            key: query.key
          })
          return yield* Paging.answer({ ...page, items: page.items.map((item) => encodeRule(item)) }, settings.baseUrl)
        }),
      create: ({ payload }) =>
        Effect.gen(function* () {
          const projectId = yield* Access.project
          const draft = yield* decode(projectId, payload)
          return yield* within({ projectId }, "alertRules", alertRules.create(projectId, draft))
        }).pipe(refusing),
      get: ({ params }) =>
        Effect.flatMap(Access.project, (projectId) => alertRules.get(projectId, params.ruleId)).pipe(refusing),
      update: ({ params, payload }) =>
        Effect.flatMap(Access.project, (projectId) =>
          alertRules.update(projectId, params.ruleId, (current) =>
            decode(projectId, RuleBody.merge(current, payload), current)
          )
        ).pipe(refusing),
      remove: ({ params }) =>
        Effect.flatMap(Access.project, (projectId) => alertRules.remove(projectId, params.ruleId)).pipe(
          Effect.as({ id: params.ruleId, deleted: true as const }),
          refusing
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
          const page = yield* alertHistory.list(yield* Access.project, from, to, yield* Paging.read(query))
          return yield* Paging.answer({ ...page, items: page.items.map((item) => encodeEntry(item)) }, settings.baseUrl)
        }),
      deliveries: ({ params }) =>
        Effect.flatMap(Access.project, (projectId) => alertHistory.deliveries(projectId, params.alertId)).pipe(
          Effect.map((found) =>
            found.map((delivery) => ({
              ...delivery,
              attempts: delivery.attempts.map((attempt) => ({ ...attempt, at: Date.parse(attempt.at) }))
            }))
          ),
          refusing
        )
    })
  })
)

const refusing = <A, R>(
  effect: Effect.Effect<A, RuleNotFound | KeyTaken | AlertNotFound | InvalidFields | Problem, R>
): Effect.Effect<A, Problem, R> =>
  Effect.mapError(effect, (error) => {
    switch (error._tag) {
      case "RuleNotFound":
        return notFound("alert rule")
      case "KeyTaken":
        return KeyConflict.problem("alert rule")
      case "AlertNotFound":
        return notFound("alert")
      case "InvalidFields":
        return invalid(error.errors)
      case "Problem":
        return error
    }
  })
