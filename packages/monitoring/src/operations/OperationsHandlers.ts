/** Operations over HTTP: each handler only translates. */
import type { OperationNotFound } from "@kanmon/domain/NotFound"
import { Operation } from "@kanmon/domain/Operation"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import { asProblem } from "@kanmon/platform/http/AsProblem"
import * as Paging from "@kanmon/platform/http/Paging"
import { Api } from "@kanmon/protocol/Api"
import { CallerProject } from "@kanmon/protocol/Middleware"
import * as MonitorBulkBody from "@kanmon/protocol/MonitorBulkBody"
import { notFound } from "@kanmon/protocol/Problem"
import { Effect, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { responder } from "../alerts/index.ts"
import { Operations } from "./Operations.ts"

const encode = Schema.encodeSync(Operation)

export const layer = HttpApiBuilder.group(
  Api,
  "operations",
  Effect.fnUntraced(function* (handlers) {
    const operations = yield* Operations
    const settings = yield* ApiSettings

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.gen(function* () {
          const page = yield* operations.list(yield* CallerProject, yield* Paging.read(query))
          return yield* Paging.answer(page, encode, settings.baseUrl)
        }),
      create: ({ payload }) =>
        Effect.gen(function* () {
          const request = yield* Effect.fromResult(MonitorBulkBody.decodeOperation(payload))
          return yield* operations.start(yield* CallerProject, request, (yield* responder).actor)
        }).pipe(refusing),
      get: ({ params }) =>
        Effect.flatMap(CallerProject, (projectId) => operations.get(projectId, params.operationId)).pipe(refusing),
      stop: ({ params }) =>
        Effect.flatMap(CallerProject, (projectId) => operations.stop(projectId, params.operationId)).pipe(refusing)
    })
  })
)

const refusing = asProblem({ OperationNotFound: (_: OperationNotFound) => notFound("operation") })
