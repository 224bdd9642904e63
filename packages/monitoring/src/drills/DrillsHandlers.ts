/** Drills over HTTP: each handler only translates. */
import { Drill } from "@kanmon/domain/Drill"
import type { DrillNotFound } from "@kanmon/domain/NotFound"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import { asProblem } from "@kanmon/platform/http/AsProblem"
import * as Paging from "@kanmon/platform/http/Paging"
import * as Payload from "@kanmon/platform/http/Payload"
import { Api } from "@kanmon/protocol/Api"
import * as DrillBody from "@kanmon/protocol/DrillBody"
import { CallerProject } from "@kanmon/protocol/Middleware"
import { notFound, Problem } from "@kanmon/protocol/Problem"
import { Effect, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { responder } from "../alerts/index.ts"
import { type DrillConflict, Drills, shown } from "./Drills.ts"

const encode = Schema.encodeSync(Drill)

export const layer = HttpApiBuilder.group(
  Api,
  "drills",
  Effect.fnUntraced(function* (handlers) {
    const drills = yield* Drills
    const { baseUrl } = yield* ApiSettings

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.gen(function* () {
          const page = yield* drills.list(yield* CallerProject, yield* Paging.read(query))
          return yield* Paging.answer(page, (drill) => encode(shown(drill)), baseUrl)
        }),
      create: ({ payload }) =>
        Effect.gen(function* () {
          const draft = yield* draftIn(payload)
          const { actor } = yield* responder
          return shown(yield* drills.create(yield* CallerProject, draft, actor, baseUrl))
        }).pipe(refusing),
      get: ({ params: { drillId } }) =>
        Effect.flatMap(CallerProject, (projectId) => drills.report(projectId, drillId)).pipe(refusing),
      remove: ({ params: { drillId: id } }) =>
        Effect.gen(function* () {
          const { actor } = yield* responder
          yield* drills.stop(yield* CallerProject, id, actor)
          return { id, deleted: true as const }
        }).pipe(refusing)
    })
  })
)

const draftIn = Payload.read(DrillBody.decode)

const refusing = asProblem({
  DrillNotFound: (_: DrillNotFound) => notFound("drill"),
  DrillConflict: ({ detail }: DrillConflict) => new Problem({ code: "conflict", detail })
})
