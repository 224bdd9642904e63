/** Which organization a request is about, and whether the caller's role in it is high enough. */
import { OrganizationId, type UserId } from "@kanmon/domain/Ids"
import { actingRole, type AnyKey, type Principal, reaches, type User } from "@kanmon/domain/Principal"
import { type OrganizationPermission, permits, type Role, roleFor } from "@kanmon/domain/Role"
import { organizationHeader } from "@kanmon/protocol/Middleware"
import { notFound, Problem } from "@kanmon/protocol/Problem"
import * as Confined from "./Confined.ts"
import { organizationDisabled } from "./OrganizationDisabled.ts"
import { Context, Effect, Option, Schema } from "effect"

/** The only answer to the question which role an account has in an organization. Implemented by organizations. */
export class OrganizationRoles extends Context.Service<
  OrganizationRoles,
  {
    /** Undefined when the account is no member, or when there is no such organization: callers must not learn which. */
    readonly roleOf: (
      userId: UserId,
      id: OrganizationId
    ) => Effect.Effect<Role | undefined, Problem<"organization_disabled">>
    /** The oldest organization in which the account is an owner or admin. */
    readonly defaultOf: (userId: UserId) => Effect.Effect<OrganizationId | undefined>
  }
>()("@kanmon/platform/http/OrganizationAccess/OrganizationRoles") {}

/** An organization, and what the caller may do in it. */
export interface OrganizationAccess {
  readonly organizationId: OrganizationId
  readonly role: Role
}

const decodeId = Schema.decodeUnknownOption(OrganizationId)

/** The organization of a request, if the account may do this there. Without a name it is the account's default one. */
export const resolve = Effect.fnUntraced(function* (
  caller: User,
  named: string | undefined,
  permission: OrganizationPermission | undefined
): Effect.fn.Return<
  OrganizationAccess,
  Problem<"forbidden" | "not_found" | "organization_disabled">,
  OrganizationRoles
> {
  const roles = yield* OrganizationRoles
  const organizationId =
    named === undefined
      ? (caller.confinedTo ?? (yield* roles.defaultOf(caller.userId)))
      : Option.getOrUndefined(decodeId(named))
  if (organizationId === undefined && named === undefined)
    return yield* new Problem({
      code: "forbidden",
      detail: `Your account is an owner or admin of no organization: create one with POST /organizations, or name another one in the header ${organizationHeader}`
    })
  const own = organizationId === undefined ? undefined : yield* roles.roleOf(caller.userId, organizationId)
  if (organizationId === undefined || own === undefined) return yield* notFound("organization")
  if (!reaches(caller, organizationId)) return yield* Confined.elsewhere
  const role = actingRole(caller, own)
  yield* demand(
    caller.impersonator === undefined ? "your account has" : "an administrator who acts as an account has at most",
    role,
    permission
  )
  return { organizationId, role }
})

const ofProject = new Problem({
  code: "forbidden",
  detail: "This endpoint requires a session (sign in) or an API key of the organization, not an API key of a project"
})

/** The organization of a request with a key, if the key may do this. It belongs to one organization and opens no other. */
const ofKey = Effect.fnUntraced(function* (
  caller: AnyKey,
  named: string | undefined,
  permission: OrganizationPermission | undefined
): Effect.fn.Return<OrganizationAccess, Problem<"forbidden" | "not_found" | "organization_disabled">> {
  if (caller._tag === "ProjectKey") return yield* ofProject
  const { organizationId } = caller
  if (named !== undefined && named !== organizationId) return yield* notFound("organization")
  if (caller.isDisabled === true) return yield* organizationDisabled
  yield* demand("this API key has", caller.key.role, permission)
  return { organizationId, role: caller.key.role }
})

/** The same of any caller. */
export const ofCaller = (
  caller: Principal,
  named: string | undefined,
  permission: OrganizationPermission | undefined
): Effect.Effect<
  OrganizationAccess,
  Problem<"forbidden" | "not_found" | "organization_disabled">,
  OrganizationRoles
> => (caller._tag === "User" ? resolve(caller, named, permission) : ofKey(caller, named, permission))

/** Refuses a role that does not permit this. Without a permission nothing is allowed. */
const demand = (
  holder: string,
  role: Role,
  permission: OrganizationPermission | undefined
): Effect.Effect<void, Problem<"forbidden">> => {
  if (permission !== undefined && permits(role, permission)) return Effect.void
  const needed = permission === undefined ? "owner" : roleFor(permission)
  const detail = `This requires the role ${needed} in the organization; ${holder} the role ${role}`
  return Effect.fail(new Problem({ code: "forbidden", detail }))
}
