/**
 * The rules for role changes. A member cannot give a role above their own, or change a member with a role above their
 * own, so only owners appoint and remove owners. An organization always keeps an owner.
 */
import { highest, includes, permits, type Role } from "./Role.ts"

/** The caller's role is too low, and would have to be `needed`. */
export interface RoleRefusal {
  readonly why: "role"
  readonly needed: Role
}

/** Why a change is refused: the caller's role, or the organization would be left without an owner. */
export type MembershipRefusal = RoleRefusal | { readonly why: "lastOwner" }

/** Gives somebody a role, in place of the one they have: with an invitation, as a member, or for one project. */
export const give = (caller: Role, role: Role, instead: Role = role): RoleRefusal | undefined => {
  const touched = highest(role, instead)
  if (permits(caller, "members.write") && includes(caller, touched)) return undefined
  return { why: "role", needed: highest("admin", touched) }
}

/** Changes a member's role. `owners`: how many owners the organization has. */
export const change = (
  caller: Role,
  { from, to }: { readonly from: Role; readonly to: Role },
  owners: number
): MembershipRefusal | undefined => {
  const refusal = give(caller, to, from)
  if (refusal !== undefined) return refusal
  return from === "owner" && to !== "owner" && owners <= 1 ? { why: "lastOwner" } : undefined
}

/** Ends a membership. Everybody may end their own. */
export const end = (
  caller: Role,
  { isSelf, role }: { readonly isSelf: boolean; readonly role: Role },
  owners: number
): MembershipRefusal | undefined => {
  const refusal = isSelf ? undefined : give(caller, role)
  if (refusal !== undefined) return refusal
  return role === "owner" && owners <= 1 ? { why: "lastOwner" } : undefined
}
