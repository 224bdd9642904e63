/** Monitors over HTTP: each handler only translates. */
import { Catalogue } from "@kanmon/core/PluginHost"
import { summarize } from "@kanmon/domain/Certificate"
import type { InvalidFields } from "@kanmon/domain/FieldErrors"
import type { MonitorId } from "@kanmon/domain/Ids"
import type { Monitor } from "@kanmon/domain/Monitor"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { Api, basePath } from "@kanmon/protocol/Api"
import * as MonitorBody from "@kanmon/protocol/MonitorBody"
import { invalid, notFound, type Problem } from "@kanmon/protocol/Problem"
import { Domains } from "@kanmon/store/monitors/Domains"
import { Heartbeats } from "@kanmon/store/monitors/Heartbeats"
import { History } from "@kanmon/store/history/History"
import { type MonitorNotFound, Monitors } from "@kanmon/store/monitors/Monitors"
import type { PlanLimitReached } from "@kanmon/store/billing/Standing"
import type { KeyTaken } from "@kanmon/store/database/KeyTaken"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { PaymentGateway } from "../billing/PaymentGateway.ts"
import * as Access from "./Access.ts"
import { ApiSettings } from "./ApiSettings.ts"
import * as KeyConflict from "./KeyConflict.ts"
import * as Paging from "./Paging.ts"
import * as PlanLimit from "./PlanLimit.ts"
import { TargetWarnings } from "./TargetWarnings.ts"
import * as Window from "./Window.ts"

const mostPoints = 2000

export const layer = HttpApiBuilder.group(
  Api,
  "monitors",
  Effect.fnUntraced(function* (handlers) {
    const monitors = yield* Monitors
    const history = yield* History
    const domains = yield* Domains
    const settings = yield* ApiSettings
    const { checks } = yield* Catalogue
    const heartbeats = yield* Heartbeats
    const targets = yield* TargetWarnings
    const { configured: canPay } = yield* PaymentGateway
    const refusing = refusals(canPay)
    const apiUrl = `${settings.baseUrl}${basePath}`

    /** How to make records, with what has been found out about the monitors' certificates and domains. */
    const recorder = Effect.fnUntraced(function* (ids: ReadonlyArray<MonitorId>) {
      const now = yield* Clock.currentTimeMillis
      const certificates = yield* history.certificates(ids)
      const registrations = yield* domains.ofMonitors(ids)
      return (monitor: Monitor) => {
        const certificate = summarize(certificates.get(monitor.id), now)
        return MonitorBody.encode(monitor, { certificate, domain: registrations.get(monitor.id), now }, apiUrl)
      }
    })
    const record = (monitor: Monitor) => Effect.map(recorder([monitor.id]), (make) => make(monitor))

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.gen(function* () {
          const page = yield* monitors.list(yield* Access.project, { ...query, ...(yield* Paging.read(query)) })
          const make = yield* recorder(page.items.map(({ id }) => id))
          return yield* Paging.answer({ ...page, items: page.items.map(make) }, settings.baseUrl)
        }),
      create: ({ payload }) =>
        Effect.gen(function* () {
          const projectId = yield* Access.project
          const draft = yield* Effect.fromResult(MonitorBody.decode(checks, yield* settings.knownRegions, payload))
          const monitor = yield* monitors.create(projectId, draft)
          // Nothing can have been found out about it yet.
          const made = MonitorBody.encode(monitor, { certificate: undefined, domain: undefined, now: 0 }, apiUrl)
          return warned(made, yield* targets.of(monitor))
        }).pipe(refusing),
      get: ({ params }) =>
        Effect.gen(function* () {
          const projectId = yield* Access.project
          // Facts first: what a check found is then never shown without the status that came of it.
          const make = yield* recorder([params.monitorId])
          return make(yield* monitors.get(projectId, params.monitorId))
        }).pipe(refusing),
      update: ({ params, payload }) =>
        Effect.gen(function* () {
          const projectId = yield* Access.project
          const known = yield* settings.knownRegions
          const updated = yield* monitors.update(projectId, params.monitorId, (current) =>
            Effect.fromResult(MonitorBody.decodeChange(checks, known, current, payload))
          )
          return warned(yield* record(updated), yield* targets.of(updated))
        }).pipe(refusing),
      remove: ({ params }) =>
        Effect.flatMap(Access.project, (projectId) => monitors.remove(projectId, params.monitorId)).pipe(
          Effect.as({ id: params.monitorId, deleted: true as const }),
          refusing
        ),
      stats: ({ params }) =>
        Effect.flatMap(Access.project, (projectId) => history.stats(projectId, params.monitorId)).pipe(refusing),
      dailyUptime: ({ params, query }) =>
        Effect.gen(function* () {
          const { from, to } = yield* Window.read(query, 89 * dayMillis)
          return yield* history.dailyUptime(yield* Access.project, params.monitorId, from, to)
        }).pipe(refusing),
      responseTimes: ({ params, query }) =>
        Effect.gen(function* () {
          const { from, to } = yield* Window.read(query, dayMillis)
          return yield* history.responseTimes(yield* Access.project, params.monitorId, from, to, mostPoints)
        }).pipe(refusing),
      rotateToken: ({ params }) =>
        Effect.flatMap(Access.project, (projectId) => monitors.rotateToken(projectId, params.monitorId)).pipe(
          Effect.flatMap(record),
          refusing
        ),
      heartbeatMetrics: ({ params, query }) =>
        Effect.gen(function* () {
          const { from, to } = yield* Window.read(query, dayMillis)
          return yield* heartbeats.metrics(yield* Access.project, params.monitorId, from, to)
        }).pipe(refusing)
    })
  })
)

const warned = (
  record: MonitorBody.MonitorRecord,
  warnings: ReadonlyArray<MonitorBody.Warning>
): MonitorBody.MonitorRecord => (warnings.length === 0 ? record : { ...record, warnings })

/** What the store and the decoders refuse, in the words of the wire. */
const refusals =
  (canPay: boolean) =>
  <A, R>(
    effect: Effect.Effect<A, MonitorNotFound | KeyTaken | PlanLimitReached | InvalidFields | Problem, R>
  ): Effect.Effect<A, Problem, R> =>
    Effect.mapError(effect, (error) => {
      switch (error._tag) {
        case "MonitorNotFound":
          return notFound("monitor")
        case "KeyTaken":
          return KeyConflict.problem("monitor")
        case "PlanLimitReached":
          return PlanLimit.problem(error, canPay)
        case "InvalidFields":
          return invalid(error.errors)
        case "Problem":
          return error
      }
    })
