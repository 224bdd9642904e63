/**
 * Finds the organization that provides the limits for a caller. A key uses its own or its project's organization, a session the
 * organization that the account owns. A project never changes its owner, so lookups are cached.
 */
import type { ProjectId, UserId } from "@kanmon/domain/Ids"
import { Cache, Effect, Layer } from "effect"
import { Organizations } from "../organizations/index.ts"
import { CallerOwners } from "@kanmon/platform/http/CallerOwners"
import { Projects } from "./Projects.ts"

const capacity = 10_000
/** An account can become an owner, or stop being one. */
const ownedFor = "1 minute"

export const layer = Layer.effect(
  CallerOwners,
  Effect.gen(function* () {
    const projects = yield* Projects
    const organizations = yield* Organizations
    const owners = yield* Cache.make({
      capacity,
      // A project deleted meanwhile counts on its own.
      lookup: (id: ProjectId): Effect.Effect<string> => Effect.map(projects.ownerOf(id), (owner) => owner ?? id)
    })
    const owned = yield* Cache.make({
      capacity,
      timeToLive: ownedFor,
      // A member of others' organizations counts on its own: many members do not share one budget.
      lookup: (id: UserId): Effect.Effect<string> => Effect.map(organizations.ownedBy(id), (own) => own ?? id)
    })
    return CallerOwners.of({
      of: (caller) => {
        if (caller._tag === "OrganizationKey") return Effect.succeed(caller.organizationId)
        return caller._tag === "User" ? Cache.get(owned, caller.userId) : Cache.get(owners, caller.projectId)
      }
    })
  })
)
