/** The accounts that own projects, for limits. A project never changes its owner, so lookups are cached. */
import type { ProjectId } from "@kanmon/domain/Ids"
import { Cache, Effect, Layer } from "effect"
import { CallerAccounts } from "../platform/http/CallerAccounts.ts"
import { Projects } from "./Projects.ts"

const capacity = 10_000

export const layer = Layer.effect(
  CallerAccounts,
  Effect.gen(function* () {
    const projects = yield* Projects
    const owners = yield* Cache.make({
      capacity,
      // A project deleted meanwhile counts on its own.
      lookup: (id: ProjectId) => Effect.map(projects.ownerOf(id), (owner) => owner ?? id)
    })
    return CallerAccounts.of({
      of: (caller) => (caller._tag === "User" ? Effect.succeed(caller.userId) : Cache.get(owners, caller.projectId))
    })
  })
)
