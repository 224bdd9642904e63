/** Monitors over HTTP: each handler only translates. */
import { compareViews } from "@kanmon/core/Masking"
import { Catalogue } from "@kanmon/core/PluginHost"
import * as Vetting from "@kanmon/core/Vetting"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { Api } from "@kanmon/protocol/Api"
import { permits } from "@kanmon/domain/Role"
import { CallerProject, CallerRole } from "@kanmon/protocol/Middleware"
import * as MonitorBulkBody from "@kanmon/protocol/MonitorBulkBody"
import { Heartbeats } from "../heartbeats/index.ts"
import { History } from "../evaluation/index.ts"
import * as MonitorRecords from "./MonitorRecords.ts"
import * as MonitorSecrets from "./MonitorSecrets.ts"
import * as MonitorVetting from "./MonitorVetting.ts"
import * as MonitorWrites from "./MonitorWrites.ts"
import { Monitors, type Selection } from "./Monitors.ts"
import { PaymentGateway } from "@kanmon/identity/billing"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import * as Paging from "@kanmon/platform/http/Paging"
import * as Window from "@kanmon/platform/http/Window"

const maxPoints = 2000

export const layer = HttpApiBuilder.group(
  Api,
  "monitors",
  Effect.fnUntraced(function* (handlers) {
    const monitors = yield* Monitors
    const history = yield* History
    const heartbeats = yield* Heartbeats
    const records = yield* MonitorRecords.make
    const settings = yield* ApiSettings
    const vetting = yield* MonitorVetting.make
    const writes = yield* MonitorWrites.make
    // Comparing needs no examination of what is wanted.
    const kinds = Vetting.cheap((yield* Catalogue).checks)
    const refusing = MonitorWrites.refusals((yield* PaymentGateway).configured)

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.gen(function* () {
          const page = yield* monitors.list(yield* CallerProject, { ...query, ...(yield* Paging.readSorted(query)) })
          const encode = yield* records.encoder(page.items.map(({ id }) => id))
          return yield* Paging.answer(page, encode, settings.baseUrl)
        }),
      create: ({ payload }) =>
        Effect.gen(function* () {
          return yield* records.created(yield* writes.create(yield* CallerProject, payload))
        }),
      createMany: ({ payload }) =>
        Effect.gen(function* () {
          return yield* records.createdTogether(yield* writes.createMany(yield* CallerProject, payload))
        }),
      get: ({ params }) =>
        Effect.gen(function* () {
          const projectId = yield* CallerProject
          // Findings first, so that the findings of a check are never shown without its status.
          const encode = yield* records.encoder([params.monitorId])
          return encode(yield* monitors.get(projectId, params.monitorId))
        }).pipe(refusing),
      update: ({ params, payload }) =>
        Effect.gen(function* () {
          const updated = yield* writes.update(yield* CallerProject, params.monitorId, payload)
          return yield* records.withWarnings(updated, yield* records.one(updated))
        }),
      updateMany: ({ payload }) =>
        Effect.gen(function* () {
          const projectId = yield* CallerProject
          const bulk = yield* Effect.fromResult(MonitorBulkBody.decodeBulkChange(payload))
          const updated = yield* monitors.updateMany(projectId, selectionOf(bulk), (all) =>
            vetting.change(projectId, all, ({ tags }) => MonitorBulkBody.changeOf(bulk, tags))
          )
          const encode = yield* records.encoder(updated.map(({ id }) => id))
          return updated.map(encode)
        }).pipe(refusing),
      removeMany: ({ payload }) =>
        Effect.gen(function* () {
          const selection = yield* Effect.fromResult(MonitorBulkBody.decodeSelection(payload))
          const ids = yield* monitors.removeMany(yield* CallerProject, selectionOf(selection))
          return ids.map((id) => ({ id, deleted: true as const }))
        }).pipe(refusing),
      compare: ({ params, payload }) =>
        Effect.gen(function* () {
          const known = yield* settings.knownRegions
          const current = yield* monitors.get(yield* CallerProject, params.monitorId)
          const role = yield* CallerRole
          const as = permits(role, "secrets.read") ? current : MonitorSecrets.presumed(kinds, current, payload)
          const wanted = yield* Effect.fromResult(MonitorSecrets.decodeChange(kinds, known, as, payload))
          return compareViews(
            current,
            wanted,
            (config) => MonitorRecords.viewOf(role, kinds)({ ...current, config }).config,
            MonitorSecrets.differing
          )
        }).pipe(refusing),
      remove: ({ params }) =>
        Effect.flatMap(CallerProject, (projectId) => writes.remove(projectId, params.monitorId)).pipe(
          Effect.as({ id: params.monitorId, deleted: true as const })
        ),
      stats: ({ params }) =>
        Effect.flatMap(CallerProject, (projectId) => history.stats(projectId, params.monitorId)).pipe(refusing),
      dailyUptime: ({ params, query }) =>
        Effect.gen(function* () {
          const { from, to } = yield* Window.read(query, 89 * dayMillis)
          return yield* history.dailyUptime(yield* CallerProject, params.monitorId, from, to)
        }).pipe(refusing),
      responseTimes: ({ params, query }) =>
        Effect.gen(function* () {
          const { from, to } = yield* Window.read(query, dayMillis)
          return yield* history.responseTimes(yield* CallerProject, params.monitorId, from, to, maxPoints)
        }).pipe(refusing),
      rotateToken: ({ params }) =>
        Effect.flatMap(CallerProject, (projectId) => monitors.rotateToken(projectId, params.monitorId)).pipe(
          Effect.flatMap(records.one),
          refusing
        ),
      heartbeatMetrics: ({ params, query }) =>
        Effect.gen(function* () {
          const { from, to } = yield* Window.read(query, dayMillis)
          return yield* heartbeats.metrics(yield* CallerProject, params.monitorId, from, to)
        }).pipe(refusing)
    })
  })
)

/** The selection of a body, in which a filter by tags is called as in the body of a monitor. */
const selectionOf = ({ filter, ids }: Pick<MonitorBulkBody.BulkChange, "filter" | "ids">): Selection =>
  ids === undefined ? { filter: { ...filter, tag: filter?.tags } } : { ids }
