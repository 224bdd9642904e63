/** Logs over HTTP: each handler only translates. */
import type { MonitorNotFound } from "@kanmon/domain/NotFound"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { Api } from "@kanmon/protocol/Api"
import { CheckRecord, OutageRecord } from "@kanmon/protocol/LogBody"
import { CallerProject } from "@kanmon/protocol/Middleware"
import { notFound } from "@kanmon/protocol/Problem"
import { Effect, Layer, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import { asProblem } from "@kanmon/platform/http/AsProblem"
import * as Paging from "@kanmon/platform/http/Paging"
import * as Window from "@kanmon/platform/http/Window"
import { CheckLog } from "./CheckLog.ts"
import * as Cursors from "./Cursors.ts"
import { MonitorPast } from "./MonitorPast.ts"
import { ResponsePhases } from "./ResponsePhases.ts"

const defaultMillis = 30 * dayMillis
const defaultLimit = 1000

export const layer = HttpApiBuilder.group(
  Api,
  "logs",
  Effect.fnUntraced(function* (handlers) {
    const log = yield* CheckLog
    const past = yield* MonitorPast
    const timings = yield* ResponsePhases
    const { baseUrl } = yield* ApiSettings

    return handlers.handleAll({
      checks: ({ params, query }) =>
        Effect.gen(function* () {
          const { limit = defaultLimit, region, status } = query
          const window = yield* Window.read(query, defaultMillis)
          const after = yield* Cursors.place(query.cursor)
          const asked = { ...window, limit, region, status, after }
          const { items, last } = yield* log.list(yield* CallerProject, params.monitorId, asked)
          return yield* Paging.answer({ items, next: last && Cursors.ofPlace(last) }, encodeCheck, baseUrl)
        }).pipe(refusing),
      check: ({ params }) =>
        Effect.flatMap(CallerProject, (projectId) => log.get(projectId, params.monitorId, params.checkId)).pipe(
          refusing
        ),
      outages: ({ params, query }) =>
        Effect.gen(function* () {
          const { limit = defaultLimit } = query
          const window = yield* Window.read(query, defaultMillis)
          const before = yield* Cursors.instant(query.cursor)
          const { items, last } = yield* past.outages(yield* CallerProject, params.monitorId, {
            ...window,
            before,
            limit
          })
          const next = last === undefined ? undefined : Cursors.ofInstant(last)
          return yield* Paging.answer({ items, next }, encodeOutage, baseUrl)
        }).pipe(refusing),
      uptime: ({ params, query }) =>
        Effect.gen(function* () {
          const { from, to } = yield* Window.read(query, defaultMillis)
          return yield* past.uptime(yield* CallerProject, params.monitorId, from, to)
        }).pipe(refusing),
      phases: ({ params, query }) =>
        Effect.gen(function* () {
          const { from, to } = yield* Window.read(query, dayMillis)
          return yield* timings.read(yield* CallerProject, params.monitorId, from, to, query.region)
        }).pipe(refusing)
    })
  })
).pipe(Layer.provide([CheckLog.layer, MonitorPast.layer, ResponsePhases.layer]))

const encodeCheck = Schema.encodeSync(CheckRecord)
const encodeOutage = Schema.encodeSync(OutageRecord)

const refusing = asProblem({ MonitorNotFound: (_: MonitorNotFound) => notFound("monitor") })
