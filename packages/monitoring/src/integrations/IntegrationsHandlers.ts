/** Integrations over HTTP: each handler only translates. */
import { Integration } from "@kanmon/domain/Integration"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import * as Paging from "@kanmon/platform/http/Paging"
import { Api } from "@kanmon/protocol/Api"
import { basePath } from "@kanmon/protocol/BasePath"
import { CallerProject } from "@kanmon/protocol/Middleware"
import { Effect, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Integrations } from "./Integrations.ts"
import * as IntegrationWrites from "./IntegrationWrites.ts"

const encode = Schema.encodeSync(Integration)
const { refusing } = IntegrationWrites

export const layer = HttpApiBuilder.group(
  Api,
  "integrations",
  Effect.fnUntraced(function* (handlers) {
    const integrations = yield* Integrations
    const writes = yield* IntegrationWrites.make
    const settings = yield* ApiSettings

    const addressed = ({ integration, token }: { readonly integration: Integration; readonly token: string }) => ({
      ...integration,
      address: `${settings.baseUrl}${basePath}/inbound/${token}`
    })

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.gen(function* () {
          const options = { ...(yield* Paging.read(query)), key: query.key }
          const page = yield* integrations.list(yield* CallerProject, options)
          return yield* Paging.answer(page, encode, settings.baseUrl)
        }),
      create: ({ payload }) =>
        Effect.flatMap(CallerProject, (projectId) => Effect.map(writes.created(projectId, payload), addressed)),
      get: ({ params: { integrationId } }) =>
        Effect.flatMap(CallerProject, (projectId) => integrations.get(projectId, integrationId)).pipe(refusing),
      update: ({ params: { integrationId }, payload }) =>
        Effect.flatMap(CallerProject, (projectId) => writes.update(projectId, integrationId, payload)),
      remove: ({ params: { integrationId: id } }) =>
        Effect.flatMap(CallerProject, (projectId) => writes.remove(projectId, id)).pipe(
          Effect.as({ id, deleted: true as const })
        ),
      rotate: ({ params: { integrationId } }) =>
        Effect.flatMap(CallerProject, (projectId) =>
          Effect.map(integrations.rotate(projectId, integrationId), addressed)
        ).pipe(refusing),
      bodies: ({ params: { integrationId } }) =>
        Effect.flatMap(CallerProject, (projectId) => integrations.bodies(projectId, integrationId)).pipe(refusing)
    })
  })
)
