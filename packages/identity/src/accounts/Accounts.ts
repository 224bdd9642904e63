/** Account operations of the installation's operator. The driver signs people up and in. */
import type { AuditAction } from "@kanmon/domain/AuditEntry"
import { normalizeEmail } from "@kanmon/domain/EmailAddress"
import { Context, Data, Effect, Layer } from "effect"
import { AuditLog } from "../audit/index.ts"
import { Transaction } from "@kanmon/platform/Transaction"
import { type Account, AccountRepository } from "../users/index.ts"

export class AccountNotFound extends Data.TaggedError("AccountNotFound")<{ readonly email: string }> {
  override get message(): string {
    return `There is no account with the address ${this.email}`
  }
}

export class Accounts extends Context.Service<
  Accounts,
  {
    /** Whether anybody has signed up. */
    readonly exist: Effect.Effect<boolean>
    readonly find: (email: string) => Effect.Effect<Account, AccountNotFound>
    /** Does something with an account for the operator and records it, in one transaction. */
    readonly recordOperation: <A, R>(
      account: Account,
      action: Extract<AuditAction, `account.${string}`>,
      operation: Effect.Effect<A, never, R>,
      /** Fields of the entry. */
      after?: object
    ) => Effect.Effect<A, never, R>
    /** Makes the account an admin. */
    readonly grantAdmin: (email: string) => Effect.Effect<Account, AccountNotFound>
    /** Takes the admin role away. */
    readonly revokeAdmin: (email: string) => Effect.Effect<Account, AccountNotFound>
    /** Accounts with one of these addresses that are not administrators and have no verified address. */
    readonly unproven: (emails: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Account>>
  }
>()("@kanmon/identity/accounts/Accounts") {
  static readonly layer = Layer.effect(
    Accounts,
    Effect.gen(function* () {
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

      const recordOperation: Accounts["Service"]["recordOperation"] = (account, action, operation, after = {}) =>
        transaction.run(
          Effect.tap(operation, () =>
            audit.record([
              { action, target: { id: account.id, name: account.email }, accountId: account.id, before: {}, after }
            ])
          )
        )

      return Accounts.of({
        recordOperation,
        exist: repository.exist,
        find: (email) => found(email, repository.find(normalizeEmail(email))),
        grantAdmin: (email) => setAdmin(email, true),
        revokeAdmin: (email) => setAdmin(email, false),
        unproven: (emails) => repository.unproven(emails.map(normalizeEmail))
      })
    })
  ).pipe(Layer.provide(AccountRepository.layer))
}
