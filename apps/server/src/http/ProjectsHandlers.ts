/** Projects over HTTP: each handler only translates. */
import { decodeStrict } from "@kanmon/domain/FieldErrors"
import { Name } from "@kanmon/domain/Monitor"
import { Api } from "@kanmon/protocol/Api"
import { invalid, notFound, type Problem } from "@kanmon/protocol/Problem"
import { type ProjectNotFound, Projects } from "@kanmon/store/Projects"
import { Effect, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Access from "./Access.ts"

const decodeBody = decodeStrict(Schema.Struct({ name: Name }))

const nameIn = (payload: unknown) =>
  Effect.fromResult(decodeBody(payload)).pipe(
    Effect.map(({ name }) => name),
    Effect.mapError(({ errors }) => invalid([...errors]))
  )

const found = <A, R>(effect: Effect.Effect<A, ProjectNotFound | Problem, R>): Effect.Effect<A, Problem, R> =>
  Effect.mapError(effect, (error) => (error._tag === "ProjectNotFound" ? notFound("project") : error))

export const layer = HttpApiBuilder.group(
  Api,
  "projects",
  Effect.fnUntraced(function* (handlers) {
    const projects = yield* Projects
    const named = (id: Parameters<typeof Access.named>[0]) =>
      Effect.provideService(Access.named(id), Projects, projects)

    return handlers.handleAll({
      list: () => Effect.flatMap(Access.person, ({ userId }) => projects.ofUser(userId)),
      create: ({ payload }) =>
        Effect.gen(function* () {
          const { userId } = yield* Access.person
          return yield* projects.create(userId, yield* nameIn(payload))
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
