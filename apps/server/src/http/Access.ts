/** What a caller may reach. What is not theirs does not exist for them. */
import type { ProjectId, UserId } from "@kanmon/domain/Ids"
import type { User } from "@kanmon/domain/Principal"
import { Caller } from "@kanmon/protocol/Gate"
import { notFound, Problem } from "@kanmon/protocol/Problem"
import { Projects } from "@kanmon/store/accounts/Projects"
import { Effect } from "effect"

/** The project whose key the caller holds. */
export const project: Effect.Effect<ProjectId, Problem, Caller> = Effect.flatMap(Caller, (caller) =>
  caller._tag === "ProjectKey"
    ? Effect.succeed(caller.projectId)
    : Effect.fail(
        new Problem({ code: "forbidden", detail: "This needs a project's API key (x-api-key), not a session" })
      )
)

/** The person who is signed in. */
export const person: Effect.Effect<User, Problem, Caller> = Effect.flatMap(Caller, (caller) =>
  caller._tag === "User"
    ? Effect.succeed(caller)
    : Effect.fail(new Problem({ code: "forbidden", detail: "This needs a session (sign in), not an API key" }))
)

/** The person who is signed in, an admin. */
export const admin: Effect.Effect<User, Problem, Caller> = Effect.flatMap(person, (user) =>
  user.isAdmin
    ? Effect.succeed(user)
    : Effect.fail(
        new Problem({
          code: "forbidden",
          detail:
            "This is for admins: accounts that the operator named with kanmon admin grant, or in KANMON_ADMIN_EMAILS with a verified address"
        })
      )
)

/** A project named in the address: the key's own, or one of the person's. */
export const named = (id: ProjectId): Effect.Effect<ProjectId, Problem, Caller | Projects> =>
  Effect.gen(function* () {
    const caller = yield* Caller
    const projects = yield* Projects
    const allowed =
      caller._tag === "ProjectKey" ? caller.projectId === id : yield* projects.isOwner(caller.userId as UserId, id)
    if (!allowed) return yield* notFound("project")
    return id
  })
