/**
 * Access that was prepared in an account before the owner of its address proved it: contact methods, keys, invitations,
 * and the identity providers and channels of organizations that the account founded. A stranger may have signed up with
 * the address.
 */
import type { OrganizationId, UserId } from "@kanmon/domain/Ids"
import { Context, Effect, Layer } from "effect"
import { ApiKeys } from "../api-keys/index.ts"
import { Invitations, Members, Organizations } from "../organizations/index.ts"
import { Projects } from "../projects/index.ts"
import { EarlierSignOn } from "../sso/index.ts"
import { EarlierAccessEnding, EarlierMethodsEnding } from "./AccountHooks.ts"

export class EarlierAccess extends Context.Service<EarlierAccess>()("@kanmon/identity/accounts/EarlierAccess", {
  make: Effect.gen(function* () {
    const organizations = yield* Organizations
    const members = yield* Members
    const invitations = yield* Invitations
    const projects = yield* Projects
    const apiKeys = yield* ApiKeys
    const ending = yield* EarlierAccessEnding
    const endMethods = yield* EarlierMethodsEnding
    const signOn = yield* EarlierSignOn

    const endIn = Effect.fnUntraced(function* (id: OrganizationId, userId: UserId) {
      yield* invitations.withdraw(id, userId, undefined)
      yield* signOn.end(id)
      yield* apiKeys.removeAll({ organizationId: id })
      for (const project of yield* projects.ofOrganization(id)) {
        yield* projects.rotateKey(project.id)
        yield* apiKeys.removeAll({ projectId: project.id })
        yield* ending(project.id)
      }
    }, Effect.orDie)

    /** Ends all of it, with entries in the audit log. Must run in the transaction that records the proof. */
    const end = Effect.fn("EarlierAccess.end")(function* (userId: UserId) {
      yield* endMethods(userId)
      for (const { id } of yield* organizations.ofMember(userId)) {
        const all = yield* members.list(id)
        const own = all.find((member) => member.userId === userId)
        // Other organizations were there before the account, and are no matter of its address.
        if (own?.source !== "founder" || own.role !== "owner") continue
        // The account itself may have set up the identity provider that this person came through.
        for (const { source, userId: other } of all)
          if (source === "sso" || source === "scim") yield* Effect.orDie(members.remove(id, userId, other))
        yield* endIn(id, userId)
      }
    })

    return { end }
  })
}) {
  static readonly layer = Layer.effect(EarlierAccess, EarlierAccess.make)
}
