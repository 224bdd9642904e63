/** The payment provider's customers and checkouts of accounts, and the turns of those that talk to it. */
import { UserId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "../platform/database/Rows.ts"

const CheckoutRow = Schema.Struct({ sessionId: Schema.String, priceId: Schema.String })
/** The page on which an account may be paying. */
export type StoredCheckout = typeof CheckoutRow.Type

export class PaymentAccountRepository extends Context.Service<
  PaymentAccountRepository,
  {
    readonly findCustomer: (userId: UserId) => Effect.Effect<string | undefined>
    readonly findAccount: (customerId: string) => Effect.Effect<UserId | undefined>
    /** Inserts the account's customer unless it has one. */
    readonly insertCustomer: (userId: UserId, customerId: string, at: EpochMillis) => Effect.Effect<void>
    readonly replaceCustomer: (userId: UserId, former: string, customerId: string) => Effect.Effect<void>
    /** Takes the account's turn until an instant; false when it is taken. */
    readonly takeTurn: (userId: UserId, at: EpochMillis, until: EpochMillis) => Effect.Effect<boolean>
    readonly endTurn: (userId: UserId, until: EpochMillis) => Effect.Effect<void>
    readonly findCheckout: (userId: UserId) => Effect.Effect<StoredCheckout | undefined>
    /** Replaces `former`; false when another checkout has replaced it. */
    readonly replaceCheckout: (
      userId: UserId,
      former: string | undefined,
      checkout: StoredCheckout,
      at: EpochMillis
    ) => Effect.Effect<boolean>
  }
>()("@kanmon/control-plane/billing/PaymentAccountRepository") {
  static readonly layer = Layer.effect(
    PaymentAccountRepository,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.asVoid(Effect.orDie(statement))

      return PaymentAccountRepository.of({
        findCustomer: (userId) =>
          customer(sql`SELECT customer_id AS "customerId" FROM payment_customers WHERE user_id = ${userId}`).pipe(
            Effect.map((row) => row?.customerId)
          ),
        findAccount: (customerId) =>
          account(sql`SELECT user_id AS "userId" FROM payment_customers WHERE customer_id = ${customerId}`).pipe(
            Effect.map((row) => row?.userId)
          ),
        insertCustomer: (userId, customerId, at) =>
          run(sql`INSERT INTO payment_customers (user_id, customer_id, created_at)
            VALUES (${userId}, ${customerId}, ${new Date(at)}) ON CONFLICT (user_id) DO NOTHING`),
        replaceCustomer: (userId, former, customerId) =>
          run(sql`UPDATE payment_customers SET customer_id = ${customerId}
            WHERE user_id = ${userId} AND customer_id = ${former}`),
        takeTurn: (userId, at, until) =>
          Rows.any(sql`INSERT INTO payment_turns (user_id, held_until) VALUES (${userId}, ${new Date(until)})
            ON CONFLICT (user_id) DO UPDATE SET held_until = EXCLUDED.held_until
            WHERE payment_turns.held_until <= ${new Date(at)} RETURNING user_id`),
        endTurn: (userId, until) =>
          run(sql`DELETE FROM payment_turns WHERE user_id = ${userId} AND held_until = ${new Date(until)}`),
        findCheckout: (userId) =>
          checkout(
            sql`SELECT session_id AS "sessionId", price_id AS "priceId" FROM checkouts WHERE user_id = ${userId}`
          ),
        replaceCheckout: (userId, former, { priceId, sessionId }, at) =>
          Rows.any(sql`INSERT INTO checkouts (user_id, session_id, price_id, created_at)
            VALUES (${userId}, ${sessionId}, ${priceId}, ${new Date(at)})
            ON CONFLICT (user_id) DO UPDATE SET session_id = EXCLUDED.session_id, price_id = EXCLUDED.price_id,
              created_at = EXCLUDED.created_at
            WHERE checkouts.session_id IN (${former ?? sessionId}, ${sessionId}) RETURNING user_id`)
      })
    })
  )
}

const customer = Rows.first(Schema.Struct({ customerId: Schema.String }))
const account = Rows.first(Schema.Struct({ userId: UserId }))
const checkout = Rows.first(CheckoutRow)
