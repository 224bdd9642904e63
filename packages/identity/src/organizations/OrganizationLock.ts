/**
 * The lock on an organization. Changes that count against a limit take it first, before any other row, so that two changes at the
 * limit are decided one after the other.
 */
import { Context, Effect, Layer } from "effect"
import { OrganizationRepository } from "./OrganizationRepository.ts"

export class OrganizationLock extends Context.Service<OrganizationLock>()(
  "@kanmon/identity/organizations/OrganizationLock",
  {
    make: Effect.map(OrganizationRepository, ({ lock, lockOwner }) => ({
      /** Locks an organization until the transaction ends. */
      hold: lock,
      /** Locks the organization that owns a project; undefined when there is no such project. */
      holdOwner: lockOwner
    }))
  }
) {
  static readonly layer = Layer.effect(OrganizationLock, OrganizationLock.make).pipe(
    Layer.provide(OrganizationRepository.layer)
  )
}
