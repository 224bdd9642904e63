/** Restricts endpoints to signed-in users or administrators. */
import type { Principal, User } from "@kanmon/domain/Principal"
import { belongs } from "@kanmon/domain/Audience"
import { Problem } from "@kanmon/protocol/Problem"
import { Effect } from "effect"

const forbidden = (detail: string) => Effect.fail(new Problem({ code: "forbidden", detail }))

/** The signed-in user. */
export const userOf = (caller: Principal): Effect.Effect<User, Problem<"forbidden">> =>
  caller._tag === "User" && belongs("account", caller)
    ? Effect.succeed(caller)
    : forbidden("This endpoint requires a session (sign in), not an API key")

/** The signed-in user, if an administrator. */
export const adminOf = (caller: Principal): Effect.Effect<User, Problem<"forbidden">> =>
  Effect.flatMap(userOf(caller), (user) =>
    belongs("administrator", user)
      ? Effect.succeed(user)
      : forbidden(
          "This endpoint requires an administrator: run kanmon admin grant, or add a verified address to KANMON_ADMIN_EMAILS"
        )
  )

/** Refuses administrators who act as the account what only the person may do. */
export const admitImpersonator = (
  { impersonator }: User,
  isAllowed: boolean
): Effect.Effect<void, Problem<"forbidden">> =>
  impersonator === undefined || isAllowed
    ? Effect.void
    : forbidden("Only the person may do this, not an administrator who acts as the account")
