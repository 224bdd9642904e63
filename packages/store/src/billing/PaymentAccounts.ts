/** Accounts as the payment provider knows them: their customers, and the one checkout of each that may be open. */
import type { UserId } from "@kanmon/domain/Ids"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** The page on which an account may be paying. */
export interface StoredCheckout {
  readonly sessionId: string
  readonly priceId: string
}

export class PaymentAccounts extends Context.Service<
  PaymentAccounts,
  {
    readonly customerOf: (userId: UserId) => Effect.Effect<string | undefined>
    /** Keeps an account's customer and returns it: of two at once, the first. */
    readonly keepCustomer: (userId: UserId, customerId: string) => Effect.Effect<string>
    /** Puts a customer in the place of one that the provider has lost; news of that one are nobody's then. */
    readonly replaceCustomer: (userId: UserId, former: string, customerId: string) => Effect.Effect<void>
    readonly accountOf: (customerId: string) => Effect.Effect<UserId | undefined>
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

      return PaymentAccounts.of({ customerOf, keepCustomer, replaceCustomer, accountOf, checkoutOf, replaceCheckout })
    })
  )
}
