/** The caller of a request as the actor of its changes. */
import type { Actor } from "@kanmon/domain/Actor"
import type { Principal } from "@kanmon/domain/Principal"
import { fileApplyAgent } from "@kanmon/protocol/Middleware"

/** Only a key can be used by `kanmon apply`, which says so itself; the entry still names the key. */
export const of = (caller: Principal, headers: Readonly<Record<string, string | undefined>>): Actor => {
  if (caller._tag === "User") return { kind: "person", id: caller.userId, name: caller.email }
  return {
    kind: headers["user-agent"]?.startsWith(fileApplyAgent) === true ? "file_apply" : "key",
    id: caller.key?.id ?? caller.projectId,
    name: caller.key?.name ?? "The project's own key"
  }
}
