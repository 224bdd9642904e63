/**
 * Updates the memberships of an account from its identity provider: it adds members, sets roles and ends memberships.
 * Owners that no identity provider made are left alone, and so is the last owner of an organization.
 */
import type { OrganizationId, UserId } from "@kanmon/domain/Ids"
import { includes, type MemberSource, type Role } from "@kanmon/domain/Role"
import { isProvisioned } from "@kanmon/domain/SingleSignOn"
import { Clock, Context, Effect, Layer } from "effect"
import { AuditLog } from "../audit/index.ts"
import { Invitations, MemberLimit, MemberRepository, OrganizationLock } from "../organizations/index.ts"
import { MemberSyncRepository } from "./MemberSyncRepository.ts"

export type Synced =
  | "member"
  /** Neither was the account a member, nor does it become one. */
  | "none"
  /** The plan has no room for another member. */
  | "full"
  /** The plan has no room for another member besides viewers: the member stays a viewer. */
  | "limited"
  /** The organization would have no owner any more: the member stays one. */
  | "lastOwner"

export interface SyncedAccount {
  readonly id: UserId
  readonly email: string
}

export class MemberSync extends Context.Service<MemberSync>()("@kanmon/identity/sso/MemberSync", {
  make: Effect.gen(function* () {
    const repository = yield* MemberSyncRepository
    const members = yield* MemberRepository
    const audit = yield* AuditLog
    const lock = yield* OrganizationLock
    const limit = yield* MemberLimit
    const invitations = yield* Invitations

    const about = (organizationId: OrganizationId, { email, id }: SyncedAccount) => ({
      target: { id, name: email },
      organizationId
    })

    const hasRoom = Effect.fnUntraced(function* (organizationId: OrganizationId, role: Role) {
      if (role === "viewer") return true
      const admitted = yield* Effect.result(limit.admitOneMore(organizationId, { withInvitations: false }))
      return admitted._tag === "Success"
    })

    const remove = Effect.fnUntraced(function* (organizationId: OrganizationId, userId: UserId) {
      yield* members.remove(organizationId, userId)
      yield* invitations.withdraw(organizationId, userId, undefined)
    })

    /**
     * Gives the account this role; undefined takes the membership away if an identity provider gave it. Must run in a
     * transaction. `source` is that of a new member.
     */
    const sync: (
      organizationId: OrganizationId,
      account: SyncedAccount,
      role: Role | undefined,
      source: Extract<MemberSource, "sso" | "scim">
    ) => Effect.Effect<Synced> = Effect.fn("MemberSync.sync")(function* (organizationId, account, role, source) {
      yield* lock.hold(organizationId)
      const member = yield* repository.find(organizationId, account.id)
      if (member === undefined) {
        if (role === undefined) return "none"
        if (!(yield* hasRoom(organizationId, role))) return "full"
        yield* members.insert(organizationId, {
          userId: account.id,
          role,
          source,
          at: yield* Clock.currentTimeMillis
        })
        yield* audit.record([{ action: "member.added", ...about(organizationId, account), after: { role, source } }])
        return "member"
      }
      const isLastOwner = member.role === "owner" && (yield* members.countOwners(organizationId)) <= 1
      if (role === undefined) {
        if (!isProvisioned(member)) return "member"
        if (isLastOwner) return "lastOwner"
        yield* remove(organizationId, account.id)
        yield* audit.record([{ action: "member.removed", ...about(organizationId, account), before: member }])
        return "none"
      }
      if (member.role === role || (member.role === "owner" && !isProvisioned(member))) return "member"
      if (isLastOwner) return "lastOwner"
      if (member.role === "viewer" && !(yield* hasRoom(organizationId, role))) return "limited"
      yield* members.setRole(organizationId, account.id, role)
      if (!includes(role, member.role)) yield* invitations.withdraw(organizationId, account.id, role)
      yield* audit.record([
        {
          action: "member.role_changed",
          ...about(organizationId, account),
          before: { role: member.role },
          after: { role }
        }
      ])
      return "member"
    })

    /** Ends the membership, however it was created. The last owner keeps it. Must run in a transaction. */
    const end: (
      organizationId: OrganizationId,
      account: SyncedAccount
    ) => Effect.Effect<Extract<Synced, "none" | "lastOwner">> = Effect.fn("MemberSync.end")(
      function* (organizationId, account) {
        yield* lock.hold(organizationId)
        const member = yield* repository.find(organizationId, account.id)
        if (member === undefined) return "none"
        if (member.role === "owner" && (yield* members.countOwners(organizationId)) <= 1) return "lastOwner"
        yield* remove(organizationId, account.id)
        yield* audit.record([{ action: "member.removed", ...about(organizationId, account), before: member }])
        return "none"
      }
    )

    return { sync, end }
  })
}) {
  static readonly layer = Layer.effect(MemberSync, MemberSync.make).pipe(
    Layer.provide([MemberSyncRepository.layer, MemberRepository.layer, OrganizationLock.layer])
  )
}
