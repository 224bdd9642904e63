/** The payment provider's customer of each account, and its open checkout. */
import type { UserId } from "@kanmon/domain/Ids"
import { Clock, Context, Data, Effect, Layer, Schedule } from "effect"
import { PaymentAccountRepository, type StoredCheckout } from "./PaymentAccountRepository.ts"

/** The account's lock was not available in time. */
export class NoTurn extends Data.TaggedError("NoTurn") {}

/**
 * Longer than a typical request. A process that is slower or died does not block the others; `Subscriptions.record` compares
 * versions, so late results are discarded.
 */
const turnMillis = 3_000
const requestTimeout = "20 seconds"
const nextLook = Schedule.jittered(Schedule.spaced("50 millis"))

export class PaymentAccounts extends Context.Service<
  PaymentAccounts,
  {
    readonly customerOf: (userId: UserId) => Effect.Effect<string | undefined>
    /** Stores an account's customer and returns it; of two concurrent calls, the first one's. */
    readonly keepCustomer: (userId: UserId, customerId: string) => Effect.Effect<string>
    /** Replaces a customer that the provider has lost; its events are then ignored. */
    readonly replaceCustomer: (userId: UserId, former: string, customerId: string) => Effect.Effect<void>
    readonly accountOf: (customerId: string) => Effect.Effect<UserId | undefined>
    /** Runs an effect under the account's lock, which all processes share. */
    readonly inTurn: (userId: UserId) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | NoTurn, R>
    readonly checkoutOf: (userId: UserId) => Effect.Effect<StoredCheckout | undefined>
    /** Replaces the stored checkout; false if another one was stored meanwhile. */
    readonly replaceCheckout: (
      userId: UserId,
      former: string | undefined,
      checkout: StoredCheckout
    ) => Effect.Effect<boolean>
  }
>()("@kanmon/control-plane/billing/PaymentAccounts") {
  static readonly layer = Layer.effect(
    PaymentAccounts,
    Effect.gen(function* () {
      const repository = yield* PaymentAccountRepository

      const keepCustomer: PaymentAccounts["Service"]["keepCustomer"] = Effect.fn("PaymentAccounts.keepCustomer")(
        function* (userId, customerId) {
          yield* repository.insertCustomer(userId, customerId, yield* Clock.currentTimeMillis)
          return (yield* repository.findCustomer(userId)) ?? customerId
        }
      )

      const takeTurn = Effect.fnUntraced(function* (userId: UserId) {
        const at = yield* Clock.currentTimeMillis
        return (yield* repository.takeTurn(userId, at, at + turnMillis)) ? at + turnMillis : undefined
      })

      // A turn that another process has taken over ends at a different instant, so it is not deleted here.
      const endTurn = (userId: UserId, until: number | undefined) =>
        until === undefined ? Effect.void : repository.endTurn(userId, until)

      const inTurn: PaymentAccounts["Service"]["inTurn"] = (userId) => (effect) =>
        Effect.uninterruptibleMask((restore) =>
          takeTurn(userId).pipe(
            Effect.repeat({ until: (until) => until !== undefined, schedule: nextLook }),
            Effect.timeoutOrElse({ duration: requestTimeout, orElse: () => Effect.fail(new NoTurn()) }),
            restore,
            Effect.flatMap((until) => Effect.ensuring(restore(effect), endTurn(userId, until)))
          )
        )

      const replaceCheckout: PaymentAccounts["Service"]["replaceCheckout"] = Effect.fn(
        "PaymentAccounts.replaceCheckout"
      )(function* (userId, former, checkout) {
        return yield* repository.replaceCheckout(userId, former, checkout, yield* Clock.currentTimeMillis)
      })

      return PaymentAccounts.of({
        customerOf: repository.findCustomer,
        keepCustomer,
        replaceCustomer: repository.replaceCustomer,
        accountOf: repository.findAccount,
        inTurn,
        checkoutOf: repository.findCheckout,
        replaceCheckout
      })
    })
  ).pipe(Layer.provide(PaymentAccountRepository.layer))
}
