/** The caller of a request as the actor of its changes. */
import type { Actor } from "@kanmon/domain/Actor"
import { credentialOf, type Principal } from "@kanmon/domain/Principal"
import { fileApplyAgent } from "@kanmon/protocol/Middleware"

/**
 * The real actor: an administrator, even as another account. `kanmon apply` identifies itself; the entry still names
 * the owner of the key or session.
 */
export const of = (caller: Principal, headers: Readonly<Record<string, string | undefined>>): Actor => {
  const isApply = headers["user-agent"]?.startsWith(fileApplyAgent) === true
  if (caller._tag === "User" && caller.impersonator !== undefined) {
    const { email, userId } = caller.impersonator
    return { kind: "person", id: userId, name: email, onBehalfOf: { id: caller.userId, name: caller.email } }
  }
  if (caller._tag === "User")
    return {
      kind: isApply && caller.isProgram === true ? "file_apply" : "person",
      id: caller.userId,
      name: caller.email
    }
  return {
    kind: isApply ? "file_apply" : "key",
    id: credentialOf(caller),
    name: caller.key?.name ?? "The project's own key"
  }
}
