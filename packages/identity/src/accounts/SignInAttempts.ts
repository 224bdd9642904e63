/**
 * Failed sign-ins, by e-mail address, whether it has an account or not: the answer must not reveal it. Networks from which the
 * account has a session are counted separately, so that a stranger's guesses do not lock the owner out.
 */
import { normalizeEmail } from "@kanmon/domain/EmailAddress"
import type { UserId } from "@kanmon/domain/Ids"
import { failedAgain, nextAttemptAt, forgottenAfter } from "@kanmon/domain/SignInDelay"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { Secrets } from "@kanmon/platform/database/Secrets"
import { Transaction } from "@kanmon/platform/Transaction"
import { FailedSignIns } from "./FailedSignIns.ts"
import { type FailureKey, SignInFailureRepository } from "./SignInFailureRepository.ts"

/** An attempt that may be made. It counts as failed until its outcome is known. */
interface Attempt {
  /** The password was right: resets the failures where this one was counted. */
  readonly succeeded: Effect.Effect<void>
  /** Keeps the failed attempt in the count and records it in the audit log. */
  readonly failed: Effect.Effect<void>
  /** It says nothing about the password: it was interrupted, or refused for another reason. */
  readonly withdrawn: Effect.Effect<void>
}

export type Begun = Attempt | { readonly blockedUntil: EpochMillis }

export class SignInAttempts extends Context.Service<
  SignInAttempts,
  {
    /** `networkOf` reduces an address to the network that one party controls; `network` is the caller's. */
    readonly begin: (email: string, network: string, networkOf: (address: string) => string) => Effect.Effect<Begun>
    /** The same for the second factor of an account, from all networks together: only who knows the password gets here. */
    readonly beginSecondFactor: (account: UserId, network: string) => Effect.Effect<Begun>
    /** Resets the failures of an e-mail address in all networks. */
    readonly forget: (email: string) => Effect.Effect<void>
    /** Deletes failures so old that they delay nothing any more. */
    readonly deleteForgotten: (now: EpochMillis) => Effect.Effect<void>
  }
>()("@kanmon/identity/accounts/SignInAttempts") {
  static readonly layer = Layer.effect(
    SignInAttempts,
    Effect.gen(function* () {
      const repository = yield* SignInFailureRepository
      const transaction = yield* Transaction
      const secrets = yield* Secrets
      const failures = yield* FailedSignIns
      const accountOf = (email: string) => secrets.digest(`sign-in:${normalizeEmail(email)}`)

      const beginAt = Effect.fnUntraced(function* (key: FailureKey, failed: Effect.Effect<void>) {
        return yield* transaction.run(
          Effect.gen(function* () {
            const before = yield* repository.lock(key, yield* Clock.currentTimeMillis)
            // Read after the lock, because the previous holder has made an attempt in the meantime.
            const now = yield* Clock.currentTimeMillis
            const blockedUntil = nextAttemptAt(before)
            if (blockedUntil > now) return { blockedUntil }
            yield* repository.save(key, failedAgain(before, now).count, now)
            return { succeeded: repository.remove(key), failed, withdrawn: repository.decrement(key) }
          })
        )
      })

      const begin: SignInAttempts["Service"]["begin"] = Effect.fn("SignInAttempts.begin")(
        function* (email, network, networkOf) {
          const addresses = yield* repository.sessionAddresses(normalizeEmail(email))
          const isKnown = addresses.some((address) => networkOf(address) === network)
          return yield* beginAt(
            { account: accountOf(email), network: isKnown ? network : "" },
            failures.add({ email: normalizeEmail(email) }, network, "password")
          )
        }
      )

      const beginSecondFactor: SignInAttempts["Service"]["beginSecondFactor"] = Effect.fn(
        "SignInAttempts.beginSecondFactor"
      )((account, network) =>
        beginAt(
          { account: secrets.digest(`second-factor:${account}`), network: "" },
          failures.add({ account }, network, "second factor")
        )
      )

      return SignInAttempts.of({
        begin,
        beginSecondFactor,
        forget: (email) => repository.removeAll(accountOf(email)),
        deleteForgotten: (now) => repository.removeBefore(now - forgottenAfter)
      })
    })
  ).pipe(Layer.provide(SignInFailureRepository.layer))
}
