/** Projects over HTTP: each handler only translates. */
import { decodeStrict } from "@kanmon/domain/FieldErrors"
import { Name } from "@kanmon/domain/Monitor"
import { Project } from "@kanmon/domain/Project"
import { Api } from "@kanmon/protocol/Api"
import * as Body from "@kanmon/protocol/Body"
import { invalid, notFound, type Problem } from "@kanmon/protocol/Problem"
import { type ProjectNotFound, Projects } from "@kanmon/store/accounts/Projects"
import { Effect, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Access from "./Access.ts"
import { ApiSettings } from "./ApiSettings.ts"
import * as Paging from "./Paging.ts"
import * as Quotas from "./Quotas.ts"

const decodeBody = decodeStrict(Schema.Struct({ name: Name }))
const encodeProject = Schema.encodeSync(Project)

const nameIn = (payload: unknown): Effect.Effect<string, Problem> => {
  const unfit = Body.objection(payload)
  if (unfit !== undefined) return Effect.fail(invalid([unfit]))
  return Effect.fromResult(decodeBody(payload)).pipe(
    Effect.map(({ name }) => name),
    Effect.mapError(({ errors }) => invalid(errors))
  )
}

const found = <A, R>(effect: Effect.Effect<A, ProjectNotFound | Problem, R>): Effect.Effect<A, Problem, R> =>
  Effect.mapError(effect, (error) => (error._tag === "ProjectNotFound" ? notFound("project") : error))

export const layer = HttpApiBuilder.group(
  Api,
  "projects",
  Effect.fnUntraced(function* (handlers) {
    const projects = yield* Projects
    const { baseUrl } = yield* ApiSettings
    const within = yield* Quotas.make
    const named = (id: Parameters<typeof Access.named>[0]) =>
      Effect.provideService(Access.named(id), Projects, projects)

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.gen(function* () {
          const options = yield* Paging.read(query)
          const page = Paging.cut(yield* projects.ofUser((yield* Access.person).userId), options)
          return yield* Paging.answer({ ...page, items: page.items.map((one) => encodeProject(one)) }, baseUrl)
        }),
      create: ({ payload }) =>
        Effect.gen(function* () {
          const { userId } = yield* Access.person
          const name = yield* nameIn(payload)
          return yield* within({ userId }, "projects", projects.create(userId, name))
        }),
      get: ({ params }) => found(Effect.flatMap(named(params.projectId), projects.get)),
      rename: ({ params, payload }) =>
        found(
          Effect.gen(function* () {
            const id = yield* named(params.projectId)
            return yield* projects.rename(id, yield* nameIn(payload))
          })
        ),
      remove: ({ params }) =>
        found(Effect.flatMap(named(params.projectId), projects.remove)).pipe(
          Effect.as({ id: params.projectId, deleted: true as const })
        ),
      rotateKey: ({ params }) => found(Effect.flatMap(named(params.projectId), projects.rotateKey))
    })
  })
)
