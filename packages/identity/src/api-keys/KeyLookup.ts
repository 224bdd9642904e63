/**
 * Finds the callers of API keys. Not cached, so that a deleted key stops working immediately in every process: requests with
 * the same key share only a query that began after each of them had arrived.
 */
import { ProjectKeys } from "@kanmon/core/ProjectKeys"
import { Clock, Effect, Exit, Layer, Option } from "effect"
import * as CallCoalescer from "@kanmon/platform/CallCoalescer"
import { ApiKeyRepository, type FoundKey } from "./ApiKeyRepository.ts"

/** How accurate the time of the last use is, so that a busy key does not write with every request. */
const accuracyMillis = 60_000

/** More than one process serves at once. */
const maxShared = 1000

export const layer = Layer.effect(
  ProjectKeys,
  Effect.gen(function* () {
    const repository = yield* ApiKeyRepository

    const noteUse = ({ caller, lastUsedAt }: FoundKey, at: number) =>
      caller.key === undefined || (lastUsedAt !== null && lastUsedAt > at - accuracyMillis)
        ? Effect.void
        : repository.markUsed(caller.key.id, at - accuracyMillis, at)

    const lookUp = Effect.fn("ProjectKeys.find")(function* (apiKey: string) {
      const at = yield* Clock.currentTimeMillis
      const found = yield* repository.find(apiKey, at)
      if (found === undefined) return Option.none()
      yield* noteUse(found, at)
      return Option.some(found.caller)
    })
    const shared = yield* CallCoalescer.make({
      limit: maxShared,
      handle: (apiKey: string, calls: ReadonlyArray<CallCoalescer.Call<void>>) =>
        Effect.map(lookUp(apiKey), (found) => calls.map(() => Exit.succeed(found)))
    })
    const find = (apiKey: string) => shared(apiKey, undefined)

    return ProjectKeys.of({
      find,
      projectOf: (apiKey) =>
        Effect.map(
          find(apiKey),
          Option.flatMap((caller) => (caller._tag === "ProjectKey" ? Option.some(caller.projectId) : Option.none()))
        )
    })
  })
).pipe(Layer.provide(ApiKeyRepository.layer))
