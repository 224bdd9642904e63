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
    /** Creates an organization that the operator's settings name, with this id and without members, if it does not exist. */
    readonly ensure: (id: OrganizationId, name: string) => Effect.Effect<void>
    readonly nameOf: (id: OrganizationId) => Effect.Effect<string | undefined>
    /** The role of an account in an organization; undefined when it is no member. */
    readonly roleOf: (userId: UserId, id: OrganizationId) => Effect.Effect<Role | undefined>
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

      const ensure: Organizations["Service"]["ensure"] = Effect.fn("Organizations.ensure")(function* (id, name) {
        const at = yield* Clock.currentTimeMillis
        if (!(yield* repository.insertIfAbsent({ id, name, createdAt: at, updatedAt: at }))) return
        yield* audit.record([
          { action: "organization.created", target: { id, name }, organizationId: id, after: { name } }
        ])
        yield* organizationCreated(id)
      }, transaction.run)

      return Organizations.of({
        create,
        ensure,
        nameOf: (id) => Effect.map(repository.find(id), (found) => found?.name),
        roleOf: repository.roleOf,
        defaultOf: (userId) => repository.oldest(userId, ["owner", "admin"]),
        ownedBy: (userId) => repository.oldest(userId, ["owner"])
      })
    })
  ).pipe(Layer.provide(OrganizationRepository.layer))
}
