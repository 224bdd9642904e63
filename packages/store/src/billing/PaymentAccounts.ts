/** Accounts as the payment provider knows them: their customers, and the one checkout of each that may be open. */
import type { UserId } from "@kanmon/domain/Ids"
import { Clock, Context, Data, Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"

/** The page on which an account may be paying. */
export interface StoredCheckout {
  readonly sessionId: string
  readonly priceId: string
}

/** Others had the account's turn for too long. */
export class NoTurn extends Data.TaggedError("NoTurn") {}

/**
 * Longer than asking takes as a rule. Whoever takes longer, or died, does not keep the others: what counts against overtaking is
 * the version that `Subscriptions.record` compares.
 */
const turnMillis = 3_000
const patience = "20 seconds"
const nextLook = Schedule.jittered(Schedule.spaced("50 millis"))

export class PaymentAccounts extends Context.Service<
  PaymentAccounts,
  {
    readonly customerOf: (userId: UserId) => Effect.Effect<string | undefined>
    /** Keeps an account's customer and returns it: of two at once, the first. */
    readonly keepCustomer: (userId: UserId, customerId: string) => Effect.Effect<string>
    /** Puts a customer in the place of one that the provider has lost; news of that one are nobody's then. */
    readonly replaceCustomer: (userId: UserId, former: string, customerId: string) => Effect.Effect<void>
    readonly accountOf: (customerId: string) => Effect.Effect<UserId | undefined>
    /** Does something while nobody else does so for the account, in whichever process. */
    readonly inTurn: (userId: UserId) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | NoTurn, R>
    readonly checkoutOf: (userId: UserId) => Effect.Effect<StoredCheckout | undefined>
    /** Puts a checkout in the place of the one that was there; false when another one has come there since. */
    readonly replaceCheckout: (
      userId: UserId,
      former: string | undefined,
      checkout: StoredCheckout
    ) => Effect.Effect<boolean>
  }
>()("@kanmon/store/billing/PaymentAccounts") {
  static readonly layer = Layer.effect(
    PaymentAccounts,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const customerOf = Effect.fn("PaymentAccounts.customerOf")((userId: UserId) =>
        sql<{ customer_id: string }>`SELECT customer_id FROM payment_customers WHERE user_id = ${userId}`.pipe(
          Effect.map(([row]) => row?.customer_id),
          Effect.orDie
        )
      )

      const keepCustomer = Effect.fn("PaymentAccounts.keepCustomer")(function* (userId: UserId, customerId: string) {
        const now = new Date(yield* Clock.currentTimeMillis)
        yield* sql`INSERT INTO payment_customers (user_id, customer_id, created_at) VALUES (${userId}, ${customerId}, ${now})
          ON CONFLICT (user_id) DO NOTHING`
        return (yield* customerOf(userId)) ?? customerId
      }, Effect.orDie)

      const replaceCustomer: PaymentAccounts["Service"]["replaceCustomer"] = Effect.fn(
        "PaymentAccounts.replaceCustomer"
      )((userId, former, customerId) =>
        sql`UPDATE payment_customers SET customer_id = ${customerId}
          WHERE user_id = ${userId} AND customer_id = ${former}`.pipe(Effect.asVoid, Effect.orDie)
      )

      const accountOf = Effect.fn("PaymentAccounts.accountOf")((customerId: string) =>
        sql<{ user_id: UserId }>`SELECT user_id FROM payment_customers WHERE customer_id = ${customerId}`.pipe(
          Effect.map(([row]) => row?.user_id),
          Effect.orDie
        )
      )

      const takeTurn = Effect.fnUntraced(function* (userId: UserId) {
        const at = yield* Clock.currentTimeMillis
        const until = new Date(at + turnMillis)
        const [taken] = yield* sql`INSERT INTO payment_turns (user_id, held_until) VALUES (${userId}, ${until})
          ON CONFLICT (user_id) DO UPDATE SET held_until = EXCLUDED.held_until
          WHERE payment_turns.held_until <= ${new Date(at)} RETURNING user_id`
        return taken === undefined ? undefined : until
      }, Effect.orDie)

      // A turn that has passed to somebody else ends at another instant.
      const endTurn = (userId: UserId, until: Date | undefined) =>
        Effect.orDie(sql`DELETE FROM payment_turns WHERE user_id = ${userId} AND held_until = ${until}`)

      const inTurn: PaymentAccounts["Service"]["inTurn"] = (userId) => (effect) =>
        Effect.uninterruptibleMask((restore) =>
          takeTurn(userId).pipe(
            Effect.repeat({ until: (taken) => taken !== undefined, schedule: nextLook }),
            Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.fail(new NoTurn()) }),
            restore,
            Effect.flatMap((until) => Effect.ensuring(restore(effect), endTurn(userId, until)))
          )
        )

      const checkoutOf = Effect.fn("PaymentAccounts.checkoutOf")((userId: UserId) =>
        sql<{ session_id: string; price_id: string }>`SELECT session_id, price_id FROM checkouts
          WHERE user_id = ${userId}`.pipe(
          Effect.map(([row]) => (row === undefined ? undefined : { sessionId: row.session_id, priceId: row.price_id })),
          Effect.orDie
        )
      )

      const replaceCheckout: PaymentAccounts["Service"]["replaceCheckout"] = Effect.fn(
        "PaymentAccounts.replaceCheckout"
      )(function* (userId, former, { priceId, sessionId }) {
        const now = new Date(yield* Clock.currentTimeMillis)
        const written = yield* sql`INSERT INTO checkouts (user_id, session_id, price_id, created_at)
          VALUES (${userId}, ${sessionId}, ${priceId}, ${now})
          ON CONFLICT (user_id) DO UPDATE SET session_id = EXCLUDED.session_id, price_id = EXCLUDED.price_id,
            created_at = EXCLUDED.created_at
          WHERE checkouts.session_id IN (${former ?? sessionId}, ${sessionId}) RETURNING user_id`
        return written.length > 0
      }, Effect.orDie)

      return PaymentAccounts.of({
        customerOf,
        keepCustomer,
        replaceCustomer,
        accountOf,
        inTurn,
        checkoutOf,
        replaceCheckout
      })
    })
  )
}
