/** The monitors of a project that is deleted: their probes stop, and their observations go. */
import { ProjectContents } from "@kanmon/identity/projects"
import { Effect, Layer } from "effect"
import { MonitorStateRepository } from "../evaluation/index.ts"
import { RegistryRepository } from "../registry/index.ts"
import { Outbox } from "@kanmon/platform/outbox/Outbox"

export const layer = Layer.effect(
  ProjectContents,
  Effect.gen(function* () {
    const registry = yield* RegistryRepository
    const states = yield* MonitorStateRepository
    const outbox = yield* Outbox
    return ProjectContents.of({
      // The states first, in the order in which evaluation takes its locks.
      lock: states.lockProject,
      remove: Effect.fn("ProjectMonitors.remove")(function* (id) {
        const monitors = yield* registry.ofProject(id)
        yield* outbox.appendSpecs(monitors)
        yield* states.deleteObservations(monitors)
      })
    })
  })
).pipe(Layer.provide([MonitorStateRepository.layer, RegistryRepository.layer]))
