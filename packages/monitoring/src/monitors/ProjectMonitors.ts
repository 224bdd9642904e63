/** The monitors of a project that is deleted: their probes stop, and their observations go. */
import { ProjectContents } from "@kanmon/identity/projects"
import { Effect, Layer } from "effect"
import { MonitorStateRepository } from "../evaluation/index.ts"
import { RegistryRepository } from "../registry/index.ts"
import { SpecUpdates } from "../specs/index.ts"

export const layer = Layer.effect(
  ProjectContents,
  Effect.gen(function* () {
    const registry = yield* RegistryRepository
    const states = yield* MonitorStateRepository
    const specs = yield* SpecUpdates
    return ProjectContents.of({
      // The states first, in the order in which evaluation takes its locks.
      lock: states.lockProject,
      remove: Effect.fn("ProjectMonitors.remove")(function* (id) {
        const monitors = yield* registry.ofProject(id)
        yield* specs.append(monitors)
        yield* states.deleteObservations(monitors)
      })
    })
  })
).pipe(Layer.provide([MonitorStateRepository.layer, RegistryRepository.layer]))
