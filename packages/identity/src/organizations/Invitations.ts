/**
 * The rules of invitations. A token is valid once and for a week, is stored as a hash, and only serves the account with the
 * address that it was mailed to.
 */
import { normalizeEmail } from "@kanmon/domain/EmailAddress"
import { type InvitationId, nextInvitationId, type OrganizationId, type UserId } from "@kanmon/domain/Ids"
import * as Membership from "@kanmon/domain/Membership"
import { InvitationNotFound } from "@kanmon/domain/NotFound"
import { invitationMillis, maxInvitations } from "@kanmon/domain/Organization"
import type { Role } from "@kanmon/domain/Role"
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditLog } from "../audit/index.ts"
import { hashToken, newInvitationToken } from "@kanmon/platform/database/Secrets"
import { AccountRepository } from "../users/index.ts"
import { Transaction } from "@kanmon/platform/Transaction"
import { InvitationRepository, type StoredInvitation } from "./InvitationRepository.ts"
import { MemberLimit } from "./MemberLimit.ts"
import { MemberRepository } from "./MemberRepository.ts"
import { admitRole, InvitationConflict, InviterUnverified, OtherAddress } from "./OrganizationErrors.ts"
import { OrganizationRepository } from "./OrganizationRepository.ts"

/** An invitation with what its mail needs: the token cannot be read again. */
export interface SentInvitation {
  readonly invitation: StoredInvitation
  readonly token: string
}

/** Who acts. `needsVerified`: whether the caller's own address must be verified first. */
export interface Inviter {
  readonly userId: UserId
  readonly needsVerified: boolean
}

export class Invitations extends Context.Service<Invitations>()("@kanmon/identity/organizations/Invitations", {
  make: Effect.gen(function* () {
    const organizations = yield* OrganizationRepository
    const members = yield* MemberRepository
    const repository = yield* InvitationRepository
    const accounts = yield* AccountRepository
    const limit = yield* MemberLimit
    const transaction = yield* Transaction
    const audit = yield* AuditLog
    const random = yield* SecureRandom.SecureRandom
    const nextId = Effect.provideService(nextInvitationId, SecureRandom.SecureRandom, random)

    /** Locks the organization, and refuses a caller who may not give the role. */
    const admitCaller = Effect.fnUntraced(function* (id: OrganizationId, caller: UserId, role: Role) {
      yield* organizations.lock(id)
      const own = (yield* organizations.roleOf(caller, id)) ?? "viewer"
      yield* admitRole(own, Membership.give(own, role))
    })

    const admitInviter = Effect.fnUntraced(function* ({ needsVerified, userId }: Inviter) {
      if (needsVerified && !(yield* accounts.isVerified(userId))) return yield* new InviterUnverified()
    })

    const stored = Effect.fnUntraced(function* (id: OrganizationId, invitationId: InvitationId) {
      return (yield* repository.find(id, invitationId)) ?? (yield* new InvitationNotFound({ id: invitationId }))
    })

    const create = Effect.fn("Invitations.create")(function* (
      id: OrganizationId,
      inviter: Inviter,
      draft: { readonly email: string; readonly role: Role }
    ) {
      const { role } = draft
      const email = normalizeEmail(draft.email)
      yield* admitInviter(inviter)
      yield* admitCaller(id, inviter.userId, role)
      const at = yield* Clock.currentTimeMillis
      if (yield* members.hasAddress(id, email))
        return yield* new InvitationConflict({ detail: `${email} belongs to a member of the organization already` })
      if (yield* repository.hasAddress(id, email, at))
        return yield* new InvitationConflict({ detail: `${email} is invited already; send the invitation again` })
      if ((yield* repository.count(id, at)).open >= maxInvitations)
        return yield* new InvitationConflict({
          detail: `${maxInvitations} invitations are open, and there can be no more; revoke one that is not needed`
        })
      if (role !== "viewer") yield* limit.admitOneMore(id, { withInvitations: true })
      const invitationId = yield* nextId
      const token = newInvitationToken()
      yield* repository.insert({
        id: invitationId,
        organizationId: id,
        email,
        role,
        tokenHash: hashToken(token),
        invitedBy: inviter.userId,
        at,
        expiresAt: at + invitationMillis
      })
      const invitation = yield* Effect.orDie(stored(id, invitationId))
      yield* audit.record([{ action: "invitation.created", ...about(invitation), after: { email, role } }])
      return { invitation, token }
    }, transaction.run)

    /** Gives an invitation a new token and another week. */
    const renew = Effect.fn("Invitations.renew")(function* (
      id: OrganizationId,
      inviter: Inviter,
      invitationId: InvitationId
    ) {
      yield* admitInviter(inviter)
      const { expiresAt, role } = yield* stored(id, invitationId)
      yield* admitCaller(id, inviter.userId, role)
      const at = yield* Clock.currentTimeMillis
      if (role !== "viewer" && expiresAt <= at) yield* limit.admitOneMore(id, { withInvitations: true })
      const token = newInvitationToken()
      yield* repository.renew(invitationId, hashToken(token), at, at + invitationMillis)
      const invitation = yield* stored(id, invitationId)
      yield* audit.record([{ action: "invitation.resent", ...about(invitation), before: {}, after: {} }])
      return { invitation, token }
    }, transaction.run)

    const revoke = Effect.fn("Invitations.revoke")(function* (
      id: OrganizationId,
      caller: UserId,
      invitationId: InvitationId
    ) {
      const invitation = yield* stored(id, invitationId)
      yield* admitCaller(id, caller, invitation.role)
      if (!(yield* repository.remove(invitationId))) return yield* new InvitationNotFound({ id: invitationId })
      const { email, role } = invitation
      yield* audit.record([{ action: "invitation.revoked", ...about(invitation), before: { email, role } }])
    }, transaction.run)

    const held = Effect.fnUntraced(function* (token: string) {
      const found = yield* repository.findByToken(hashToken(token), yield* Clock.currentTimeMillis)
      return found ?? (yield* new InvitationNotFound({ id: null }))
    })

    /** The details that the holder of a token may see. */
    const offer = Effect.fn("Invitations.offer")(function* (token: string) {
      const { email, expiresAt, invitedBy, organizationName, role } = yield* held(token)
      const hasAccount = (yield* accounts.localeOf(email)) !== undefined
      return { organizationName, email, role, invitedBy: invitedBy.name, expiresAt, hasAccount }
    })

    /** Consumes the invitation. Only one of several concurrent callers succeeds. */
    const use = Effect.fnUntraced(function* (invitation: StoredInvitation) {
      if (!(yield* repository.remove(invitation.id))) return yield* new InvitationNotFound({ id: null })
    })

    const join = Effect.fnUntraced(function* (invitation: StoredInvitation, userId: UserId) {
      const { email, organizationId: id, role } = invitation
      if (role !== "viewer") yield* limit.admitOneMore(id, { withInvitations: false })
      yield* members.insert(id, { userId, role, source: "invitation", at: yield* Clock.currentTimeMillis })
      const member = { target: { id: userId, name: email }, organizationId: id }
      yield* audit.record([
        { action: "invitation.accepted", ...about(invitation), before: { email, role } },
        { action: "member.added", ...member, after: { role, source: "invitation" } }
      ])
    })

    /** Makes the account a member. */
    const accept = Effect.fn("Invitations.accept")(function* (
      token: string,
      account: { readonly userId: UserId; readonly email: string }
    ) {
      const invitation = yield* held(token)
      const { email, organizationId: id } = invitation
      if (normalizeEmail(account.email) !== email) return yield* new OtherAddress()
      yield* organizations.lock(id)
      yield* use(invitation)
      const { userId } = account
      // The token was mailed, so it proves the address.
      yield* accounts.markVerified(userId, yield* Clock.currentTimeMillis)
      if ((yield* organizations.roleOf(userId, id)) === undefined) yield* join(invitation, userId)
      return id
    }, transaction.run)

    const openTo = Effect.fnUntraced(function* (id: OrganizationId, email: string) {
      return yield* repository.findByAddress(id, normalizeEmail(email), yield* Clock.currentTimeMillis)
    })

    /** The role that an address is invited to; undefined when it is not. */
    const roleFor = (id: OrganizationId, email: string) => Effect.map(openTo(id, email), (open) => open?.role)

    /**
     * Makes an account a member if the organization has invited its address and it is no member yet. For people who
     * prove the address without the token. Must run in a transaction.
     */
    const redeem = Effect.fn("Invitations.redeem")(function* (
      id: OrganizationId,
      account: { readonly id: UserId; readonly email: string }
    ) {
      yield* organizations.lock(id)
      if ((yield* organizations.roleOf(account.id, id)) !== undefined) return
      const invitation = yield* openTo(id, account.email)
      if (invitation === undefined || !(yield* repository.remove(invitation.id))) return
      yield* join(invitation, account.id)
    })

    const decline = Effect.fn("Invitations.decline")(function* (token: string) {
      const invitation = yield* held(token)
      yield* use(invitation)
      const { email, role } = invitation
      const actor = { kind: "person", id: null, name: email } as const
      yield* audit.record([{ action: "invitation.declined", ...about(invitation), before: { email, role }, actor }])
    }, transaction.run)

    return {
      /** Newest first. */
      list: repository.list,
      create,
      renew,
      revoke,
      offer,
      accept,
      decline,
      /** Deletes the open invitations of an account that a member with this role could not send; without a role, all of them. */
      withdraw: repository.removeBy,
      roleFor,
      redeem
    }
  })
}) {
  static readonly layer = Layer.effect(Invitations, Invitations.make).pipe(
    Layer.provide([
      AccountRepository.layer,
      OrganizationRepository.layer,
      MemberRepository.layer,
      InvitationRepository.layer,
      MemberLimit.layer
    ])
  )
}

const about = ({ email, id, organizationId }: StoredInvitation) => ({
  target: { id, name: email },
  organizationId
})
