/** Status pages over HTTP, for the project that keeps them: each handler only translates. */
import { Api } from "@kanmon/protocol/Api"
import { CallerProject } from "@kanmon/protocol/Middleware"
import * as StatusPageBody from "@kanmon/protocol/StatusPageBody"
import * as PagePreviews from "./PagePreviews.ts"
import * as StatusPageRecords from "./StatusPageRecords.ts"
import * as StatusPageWrites from "./StatusPageWrites.ts"
import { StatusPages } from "./StatusPages.ts"
import { PaymentGateway } from "@kanmon/identity/billing"
import { Effect, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asProblem } from "@kanmon/platform/http/AsProblem"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import * as Paging from "@kanmon/platform/http/Paging"

const encode = Schema.encodeSync(StatusPageBody.StatusPageRecord)

export const layer = HttpApiBuilder.group(
  Api,
  "statusPages",
  Effect.fnUntraced(function* (handlers) {
    const statusPages = yield* StatusPages
    const writes = yield* StatusPageWrites.make
    const refusing = StatusPageWrites.refusals((yield* PaymentGateway).configured)
    const { onCreate, record } = yield* StatusPageRecords.make
    const { baseUrl } = yield* ApiSettings
    const preview = yield* PagePreviews.make

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.gen(function* () {
          const page = yield* statusPages.list(yield* CallerProject, {
            ...(yield* Paging.read(query)),
            key: query.key
          })
          return yield* Paging.answer(page, (item) => encode(record(item)), baseUrl)
        }),
      create: ({ payload }) =>
        Effect.flatMap(CallerProject, (projectId) => writes.create(projectId, payload)).pipe(Effect.map(record)),
      preview: ({ payload, query }) =>
        Effect.gen(function* () {
          return yield* preview(yield* CallerProject, yield* onCreate(payload), query.scheme)
        }).pipe(asProblem({ UnknownPageMonitors: StatusPageWrites.unknownMonitors(payload) })),
      get: ({ params }) =>
        Effect.flatMap(CallerProject, (projectId) => statusPages.get(projectId, params.statusPageId)).pipe(
          Effect.map(record),
          refusing()
        ),
      update: ({ params, payload }) =>
        Effect.flatMap(CallerProject, (projectId) => writes.update(projectId, params.statusPageId, payload)).pipe(
          Effect.map(record)
        ),
      remove: ({ params }) =>
        Effect.flatMap(CallerProject, (projectId) => writes.remove(projectId, params.statusPageId)).pipe(
          Effect.as({ id: params.statusPageId, deleted: true as const })
        )
    })
  })
)
