import type { ProjectId } from "@kanmon/domain/Ids"
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Scope } from "effect"
import { maxStreams, maxStreamsOfAccount } from "@kanmon/protocol/EventsApi"
import { OpenStreams } from "../../src/events/OpenStreams.ts"

const ada = "prj_ada" as ProjectId
const ben = "prj_ben" as ProjectId

const enterIn = (scope: Scope.Scope, projectId: ProjectId, account: string = projectId) =>
  Effect.flatMap(OpenStreams, ({ enter }) => Effect.provideService(enter(projectId, account), Scope.Scope, scope))

it.effect("limits the streams per project and releases each when its scope closes", () =>
  Effect.gen(function* () {
    const own = yield* Scope.make()
    yield* enterIn(own, ada)
    const others = yield* Scope.make()
    yield* Effect.replicateEffect(enterIn(others, ada), maxStreams - 1)
    assert.strictEqual((yield* Effect.flip(enterIn(others, ada))).code, "rate_limited")
    yield* enterIn(others, ben)
    yield* Scope.close(own, Exit.void)
    yield* enterIn(others, ada)
    assert.strictEqual((yield* Effect.flip(enterIn(others, ada))).code, "rate_limited")
  }).pipe(Effect.provide(OpenStreams.layer))
)

it.effect("limits the streams of an account over all its projects", () =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    for (let index = 0; index < maxStreamsOfAccount; index++) yield* enterIn(scope, `prj_${index}` as ProjectId, "ada")
    const refused = yield* Effect.flip(enterIn(scope, ada, "ada"))
    assert.deepInclude(refused, { code: "rate_limited", retryAfter: 30 })
    assert.include(refused.detail, `The account has ${maxStreamsOfAccount} event streams open`)
    yield* enterIn(scope, ada, "ben")
    yield* Scope.close(scope, Exit.void)
    yield* enterIn(yield* Scope.make(), ada, "ada")
  }).pipe(Effect.provide(OpenStreams.layer))
)

it.effect("signals a stop to all streams, refuses new ones, and waits until all are closed", () =>
  Effect.gen(function* () {
    const streams = yield* OpenStreams
    const scope = yield* Scope.make()
    yield* enterIn(scope, ada)
    const stop = yield* Effect.forkChild(streams.stop, { startImmediately: true })
    yield* streams.stopping
    const late = yield* Effect.flip(enterIn(scope, ben))
    assert.deepInclude(late, { code: "unavailable", retryAfter: 5 })
    assert.isUndefined(stop.pollUnsafe())
    yield* Scope.close(scope, Exit.void)
    yield* Fiber.join(stop)
  }).pipe(Effect.provide(OpenStreams.layer))
)

it.effect("stops immediately without streams", () =>
  Effect.flatMap(OpenStreams, ({ stop }) => stop).pipe(Effect.provide(OpenStreams.layer))
)
