/** Projects over HTTP: each handler only translates. */
import { mask } from "@kanmon/core/Masking"
import type { ProjectNotFound } from "@kanmon/domain/NotFound"
import { decodeStrict } from "@kanmon/domain/FieldErrors"
import { Name } from "@kanmon/domain/Monitor"
import { Project } from "@kanmon/domain/Project"
import { permits } from "@kanmon/domain/Role"
import { Api } from "@kanmon/protocol/Api"
import { CallerProject, CallerRole, CallerUser } from "@kanmon/protocol/Middleware"
import * as Body from "@kanmon/protocol/Body"
import { invalid, notFound, type Problem } from "@kanmon/protocol/Problem"
import { Projects } from "./Projects.ts"
import { Effect, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asProblem } from "../platform/http/AsProblem.ts"
import { ApiSettings } from "../platform/http/ApiSettings.ts"
import * as Paging from "../platform/http/Paging.ts"
import { AccountQuotas } from "../accounts/index.ts"

const decodeBody = decodeStrict(Schema.Struct({ name: Name }))
const encodeProject = Schema.encodeSync(Project)

const nameIn = (payload: unknown): Effect.Effect<string, Problem<"validation_failed">> => {
  const unfit = Body.objection(payload)
  if (unfit !== undefined) return Effect.fail(invalid([unfit]))
  return Effect.fromResult(decodeBody(payload)).pipe(
    Effect.map(({ name }) => name),
    Effect.mapError(({ errors }) => invalid(errors))
  )
}

const found = asProblem({ ProjectNotFound: (_: ProjectNotFound) => notFound("project") })

export const layer = HttpApiBuilder.group(
  Api,
  "projects",
  Effect.fnUntraced(function* (handlers) {
    const projects = yield* Projects
    const { baseUrl } = yield* ApiSettings
    const within = yield* AccountQuotas.make

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.gen(function* () {
          const options = yield* Paging.read(query)
          const page = Paging.cut(yield* projects.ofUser((yield* CallerUser).userId), options)
          return yield* Paging.answer({ ...page, items: page.items.map((one) => encodeProject(one)) }, baseUrl)
        }),
      create: ({ payload }) =>
        Effect.gen(function* () {
          const { userId } = yield* CallerUser
          const name = yield* nameIn(payload)
          return yield* within({ userId }, "projects", projects.create(userId, name))
        }),
      get: () =>
        Effect.gen(function* () {
          const project = yield* projects.get(yield* CallerProject)
          return permits(yield* CallerRole, "project.write") ? project : { ...project, apiKey: mask(project.apiKey) }
        }).pipe(found),
      rename: ({ payload }) =>
        Effect.gen(function* () {
          return yield* projects.rename(yield* CallerProject, yield* nameIn(payload))
        }).pipe(found),
      remove: ({ params }) =>
        Effect.flatMap(CallerProject, projects.remove).pipe(
          Effect.as({ id: params.projectId, deleted: true as const }),
          found
        ),
      rotateKey: () => Effect.flatMap(CallerProject, projects.rotateKey).pipe(found)
    })
  })
)
