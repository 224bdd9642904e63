/**
 * The lock on an account. Changes that count against a limit take it first, before any other row, so that two changes at the
 * limit are decided one after the other.
 */
import type { ProjectId, UserId } from "@kanmon/domain/Ids"
import { Context, Effect, Layer } from "effect"
import { AccountRepository } from "./AccountRepository.ts"

export class AccountLock extends Context.Service<
  AccountLock,
  {
    /** Locks an account until the transaction ends. */
    readonly hold: (userId: UserId) => Effect.Effect<void>
    /** Locks the account that owns a project; undefined when there is no such project. */
    readonly holdOwner: (projectId: ProjectId) => Effect.Effect<UserId | undefined>
  }
>()("@kanmon/control-plane/accounts/AccountLock") {
  static readonly layer = Layer.effect(
    AccountLock,
    Effect.map(AccountRepository, ({ lock, lockOwner }) => AccountLock.of({ hold: lock, holdOwner: lockOwner }))
  ).pipe(Layer.provide(AccountRepository.layer))
}
