/**
 * The lock on an organization. Changes that count against a limit take it first, before any other row, so that two changes at the
 * limit are decided one after the other.
 */
import type { ProjectId, OrganizationId } from "@kanmon/domain/Ids"
import { Context, Effect, Layer } from "effect"
import { OrganizationRepository } from "./OrganizationRepository.ts"

export class OrganizationLock extends Context.Service<
  OrganizationLock,
  {
    /** Locks an organization until the transaction ends. */
    readonly hold: (organizationId: OrganizationId) => Effect.Effect<void>
    /** Locks the organization that owns a project; undefined when there is no such project. */
    readonly holdOwner: (projectId: ProjectId) => Effect.Effect<OrganizationId | undefined>
  }
>()("@kanmon/identity/organizations/OrganizationLock") {
  static readonly layer = Layer.effect(
    OrganizationLock,
    Effect.map(OrganizationRepository, ({ lock, lockOwner }) =>
      OrganizationLock.of({ hold: lock, holdOwner: lockOwner })
    )
  ).pipe(Layer.provide(OrganizationRepository.layer))
}
