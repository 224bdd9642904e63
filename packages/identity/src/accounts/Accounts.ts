/** Account operations of the installation's operator. The driver signs people up and in. */
import type { AuditAction } from "@kanmon/domain/AuditEntry"
import { normalizeEmail } from "@kanmon/domain/EmailAddress"
import { Context, Data, Effect, Layer } from "effect"
import { AuditLog } from "../audit/index.ts"
import { Transaction } from "@kanmon/platform/Transaction"
import { type Account, AccountRepository } from "../users/index.ts"

class AccountNotFound extends Data.TaggedError("AccountNotFound")<{ readonly email: string }> {
  override get message(): string {
    return `There is no account with the address ${this.email}`
  }
}

export class Accounts extends Context.Service<Accounts>()("@kanmon/identity/accounts/Accounts", {
  make: Effect.gen(function* () {
    const repository = yield* AccountRepository
    const transaction = yield* Transaction
    const audit = yield* AuditLog
    const found = (email: string, account: Effect.Effect<Account | undefined>) =>
      Effect.flatMap(account, (existing) =>
        existing === undefined ? Effect.fail(new AccountNotFound({ email })) : Effect.succeed(existing)
      )
    const setAdmin = Effect.fn("Accounts.setAdmin")(function* (email: string, isAdmin: boolean) {
      const account = yield* found(email, repository.setAdmin(normalizeEmail(email), isAdmin))
      yield* recordOperation(account, isAdmin ? "account.admin_granted" : "account.admin_revoked", Effect.void)
      return account
    }, transaction.run)

    /** Does something with an account for the operator and records it, in one transaction. */
    const recordOperation = <A, R>(
      account: Account,
      action: Extract<AuditAction, `account.${string}`>,
      operation: Effect.Effect<A, never, R>,
      after: object = {}
    ) =>
      transaction.run(
        Effect.tap(operation, () =>
          audit.record([
            { action, target: { id: account.id, name: account.email }, accountId: account.id, before: {}, after }
          ])
        )
      )

    return {
      recordOperation,
      /** Whether anybody has signed up. */
      exist: repository.exist,
      find: (email: string) => found(email, repository.find(normalizeEmail(email))),
      /** Makes the account an admin. */
      grantAdmin: (email: string) => setAdmin(email, true),
      /** Takes the admin role away. */
      revokeAdmin: (email: string) => setAdmin(email, false),
      /** Accounts with one of these addresses that are not administrators and have no verified address. */
      unproven: (emails: ReadonlyArray<string>) => repository.unproven(emails.map(normalizeEmail))
    }
  })
}) {
  static readonly layer = Layer.effect(Accounts, Accounts.make).pipe(Layer.provide(AccountRepository.layer))
}
