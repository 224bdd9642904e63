/**
 * The account that a caller acts for: limits count for all its keys and sessions together. A project never changes its
 * owner, so what was found is remembered.
 */
import type { ProjectId } from "@kanmon/domain/Ids"
import type { Principal } from "@kanmon/domain/Principal"
import { Projects } from "@kanmon/store/accounts/Projects"
import { Cache, Context, Effect, Layer } from "effect"

const mostRemembered = 10_000

export class CallerAccounts extends Context.Service<
  CallerAccounts,
  { readonly of: (caller: Principal) => Effect.Effect<string> }
>()("@kanmon/server/CallerAccounts") {
  static readonly layer = Layer.effect(
    CallerAccounts,
    Effect.gen(function* () {
      const projects = yield* Projects
      const owners = yield* Cache.make({
        capacity: mostRemembered,
        // Of a project that was deleted a moment ago: it stands for itself.
        lookup: (id: ProjectId) => Effect.map(projects.ownerOf(id), (owner) => owner ?? id)
      })
      return CallerAccounts.of({
        of: (caller) => (caller._tag === "User" ? Effect.succeed(caller.userId) : Cache.get(owners, caller.projectId))
      })
    })
  )
}
