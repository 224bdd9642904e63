/**
 * Memberships that an identity provider provisions. Members are the people who are active there, with the role that
 * their groups give by the mapping of the organization's single sign-on.
 */
import type { OrganizationId } from "@kanmon/domain/Ids"
import { ScimRefused } from "@kanmon/domain/Scim"
import { roleAfter } from "@kanmon/domain/SingleSignOn"
import { Context, Effect, Layer } from "effect"
import { Plans } from "../billing/index.ts"
import { Invitations } from "../organizations/index.ts"
import { ConnectionRepository } from "./ConnectionRepository.ts"
import { MemberSync, type Synced, type SyncedAccount } from "./MemberSync.ts"
import { MemberSyncRepository } from "./MemberSyncRepository.ts"
import { ScimGroupRepository } from "./ScimGroupRepository.ts"
import { type ProvisionedUser, ScimUserRepository } from "./ScimUserRepository.ts"
import { SessionRepository, SignOnAccountRepository } from "../users/index.ts"

/** Without single sign-on there is no role mapping, so members get the least privileged role. */
const withoutSettings = { roles: [], defaultRole: "viewer" } as const

export class ScimMembers extends Context.Service<ScimMembers>()("@kanmon/identity/sso/ScimMembers", {
  make: Effect.gen(function* () {
    const connections = yield* ConnectionRepository
    const people = yield* ScimUserRepository
    const groups = yield* ScimGroupRepository
    const members = yield* MemberSync
    const memberships = yield* MemberSyncRepository
    const accounts = yield* SignOnAccountRepository
    const sessions = yield* SessionRepository
    const invitations = yield* Invitations
    const plans = yield* Plans

    const judge = Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      { email }: SyncedAccount,
      synced: Synced
    ): Effect.fn.Return<void, ScimRefused> {
      if (synced === "lastOwner")
        return yield* new ScimRefused({
          status: 409,
          detail: `${email} is the last owner of the organization; make another member an owner first`
        })
      if (synced === "full" || synced === "limited") {
        const { name } = yield* plans.inForce(organizationId)
        return yield* new ScimRefused({
          status: 403,
          detail: `The plan ${name} of the organization has no room for ${email} as another member besides viewers; give the groups the role viewer, or change the plan`
        })
      }
    })

    /** Ends the membership, and the sessions of an account that is left without any. Must run in a transaction. */
    const end = Effect.fn("ScimMembers.end")(function* (organizationId: OrganizationId, account: SyncedAccount) {
      yield* judge(organizationId, account, yield* members.end(organizationId, account))
      if (!(yield* memberships.isMember(account.id))) yield* sessions.endAll(account.id)
    })

    const roleFor = Effect.fnUntraced(function* ({ organizationId, userId }: ProvisionedUser) {
      const stored = yield* connections.find(organizationId)
      const member = yield* memberships.find(organizationId, userId)
      const names = yield* groups.namesOf(organizationId, userId)
      return roleAfter(stored?.settings ?? withoutSettings, names, member)
    })

    /** Makes the person a member, or ends it, as the directory says. Must run in a transaction. */
    const admit = Effect.fn("ScimMembers.admit")(function* (user: ProvisionedUser, account: SyncedAccount) {
      const { organizationId, record } = user
      if (!record.active) return yield* end(organizationId, account)
      // The invited person owns an address in the directory's domain.
      const hasRoom = yield* Effect.isSuccess(invitations.redeem(organizationId, account))
      if (!hasRoom) return yield* judge(organizationId, account, "full")
      const synced = yield* members.sync(organizationId, account, yield* roleFor(user), "scim")
      yield* judge(organizationId, account, synced)
      if (synced === "none" && !(yield* memberships.isMember(account.id))) yield* sessions.endAll(account.id)
    })

    /** Updates the roles of people after a change of their groups, if one of the groups gives a role. */
    const regroup = Effect.fn("ScimMembers.regroup")(function* (
      organizationId: OrganizationId,
      ids: ReadonlyArray<string>,
      names: ReadonlyArray<string>
    ) {
      const stored = yield* connections.find(organizationId)
      if (stored === undefined || !stored.settings.roles.some(({ group }) => names.includes(group))) return
      for (const id of ids) {
        const user = yield* people.find(organizationId, id)
        if (user === undefined || !user.record.active) continue
        const account = yield* accounts.find(user.userId)
        if (account !== undefined) yield* admit(user, account)
      }
    })

    return { admit, regroup, end }
  })
}) {
  static readonly layer = Layer.effect(ScimMembers, ScimMembers.make).pipe(
    Layer.provide([
      ScimUserRepository.layer,
      ScimGroupRepository.layer,
      MemberSync.layer,
      MemberSyncRepository.layer,
      SessionRepository.layer,
      SignOnAccountRepository.layer
    ])
  )
}
