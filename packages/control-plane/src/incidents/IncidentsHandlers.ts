/** Incidents and maintenance windows over HTTP. */
import { Incident } from "@kanmon/domain/Incident"
import type { KeyTaken } from "../platform/database/KeyTaken.ts"
import type { IncidentNotFound } from "@kanmon/domain/NotFound"
import { Api } from "@kanmon/protocol/Api"
import { CallerProject } from "@kanmon/protocol/Middleware"
import { notFound } from "@kanmon/protocol/Problem"
import { Effect, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asProblem } from "../platform/http/AsProblem.ts"
import { OrganizationQuotas } from "../organizations/index.ts"
import { ApiSettings } from "../platform/http/ApiSettings.ts"
import * as KeyConflict from "../platform/http/KeyConflict.ts"
import * as Paging from "../platform/http/Paging.ts"
import { Incidents } from "./Incidents.ts"
import * as IncidentValidation from "./IncidentValidation.ts"

const encode = Schema.encodeSync(Incident)

export const layer = HttpApiBuilder.group(
  Api,
  "incidents",
  Effect.fnUntraced(function* (handlers) {
    const incidents = yield* Incidents
    const settings = yield* ApiSettings
    const validation = yield* IncidentValidation.make
    const within = yield* OrganizationQuotas.make

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.gen(function* () {
          const page = yield* incidents.list(yield* CallerProject, {
            ...(yield* Paging.read(query)),
            key: query.key,
            keyed: query.keyed === "true",
            status: query.status,
            maintenance: query.maintenance === undefined ? undefined : query.maintenance === "true"
          })
          return yield* Paging.answer(page, encode, settings.baseUrl)
        }),
      create: ({ payload }) =>
        Effect.gen(function* () {
          const projectId = yield* CallerProject
          const { draft, message, series } = yield* validation.onCreate(projectId, payload)
          return yield* within({ projectId }, "openIncidents", incidents.create(projectId, draft, message, series))
        }).pipe(refusing),
      get: ({ params }) =>
        Effect.flatMap(CallerProject, (projectId) => incidents.get(projectId, params.incidentId)).pipe(refusing),
      update: ({ params, payload }) =>
        Effect.gen(function* () {
          const projectId = yield* CallerProject
          const before = yield* incidents.get(projectId, params.incidentId)
          const update = incidents.update(projectId, before.id, yield* validation.onUpdate(before, payload))
          // A resolved incident that is opened again counts like a new one.
          return yield* before.status === "resolved" && reopens(payload)
            ? within({ projectId }, "openIncidents", update)
            : update
        }).pipe(refusing),
      remove: ({ params }) =>
        Effect.flatMap(CallerProject, (projectId) => incidents.remove(projectId, params.incidentId)).pipe(
          Effect.as({ id: params.incidentId, deleted: true as const }),
          refusing
        )
    })
  })
)

const reopens = (payload: object): boolean => "status" in payload && payload.status !== "resolved"

const refusing = asProblem({
  IncidentNotFound: (_: IncidentNotFound) => notFound("incident"),
  KeyTaken: (_: KeyTaken) => KeyConflict.problem("maintenance window")
})
