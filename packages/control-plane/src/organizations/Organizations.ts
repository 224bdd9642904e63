/** The rules of organizations: they own projects and the subscription, and have members with roles. */
import { nextOrganizationId, type OrganizationId, type UserId } from "@kanmon/domain/Ids"
import type { Role } from "@kanmon/domain/Role"
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditLog } from "../audit/index.ts"
import { Transaction } from "../platform/Transaction.ts"
import { OrganizationCreated } from "./OrganizationHooks.ts"
import { OrganizationRepository } from "./OrganizationRepository.ts"

export class Organizations extends Context.Service<
  Organizations,
  {
    /** Creates an organization with its first owner. */
    readonly create: (founder: UserId, name: string) => Effect.Effect<OrganizationId>
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
>()("@kanmon/control-plane/organizations/Organizations") {
  static readonly layer = Layer.effect(
    Organizations,
    Effect.gen(function* () {
      const repository = yield* OrganizationRepository
      const transaction = yield* Transaction
      const audit = yield* AuditLog
      const organizationCreated = yield* OrganizationCreated
      const random = yield* SecureRandom.SecureRandom
      const nextId = Effect.provideService(nextOrganizationId, SecureRandom.SecureRandom, random)

      const create: Organizations["Service"]["create"] = Effect.fn("Organizations.create")(function* (founder, name) {
        const id = yield* nextId
        const at = yield* Clock.currentTimeMillis
        yield* repository.insert({ id, name, createdAt: at, updatedAt: at })
        yield* repository.insertMember(id, founder, "owner", "founder", at)
        yield* audit.record([
          { action: "organization.created", target: { id, name }, organizationId: id, after: { name } }
        ])
        yield* organizationCreated(id)
        return id
      }, transaction.run)

      const setDisabled: Organizations["Service"]["setDisabled"] = Effect.fn("Organizations.setDisabled")(
        function* (id, isDisabled) {
          const name = yield* repository.setDisabled(id, isDisabled, yield* Clock.currentTimeMillis)
          if (name === undefined) return false
          const action = isDisabled ? "organization.disabled" : "organization.enabled"
          yield* audit.record([{ action, target: { id, name }, organizationId: id, before: {}, after: {} }])
          return true
        },
        transaction.run
      )

      return Organizations.of({
        create,
        setDisabled,
        isDisabled: repository.isDisabled,
        nameOf: (id) => Effect.map(repository.find(id), (found) => found?.name),
        roleOf: repository.roleOf,
        defaultOf: (userId) => repository.oldest(userId, ["owner", "admin"]),
        ownedBy: (userId) => repository.oldest(userId, ["owner"])
      })
    })
  ).pipe(Layer.provide(OrganizationRepository.layer))
}
