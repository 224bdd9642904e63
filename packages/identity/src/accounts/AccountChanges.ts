/**
 * Changes of accounts by their people: an entry in the audit log in the same transaction as the
 * change, and a limit on guesses of an account's secrets.
 */
import type { AuditAction } from "@kanmon/domain/AuditEntry"
import type { UserId } from "@kanmon/domain/Ids"
import { CurrentActor } from "@kanmon/platform/CurrentActor"
import { networkOf } from "@kanmon/platform/http/RequestInfo"
import { Transaction } from "@kanmon/platform/Transaction"
import { Clock, Context, Data, Effect, Exit, Layer } from "effect"
import { AuditLog } from "../audit/index.ts"
import { EarlierAccess } from "./EarlierAccess.ts"
import { FailedSignIns } from "./FailedSignIns.ts"
import { SignInAttempts } from "./SignInAttempts.ts"

/** A change to an account; nearly always the person's own. */
export interface AccountChange {
  readonly action: Extract<AuditAction, `account.${string}`>
  readonly account: { readonly id: UserId; readonly email: string }
  /** The person who makes it, when that is not the account itself. */
  readonly by?: { readonly id: UserId; readonly email: string }
  /** The network address of the client. */
  readonly address: string | null
  /** Fields without secrets. An update has only the fields that it changes. */
  readonly before?: object
  readonly after?: object
}

/** Too many guesses failed. */
export class TooManyGuesses extends Data.TaggedError("TooManyGuesses")<{
  /** Seconds until the next one is allowed. */
  readonly retryAfter: number
}> {}

/** The outcome of a guess. `void`: it says nothing about the secret. */
export type Guess = "right" | "wrong" | "void"

export class AccountChanges extends Context.Service<AccountChanges>()("@kanmon/identity/accounts/AccountChanges", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const audit = yield* AuditLog
    const attempts = yield* SignInAttempts
    const failures = yield* FailedSignIns
    const earlier = yield* EarlierAccess

    /** Makes a change and records it, in one transaction. */
    const record = <A, E>(
      { account, action, address, after, before, by = account }: AccountChange,
      effect: Effect.Effect<A, E>
    ) =>
      Effect.tap(effect, () =>
        Effect.andThen(
          action === "account.signed_in" ? failures.recordOf(account.id) : Effect.void,
          audit.record([
            {
              action,
              target: { id: account.id, name: account.email },
              accountId: account.id,
              before: before ?? {},
              after: after ?? {}
            }
          ])
        )
      ).pipe(
        transaction.run,
        Effect.provideService(CurrentActor, {
          actor: { kind: "person", id: by.id, name: by.email },
          address
        })
      )

    /**
     * Counts failed guesses of a secret: a password by the account's address, where networks that the account knows are counted
     * apart; a second factor by the account, over all networks.
     */
    const guess = Effect.fnUntraced(function* <A, E>(
      secret:
        | { readonly passwordOf: string; readonly address: string }
        | { readonly secondFactorOf: UserId; readonly address: string },
      attempt: Effect.Effect<A, E>,
      judge: (outcome: A) => Guess
    ) {
      const begun =
        "passwordOf" in secret
          ? yield* attempts.begin(secret.passwordOf.slice(0, 320), networkOf(secret.address), networkOf)
          : yield* attempts.beginSecondFactor(secret.secondFactorOf, networkOf(secret.address))
      if ("blockedUntil" in begun) {
        const retryAfter = (begun.blockedUntil - (yield* Clock.currentTimeMillis)) / 1000
        return yield* new TooManyGuesses({ retryAfter })
      }
      return yield* Effect.onExit(attempt, (exit) => {
        const outcome = Exit.isSuccess(exit) ? judge(exit.value) : "void"
        if (outcome === "right") return begun.succeeded
        return outcome === "wrong" ? begun.failed : begun.withdrawn
      })
    })

    return {
      record,
      guess,
      /** Forgets the failed guesses of a password, after it was replaced. */
      forgetGuesses: attempts.forget,
      /**
       * Ends what was prepared in the account before its address was proven: keys, invitations, identity providers and channels.
       * To be run within the effect of `record`.
       */
      endEarlierAccess: earlier.end
    }
  })
}) {
  static readonly layer = Layer.effect(AccountChanges, AccountChanges.make)
}
