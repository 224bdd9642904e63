/**
 * The rules of members. Every change locks the organization and reads the caller's role again under the lock. So a role
 * that was just removed has no effect, and two changes cannot leave an organization without an owner.
 */
import type { OrganizationId, UserId } from "@kanmon/domain/Ids"
import * as Membership from "@kanmon/domain/Membership"
import { MemberNotFound } from "@kanmon/domain/NotFound"
import type { Member } from "@kanmon/domain/Organization"
import { includes, type Role } from "@kanmon/domain/Role"
import { Context, Effect, Layer } from "effect"
import { AuditLog } from "../audit/index.ts"
import { Transaction } from "@kanmon/platform/Transaction"
import { InvitationRepository } from "./InvitationRepository.ts"
import { MemberLimit } from "./MemberLimit.ts"
import { MemberRepository } from "./MemberRepository.ts"
import { admit } from "./OrganizationErrors.ts"
import { OrganizationRepository } from "./OrganizationRepository.ts"

export class Members extends Context.Service<Members>()("@kanmon/identity/organizations/Members", {
  make: Effect.gen(function* () {
    const organizations = yield* OrganizationRepository
    const members = yield* MemberRepository
    const invitations = yield* InvitationRepository
    const limit = yield* MemberLimit
    const transaction = yield* Transaction
    const audit = yield* AuditLog

    /** Both of them, under the organization's lock. */
    const locked = Effect.fnUntraced(function* (id: OrganizationId, caller: UserId, userId: UserId) {
      yield* organizations.lock(id)
      const role = yield* organizations.roleOf(caller, id)
      const member = yield* members.find(id, userId)
      if (role === undefined || member === undefined) return yield* new MemberNotFound({ userId })
      return { role, member, owners: yield* members.countOwners(id) }
    })

    const changeRole = Effect.fn("Members.changeRole")(function* (
      id: OrganizationId,
      caller: UserId,
      userId: UserId,
      to: Role
    ) {
      const { member, owners, role } = yield* locked(id, caller, userId)
      const refusal = Membership.change(role, { from: member.role, to }, owners)
      yield* admit(role, refusal)
      if (member.role === to) return member
      if (member.role === "viewer") yield* limit.admitOneMore(id, { withInvitations: false })
      yield* members.setRole(id, userId, to)
      if (!includes(to, member.role)) yield* invitations.removeBy(id, userId, to)
      const change = { before: { role: member.role }, after: { role: to } }
      yield* audit.record([{ action: "member.role_changed", ...about(id, member), ...change }])
      return { ...member, role: to }
    }, transaction.run)

    /** Ends a membership; the caller's own, if it is the same account. */
    const remove = Effect.fn("Members.remove")(function* (id: OrganizationId, caller: UserId, userId: UserId) {
      const { member, owners, role } = yield* locked(id, caller, userId)
      const refusal = Membership.end(role, { isSelf: caller === userId, role: member.role }, owners)
      yield* admit(role, refusal)
      yield* members.remove(id, userId)
      yield* invitations.removeBy(id, userId, undefined)
      const { role: former, source } = member
      yield* audit.record([{ action: "member.removed", ...about(id, member), before: { role: former, source } }])
    }, transaction.run)

    return {
      /** By name. */
      list: members.list,
      changeRole,
      remove
    }
  })
}) {
  static readonly layer = Layer.effect(Members, Members.make).pipe(
    Layer.provide([OrganizationRepository.layer, MemberRepository.layer, InvitationRepository.layer, MemberLimit.layer])
  )
}

const about = (organizationId: OrganizationId, { email, userId }: Pick<Member, "email" | "userId">) => ({
  target: { id: userId, name: email },
  organizationId
})
