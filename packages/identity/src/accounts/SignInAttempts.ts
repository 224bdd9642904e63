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

export class SignInAttempts extends Context.Service<SignInAttempts>()("@kanmon/identity/accounts/SignInAttempts", {
  make: Effect.gen(function* () {
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
          // It counts as failed until its outcome is known.
          return {
            /** The password was right: resets the failures where this one was counted. */
            succeeded: repository.remove(key),
            /** Keeps the failed attempt in the count and records it in the audit log. */
            failed,
            /** It says nothing about the password: it was interrupted, or refused for another reason. */
            withdrawn: repository.decrement(key)
          }
        })
      )
    })

    /** `networkOf` reduces an address to the network that one party controls; `network` is the caller's. */
    const begin = Effect.fn("SignInAttempts.begin")(function* (
      email: string,
      network: string,
      networkOf: (address: string) => string
    ) {
      const addresses = yield* repository.sessionAddresses(normalizeEmail(email))
      const isKnown = addresses.some((address) => networkOf(address) === network)
      return yield* beginAt(
        { account: accountOf(email), network: isKnown ? network : "" },
        failures.add({ email: normalizeEmail(email) }, network, "password")
      )
    })

    /** The same for the second factor of an account, from all networks together: only who knows the password gets here. */
    const beginSecondFactor = Effect.fn("SignInAttempts.beginSecondFactor")((account: UserId, network: string) =>
      beginAt(
        { account: secrets.digest(`second-factor:${account}`), network: "" },
        failures.add({ account }, network, "second factor")
      )
    )

    return {
      begin,
      beginSecondFactor,
      /** Resets the failures of an e-mail address in all networks. */
      forget: (email: string) => repository.removeAll(accountOf(email)),
      /** Deletes failures so old that they delay nothing any more. */
      deleteForgotten: (now: EpochMillis) => repository.removeBefore(now - forgottenAfter)
    }
  })
}) {
  static readonly layer = Layer.effect(SignInAttempts, SignInAttempts.make).pipe(
    Layer.provide(SignInFailureRepository.layer)
  )
}
