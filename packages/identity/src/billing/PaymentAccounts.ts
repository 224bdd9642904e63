/** The payment provider's customer of each account, and its open checkout. */
import type { OrganizationId } from "@kanmon/domain/Ids"
import { Clock, Context, Data, Effect, Layer, Schedule } from "effect"
import { PaymentAccountRepository, type StoredCheckout } from "./PaymentAccountRepository.ts"

/** The account's lock was not available in time. */
class NoTurn extends Data.TaggedError("NoTurn") {}

/**
 * Longer than a typical request. A process that is slower or died does not block the others; `Subscriptions.record` compares
 * versions, so late results are discarded.
 */
const turnMillis = 3_000
const requestTimeout = "20 seconds"
const nextLook = Schedule.jittered(Schedule.spaced("50 millis"))

export class PaymentAccounts extends Context.Service<PaymentAccounts>()("@kanmon/identity/billing/PaymentAccounts", {
  make: Effect.gen(function* () {
    const repository = yield* PaymentAccountRepository

    /** Stores an account's customer and returns it. Two concurrent calls both return the first one's. */
    const keepCustomer = Effect.fn("PaymentAccounts.keepCustomer")(function* (
      organizationId: OrganizationId,
      customerId: string
    ) {
      yield* repository.insertCustomer(organizationId, customerId, yield* Clock.currentTimeMillis)
      return (yield* repository.findCustomer(organizationId)) ?? customerId
    })

    const takeTurn = Effect.fnUntraced(function* (organizationId: OrganizationId) {
      const at = yield* Clock.currentTimeMillis
      return (yield* repository.takeTurn(organizationId, at, at + turnMillis)) ? at + turnMillis : undefined
    })

    // A turn that another process has taken over ends at a different instant, so it is not deleted here.
    const endTurn = (organizationId: OrganizationId, until: number | undefined) =>
      until === undefined ? Effect.void : repository.endTurn(organizationId, until)

    /** Runs an effect under the account's lock, which all processes share. */
    const inTurn =
      (organizationId: OrganizationId) =>
      <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.uninterruptibleMask((restore) =>
          takeTurn(organizationId).pipe(
            Effect.repeat({ until: (until) => until !== undefined, schedule: nextLook }),
            Effect.timeoutOrElse({ duration: requestTimeout, orElse: () => Effect.fail(new NoTurn()) }),
            restore,
            Effect.flatMap((until) => Effect.ensuring(restore(effect), endTurn(organizationId, until)))
          )
        )

    /** Replaces the stored checkout; false if another one was stored meanwhile. */
    const replaceCheckout = Effect.fn("PaymentAccounts.replaceCheckout")(function* (
      organizationId: OrganizationId,
      former: string | undefined,
      checkout: StoredCheckout
    ) {
      return yield* repository.replaceCheckout(organizationId, former, checkout, yield* Clock.currentTimeMillis)
    })

    return {
      customerOf: repository.findCustomer,
      keepCustomer,
      /** Replaces a customer that the provider has lost; its events are then ignored. */
      replaceCustomer: repository.replaceCustomer,
      organizationOf: repository.findOrganization,
      inTurn,
      checkoutOf: repository.findCheckout,
      replaceCheckout
    }
  })
}) {
  static readonly layer = Layer.effect(PaymentAccounts, PaymentAccounts.make).pipe(
    Layer.provide(PaymentAccountRepository.layer)
  )
}
