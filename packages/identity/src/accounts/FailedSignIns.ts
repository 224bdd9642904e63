/**
 * Failed attempts to sign in, as the audit log has them: one entry for an account, a network and about an hour, with a count.
 * Attempts on addresses without an account are not kept, so that strangers cannot fill the log.
 */
import type { UserId } from "@kanmon/domain/Ids"
import { toIso } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { AuditLog } from "../audit/index.ts"
import { CurrentActor } from "@kanmon/platform/CurrentActor"
import { Transaction } from "@kanmon/platform/Transaction"
import { type Factor, type Failed, FailedSignInRepository, type Named } from "./FailedSignInRepository.ts"

/** For how long attempts are collected into one entry. */
const collectedMillis = 3_600_000

export class FailedSignIns extends Context.Service<FailedSignIns>()("@kanmon/identity/accounts/FailedSignIns", {
  make: Effect.gen(function* () {
    const repository = yield* FailedSignInRepository
    const audit = yield* AuditLog
    const transaction = yield* Transaction
    const scope = yield* Effect.scope

    const record = ({ accountId, attempts, email, factor, firstAt, lastAt, network }: Failed) =>
      audit
        .record([
          {
            action: "account.sign_in_failed",
            target: { id: accountId, name: email },
            accountId,
            before: {},
            after: { attempts, factor, from: toIso(firstAt), until: toIso(lastAt) }
          }
        ])
        // The person is unknown; only the network address is recorded.
        .pipe(
          Effect.provideService(CurrentActor, {
            actor: { kind: "system", id: null, name: "Kanmon" },
            address: network
          })
        )

    const recorded = (which: Parameters<FailedSignInRepository["Service"]["take"]>[0]) =>
      transaction.run(Effect.flatMap(repository.take(which), (all) => Effect.forEach(all, record, { discard: true })))

    return {
      /** Counts one, in the background: how long the answer takes must not tell whether there is such an account. */
      add: (named: Named, network: string, factor: Factor) =>
        Effect.gen(function* () {
          yield* repository.add(named, network, factor, yield* Clock.currentTimeMillis)
        }).pipe(
          Effect.catchCause((cause) => Effect.logWarning("A failed sign-in could not be counted", cause)),
          Effect.forkIn(scope),
          Effect.asVoid
        ),
      /** Writes the pending entries of an account immediately, so that its owner sees them after signing in. */
      recordOf: (account: UserId) => recorded({ account }),
      /** Writes the entries of what began more than an hour ago. */
      recordOld: Effect.flatMap(Clock.currentTimeMillis, (now) => recorded({ before: now - collectedMillis }))
    }
  })
}) {
  static readonly layer = Layer.effect(FailedSignIns, FailedSignIns.make).pipe(
    Layer.provide(FailedSignInRepository.layer)
  )
}
