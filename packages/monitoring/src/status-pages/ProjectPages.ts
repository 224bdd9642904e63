/** Announces that the status pages of a project are deleted with it. */
import { pageEvent } from "@kanmon/domain/PageEvents"
import { Clock, Effect, Layer } from "effect"
import { Outbox } from "@kanmon/platform/outbox/Outbox"
import { ProjectDeleting } from "@kanmon/identity/projects"
import { StatusPageRepository } from "./StatusPageRepository.ts"

export const layer = Layer.effect(
  ProjectDeleting,
  Effect.gen(function* () {
    const repository = yield* StatusPageRepository
    const outbox = yield* Outbox
    return Effect.fnUntraced(function* (projectId) {
      const at = yield* Clock.currentTimeMillis
      const pages = yield* repository.listAll(projectId)
      yield* outbox.append(pages.map((page) => pageEvent(page, "deleted", at, `${page.id}:deleted`)))
    })
  })
).pipe(Layer.provide(StatusPageRepository.layer))
