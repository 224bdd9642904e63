/**
 * How much one account may have over all its projects, whatever its plan. Counting and creating are one transaction that locks
 * the account, so that concurrent requests never exceed the limit.
 */
import type { CountedKind } from "@kanmon/domain/AccountQuotas"
import type { ProjectId, UserId } from "@kanmon/domain/Ids"
import { Context, Effect, Layer } from "effect"
import { Transaction } from "../platform/Transaction.ts"
import { AccountRepository } from "./AccountRepository.ts"

/** The account has as many of a kind as it may have. */
export interface LimitReached {
  readonly kind: CountedKind
  readonly limit: number
  readonly current: number
}

/** An account, given by its ID or by one of its projects. */
export type AccountOf = { readonly userId: UserId } | { readonly projectId: ProjectId }

export class AccountLimits extends Context.Service<
  AccountLimits,
  {
    /** Creates one more of a kind, or fails with `refusal` because there are `limit` of them. */
    readonly within: <A, E, R, Refusal>(
      account: AccountOf,
      kind: CountedKind,
      limit: number,
      create: Effect.Effect<A, E, R>,
      refusal: (reached: LimitReached) => Refusal
    ) => Effect.Effect<A, E | Refusal, R>
  }
>()("@kanmon/control-plane/accounts/AccountLimits") {
  static readonly layer = Layer.effect(
    AccountLimits,
    Effect.gen(function* () {
      const repository = yield* AccountRepository
      const transaction = yield* Transaction

      const lock = (account: AccountOf) =>
        "userId" in account
          ? Effect.as(repository.lock(account.userId), account.userId)
          : repository.lockOwner(account.projectId)

      const within: AccountLimits["Service"]["within"] = (account, kind, limit, create, refusal) =>
        Effect.gen(function* () {
          const userId = yield* lock(account)
          // Without a project, `create` says so.
          if (userId !== undefined) {
            const current = yield* repository.count(userId, kind)
            if (current >= limit) return yield* Effect.fail(refusal({ kind, limit, current }))
          }
          return yield* create
        }).pipe(transaction.run, Effect.withSpan("AccountLimits.within"))

      return AccountLimits.of({
        within: (account, kind, limit, create, refusal) =>
          Number.isFinite(limit) ? within(account, kind, limit, create, refusal) : create
      })
    })
  ).pipe(Layer.provide(AccountRepository.layer))
}
