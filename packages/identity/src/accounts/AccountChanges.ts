/** Records what people change about their accounts, and slows down those who guess their secrets. */
import { AccountChanges, TooManyGuesses } from "@kanmon/core/AccountChanges"
import { Clock, Effect, Exit, Layer } from "effect"
import { AuditLog } from "../audit/index.ts"
import { CurrentActor } from "@kanmon/platform/CurrentActor"
import { networkOf } from "@kanmon/platform/http/RequestInfo"
import { Transaction } from "@kanmon/platform/Transaction"
import { EarlierAccess } from "./EarlierAccess.ts"
import { FailedSignIns } from "./FailedSignIns.ts"
import { SignInAttempts } from "./SignInAttempts.ts"

export const layer = Layer.effect(
  AccountChanges,
  Effect.gen(function* () {
    const transaction = yield* Transaction
    const audit = yield* AuditLog
    const attempts = yield* SignInAttempts
    const failures = yield* FailedSignIns
    const earlier = yield* EarlierAccess

    const record: AccountChanges["Service"]["record"] = (
      { account, action, address, after, before, by = account },
      effect
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

    const guess: AccountChanges["Service"]["guess"] = Effect.fnUntraced(function* (secret, attempt, judge) {
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

    return AccountChanges.of({ record, guess, forgetGuesses: attempts.forget, endEarlierAccess: earlier.end })
  })
)
