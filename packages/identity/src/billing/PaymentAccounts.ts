/** The payment provider's customer of each account, and its open checkout. */
import type { OrganizationId } from "@kanmon/domain/Ids"
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
    readonly customerOf: (organizationId: OrganizationId) => Effect.Effect<string | undefined>
    /** Stores an account's customer and returns it. Two concurrent calls both return the first one's. */
    readonly keepCustomer: (organizationId: OrganizationId, customerId: string) => Effect.Effect<string>
    /** Replaces a customer that the provider has lost; its events are then ignored. */
    readonly replaceCustomer: (
      organizationId: OrganizationId,
      former: string,
      customerId: string
    ) => Effect.Effect<void>
    readonly organizationOf: (customerId: string) => Effect.Effect<OrganizationId | undefined>
    /** Runs an effect under the account's lock, which all processes share. */
    readonly inTurn: (
      organizationId: OrganizationId
    ) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | NoTurn, R>
    readonly checkoutOf: (organizationId: OrganizationId) => Effect.Effect<StoredCheckout | undefined>
    /** Replaces the stored checkout; false if another one was stored meanwhile. */
    readonly replaceCheckout: (
      organizationId: OrganizationId,
      former: string | undefined,
      checkout: StoredCheckout
    ) => Effect.Effect<boolean>
  }
>()("@kanmon/identity/billing/PaymentAccounts") {
  static readonly layer = Layer.effect(
    PaymentAccounts,
    Effect.gen(function* () {
      const repository = yield* PaymentAccountRepository

      const keepCustomer: PaymentAccounts["Service"]["keepCustomer"] = Effect.fn("PaymentAccounts.keepCustomer")(
        function* (organizationId, customerId) {
          yield* repository.insertCustomer(organizationId, customerId, yield* Clock.currentTimeMillis)
          return (yield* repository.findCustomer(organizationId)) ?? customerId
        }
      )

      const takeTurn = Effect.fnUntraced(function* (organizationId: OrganizationId) {
        const at = yield* Clock.currentTimeMillis
        return (yield* repository.takeTurn(organizationId, at, at + turnMillis)) ? at + turnMillis : undefined
      })

      // A turn that another process has taken over ends at a different instant, so it is not deleted here.
      const endTurn = (organizationId: OrganizationId, until: number | undefined) =>
        until === undefined ? Effect.void : repository.endTurn(organizationId, until)

      const inTurn: PaymentAccounts["Service"]["inTurn"] = (organizationId) => (effect) =>
        Effect.uninterruptibleMask((restore) =>
          takeTurn(organizationId).pipe(
            Effect.repeat({ until: (until) => until !== undefined, schedule: nextLook }),
            Effect.timeoutOrElse({ duration: requestTimeout, orElse: () => Effect.fail(new NoTurn()) }),
            restore,
            Effect.flatMap((until) => Effect.ensuring(restore(effect), endTurn(organizationId, until)))
          )
        )

      const replaceCheckout: PaymentAccounts["Service"]["replaceCheckout"] = Effect.fn(
        "PaymentAccounts.replaceCheckout"
      )(function* (organizationId, former, checkout) {
        return yield* repository.replaceCheckout(organizationId, former, checkout, yield* Clock.currentTimeMillis)
      })

      return PaymentAccounts.of({
        customerOf: repository.findCustomer,
        keepCustomer,
        replaceCustomer: repository.replaceCustomer,
        organizationOf: repository.findOrganization,
        inTurn,
        checkoutOf: repository.findCheckout,
        replaceCheckout
      })
    })
  ).pipe(Layer.provide(PaymentAccountRepository.layer))
}
