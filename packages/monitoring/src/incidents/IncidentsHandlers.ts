/** Incidents and maintenance windows over HTTP. */
import { Incident } from "@kanmon/domain/Incident"
import { Api } from "@kanmon/protocol/Api"
import { CallerProject } from "@kanmon/protocol/Middleware"
import { Effect, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import * as Paging from "@kanmon/platform/http/Paging"
import { Incidents } from "./Incidents.ts"
import * as IncidentWrites from "./IncidentWrites.ts"

const encode = Schema.encodeSync(Incident)

export const layer = HttpApiBuilder.group(
  Api,
  "incidents",
  Effect.fnUntraced(function* (handlers) {
    const incidents = yield* Incidents
    const settings = yield* ApiSettings
    const writes = yield* IncidentWrites.make

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
      create: ({ payload }) => Effect.flatMap(CallerProject, (projectId) => writes.create(projectId, payload)),
      get: ({ params }) =>
        Effect.flatMap(CallerProject, (projectId) => incidents.get(projectId, params.incidentId)).pipe(
          IncidentWrites.refusing
        ),
      update: ({ params, payload }) =>
        Effect.flatMap(CallerProject, (projectId) => writes.update(projectId, params.incidentId, payload)),
      remove: ({ params }) =>
        Effect.flatMap(CallerProject, (projectId) => writes.remove(projectId, params.incidentId)).pipe(
          Effect.as({ id: params.incidentId, deleted: true as const })
        )
    })
  })
)
