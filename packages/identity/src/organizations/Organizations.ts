/** The rules of organizations: they own projects and the subscription, and have members with roles. */
import { nextOrganizationId, type OrganizationId, type UserId } from "@kanmon/domain/Ids"
import { OrganizationNotFound } from "@kanmon/domain/NotFound"
import { maxOwnedOrganizations, type Organization } from "@kanmon/domain/Organization"
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditLog } from "../audit/index.ts"
import { AccountRepository } from "../users/index.ts"
import { Transaction } from "@kanmon/platform/Transaction"
import { StillPaying, TooManyOrganizations } from "./OrganizationErrors.ts"
import { OrganizationCreated, OrganizationDeleting, OrganizationPlans } from "./OrganizationHooks.ts"
import { OrganizationRepository, type StoredOrganization } from "./OrganizationRepository.ts"

export class Organizations extends Context.Service<Organizations>()("@kanmon/identity/organizations/Organizations", {
  make: Effect.gen(function* () {
    const repository = yield* OrganizationRepository
    const accounts = yield* AccountRepository
    const transaction = yield* Transaction
    const audit = yield* AuditLog
    const plans = yield* OrganizationPlans
    const organizationCreated = yield* OrganizationCreated
    const organizationDeleting = yield* OrganizationDeleting
    const random = yield* SecureRandom.SecureRandom
    const nextId = Effect.provideService(nextOrganizationId, SecureRandom.SecureRandom, random)

    /** Creates an organization with its first owner. */
    const create = Effect.fn("Organizations.create")(function* (founder: UserId, name: string) {
      const id = yield* nextId
      const at = yield* Clock.currentTimeMillis
      yield* repository.insert({ id, name, createdAt: at, updatedAt: at })
      yield* repository.insertFounder(id, founder, at)
      yield* audit.record([{ action: "organization.created", ...about({ id, name }), after: { name } }])
      yield* organizationCreated(id)
      return id
    }, transaction.run)

    /** Disables or enables it and records that; false when it was so already, or there is no such organization. */
    const setDisabled = Effect.fn("Organizations.setDisabled")(function* (id: OrganizationId, isDisabled: boolean) {
      const name = yield* repository.setDisabled(id, isDisabled, yield* Clock.currentTimeMillis)
      if (name === undefined) return false
      const action = isDisabled ? "organization.disabled" : "organization.enabled"
      yield* audit.record([{ action, target: { id, name }, organizationId: id, before: {}, after: {} }])
      return true
    }, transaction.run)

    /** Creates an organization that the operator's settings name, with this id and without members, if it does not exist. */
    const ensure = Effect.fn("Organizations.ensure")(function* (id: OrganizationId, name: string) {
      const at = yield* Clock.currentTimeMillis
      if (!(yield* repository.insertIfAbsent({ id, name, createdAt: at, updatedAt: at }))) return
      yield* audit.record([
        { action: "organization.created", target: { id, name }, organizationId: id, after: { name } }
      ])
      yield* organizationCreated(id)
    }, transaction.run)

    /** As `create`, unless the account owns too many. */
    const found = Effect.fn("Organizations.found")(function* (founder: UserId, name: string) {
      yield* accounts.lock(founder)
      if ((yield* repository.countOwned(founder)) >= maxOwnedOrganizations)
        return yield* new TooManyOrganizations({ limit: maxOwnedOrganizations })
      return yield* create(founder, name)
    }, transaction.run)

    const planned = <O extends StoredOrganization & Pick<Organization, "role" | "members">>(organization: O) =>
      Effect.map(plans.inForce(organization.id), ({ id, name }) => ({ ...organization, plan: { id, name } }))

    /** The organizations of an account, oldest first. */
    const ofMember = Effect.fn("Organizations.ofMember")(function* (userId: UserId) {
      return yield* Effect.forEach(yield* repository.ofMember(userId), planned)
    })

    /** An organization as a member sees it. */
    const get = Effect.fn("Organizations.get")(function* (id: OrganizationId, userId: UserId) {
      const stored = yield* repository.findOfMember(id, userId)
      return stored === undefined ? yield* new OrganizationNotFound({ id }) : yield* planned(stored)
    })

    const locked = Effect.fnUntraced(function* (id: OrganizationId) {
      yield* repository.lock(id)
      return (yield* repository.find(id)) ?? (yield* new OrganizationNotFound({ id }))
    })

    const rename = Effect.fn("Organizations.rename")(function* (id: OrganizationId, name: string) {
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

    /** Deletes the organization with everything in it. */
    const remove = Effect.fn("Organizations.remove")(function* (id: OrganizationId) {
      const organization = yield* locked(id)
      if (yield* plans.isPaying(id)) return yield* new StillPaying()
      yield* removeLocked(organization)
    }, transaction.run)

    /** Deletes the organizations of which an account is the only member, before the account itself is deleted; not those that pay. */
    const removeAlone = Effect.fn("Organizations.removeAlone")(function* (userId: UserId) {
      for (const organization of yield* repository.lockAlone(userId)) {
        // A paying organization is kept without members, so that the operator finds it.
        if (yield* plans.isPaying(organization.id))
          yield* Effect.logWarning("An organization that pays lost its last member, and is kept").pipe(
            Effect.annotateLogs({ organizationId: organization.id })
          )
        else yield* removeLocked(organization)
      }
    }, transaction.run)

    return {
      create,
      setDisabled,
      /** Whether an administrator of the installation has disabled the organization. */
      isDisabled: repository.isDisabled,
      ensure,
      found,
      ofMember,
      get,
      rename,
      remove,
      removeAlone,
      /** Locks the organizations of an account that is about to be deleted. Must run in a transaction. */
      lockHeld: repository.lockHeld,
      nameOf: (id: OrganizationId) => Effect.map(repository.find(id), (organization) => organization?.name),
      /** The role of an account in an organization; undefined when it is no member. */
      roleOf: repository.roleOf,
      /** The oldest organization in which the account is an owner or admin. */
      defaultOf: (userId: UserId) => repository.oldest(userId, ["owner", "admin"]),
      /** The oldest organization of which the account is an owner. */
      ownedBy: (userId: UserId) => repository.oldest(userId, ["owner"])
    }
  })
}) {
  static readonly layer = Layer.effect(Organizations, Organizations.make).pipe(
    Layer.provide([AccountRepository.layer, OrganizationRepository.layer])
  )
}

const about = ({ id, name }: Pick<StoredOrganization, "id" | "name">) => ({
  target: { id, name },
  organizationId: id
})
