/** The rules of organizations: they own projects and the subscription, and have members with roles. */
import { nextOrganizationId, type OrganizationId, type UserId } from "@kanmon/domain/Ids"
import { OrganizationNotFound } from "@kanmon/domain/NotFound"
import { maxOwnedOrganizations, type Organization } from "@kanmon/domain/Organization"
import type { Role } from "@kanmon/domain/Role"
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditLog } from "../audit/index.ts"
import { AccountRepository } from "../users/index.ts"
import { Transaction } from "@kanmon/platform/Transaction"
import { StillPaying, TooManyOrganizations } from "./OrganizationErrors.ts"
import { OrganizationCreated, OrganizationDeleting, OrganizationPlans } from "./OrganizationHooks.ts"
import { type HeldOrganization, OrganizationRepository, type StoredOrganization } from "./OrganizationRepository.ts"

export class Organizations extends Context.Service<
  Organizations,
  {
    /** Creates an organization with its first owner. */
    readonly create: (founder: UserId, name: string) => Effect.Effect<OrganizationId>
    /** Creates an organization that the operator's settings name, with this id and without members, if it does not exist. */
    readonly ensure: (id: OrganizationId, name: string) => Effect.Effect<void>
    /** As `create`, unless the account owns too many. */
    readonly found: (founder: UserId, name: string) => Effect.Effect<OrganizationId, TooManyOrganizations>
    /** The organizations of an account, oldest first. */
    readonly ofMember: (userId: UserId) => Effect.Effect<ReadonlyArray<Organization>>
    /** An organization as a member sees it. */
    readonly get: (id: OrganizationId, userId: UserId) => Effect.Effect<Organization, OrganizationNotFound>
    readonly rename: (id: OrganizationId, name: string) => Effect.Effect<void, OrganizationNotFound>
    /** Deletes the organization with everything in it. */
    readonly remove: (id: OrganizationId) => Effect.Effect<void, OrganizationNotFound | StillPaying>
    /** Deletes the organizations of which an account is the only member, before the account itself is deleted; not those that pay. */
    readonly removeAlone: (userId: UserId) => Effect.Effect<void>
    /** Locks the organizations of an account that is about to be deleted. Must run in a transaction. */
    readonly lockHeld: (userId: UserId) => Effect.Effect<ReadonlyArray<HeldOrganization>>
    readonly nameOf: (id: OrganizationId) => Effect.Effect<string | undefined>
    /** The role of an account in an organization; undefined when it is no member. */
    readonly roleOf: (userId: UserId, id: OrganizationId) => Effect.Effect<Role | undefined>
    /** Whether an administrator of the installation has disabled the organization. */
    readonly isDisabled: (id: OrganizationId) => Effect.Effect<boolean>
    /** Disables or enables it and records that; false when it was so already, or there is no such organization. */
    readonly setDisabled: (id: OrganizationId, isDisabled: boolean) => Effect.Effect<boolean>
    /** The oldest organization in which the account is an owner or admin. */
    readonly defaultOf: (userId: UserId) => Effect.Effect<OrganizationId | undefined>
    /** The oldest organization of which the account is an owner. */
    readonly ownedBy: (userId: UserId) => Effect.Effect<OrganizationId | undefined>
  }
>()("@kanmon/identity/organizations/Organizations") {
  static readonly layer = Layer.effect(
    Organizations,
    Effect.gen(function* () {
      const repository = yield* OrganizationRepository
      const accounts = yield* AccountRepository
      const transaction = yield* Transaction
      const audit = yield* AuditLog
      const plans = yield* OrganizationPlans
      const organizationCreated = yield* OrganizationCreated
      const organizationDeleting = yield* OrganizationDeleting
      const random = yield* SecureRandom.SecureRandom
      const nextId = Effect.provideService(nextOrganizationId, SecureRandom.SecureRandom, random)

      const create: Organizations["Service"]["create"] = Effect.fn("Organizations.create")(function* (founder, name) {
        const id = yield* nextId
        const at = yield* Clock.currentTimeMillis
        yield* repository.insert({ id, name, createdAt: at, updatedAt: at })
        yield* repository.insertFounder(id, founder, at)
        yield* audit.record([{ action: "organization.created", ...about({ id, name }), after: { name } }])
        yield* organizationCreated(id)
        return id
      }, transaction.run)

      const setDisabled: Organizations["Service"]["setDisabled"] = Effect.fn("Organizations.setDisabled")(function* (
        id,
        isDisabled
      ) {
        const name = yield* repository.setDisabled(id, isDisabled, yield* Clock.currentTimeMillis)
        if (name === undefined) return false
        const action = isDisabled ? "organization.disabled" : "organization.enabled"
        yield* audit.record([{ action, target: { id, name }, organizationId: id, before: {}, after: {} }])
        return true
      }, transaction.run)

      const ensure: Organizations["Service"]["ensure"] = Effect.fn("Organizations.ensure")(function* (id, name) {
        const at = yield* Clock.currentTimeMillis
        if (!(yield* repository.insertIfAbsent({ id, name, createdAt: at, updatedAt: at }))) return
        yield* audit.record([
          { action: "organization.created", target: { id, name }, organizationId: id, after: { name } }
        ])
        yield* organizationCreated(id)
      }, transaction.run)

      const found: Organizations["Service"]["found"] = Effect.fn("Organizations.found")(function* (founder, name) {
        yield* accounts.lock(founder)
        if ((yield* repository.countOwned(founder)) >= maxOwnedOrganizations)
          return yield* new TooManyOrganizations({ limit: maxOwnedOrganizations })
        return yield* create(founder, name)
      }, transaction.run)

      const planned = <O extends StoredOrganization & Pick<Organization, "role" | "members">>(organization: O) =>
        Effect.map(plans.inForce(organization.id), ({ id, name }) => ({ ...organization, plan: { id, name } }))

      const ofMember: Organizations["Service"]["ofMember"] = Effect.fn("Organizations.ofMember")(function* (userId) {
        return yield* Effect.forEach(yield* repository.ofMember(userId), planned)
      })

      const get: Organizations["Service"]["get"] = Effect.fn("Organizations.get")(function* (id, userId) {
        const stored = yield* repository.findOfMember(id, userId)
        return stored === undefined ? yield* new OrganizationNotFound({ id }) : yield* planned(stored)
      })

      const locked = Effect.fnUntraced(function* (id: OrganizationId) {
        yield* repository.lock(id)
        return (yield* repository.find(id)) ?? (yield* new OrganizationNotFound({ id }))
      })

      const rename: Organizations["Service"]["rename"] = Effect.fn("Organizations.rename")(function* (id, name) {
        const before = yield* locked(id)
        if (before.name === name) return
        yield* repository.rename(id, name, yield* Clock.currentTimeMillis)
        const change = { before: { name: before.name }, after: { name } }
        yield* audit.record([{ action: "organization.renamed", ...about({ id, name }), ...change }])
      }, transaction.run)

      const removeLocked = Effect.fnUntraced(function* (organization: StoredOrganization) {
        const { id, name } = organization
        yield* organizationDeleting(id)
        yield* repository.remove(id)
        yield* audit.record([{ action: "organization.deleted", ...about(organization), before: { name } }])
      })

      const remove: Organizations["Service"]["remove"] = Effect.fn("Organizations.remove")(function* (id) {
        const organization = yield* locked(id)
        if (yield* plans.isPaying(id)) return yield* new StillPaying()
        yield* removeLocked(organization)
      }, transaction.run)

      const removeAlone: Organizations["Service"]["removeAlone"] = Effect.fn("Organizations.removeAlone")(function* (
        userId
      ) {
        for (const organization of yield* repository.lockAlone(userId)) {
          // A paying organization is kept without members, so that the operator finds it.
          if (yield* plans.isPaying(organization.id))
            yield* Effect.logWarning("An organization that pays lost its last member, and is kept").pipe(
              Effect.annotateLogs({ organizationId: organization.id })
            )
          else yield* removeLocked(organization)
        }
      }, transaction.run)

      return Organizations.of({
        create,
        setDisabled,
        isDisabled: repository.isDisabled,
        ensure,
        found,
        ofMember,
        get,
        rename,
        remove,
        removeAlone,
        lockHeld: repository.lockHeld,
        nameOf: (id) => Effect.map(repository.find(id), (organization) => organization?.name),
        roleOf: repository.roleOf,
        defaultOf: (userId) => repository.oldest(userId, ["owner", "admin"]),
        ownedBy: (userId) => repository.oldest(userId, ["owner"])
      })
    })
  ).pipe(Layer.provide([AccountRepository.layer, OrganizationRepository.layer]))
}

const about = ({ id, name }: Pick<StoredOrganization, "id" | "name">) => ({
  target: { id, name },
  organizationId: id
})
