/** The payment provider's customers and checkouts of accounts, and the turns of those that talk to it. */
import { OrganizationId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

const CheckoutRow = Schema.Struct({ sessionId: Schema.String, priceId: Schema.String })
/** The page on which an account may be paying. */
export type StoredCheckout = typeof CheckoutRow.Type

export class PaymentAccountRepository extends Context.Service<PaymentAccountRepository>()(
  "@kanmon/identity/billing/PaymentAccountRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.asVoid(Effect.orDie(statement))

      return {
        findCustomer: (organizationId: OrganizationId) =>
          customer(
            sql`SELECT customer_id AS "customerId" FROM payment_customers WHERE organization_id = ${organizationId}`
          ).pipe(Effect.map((row) => row?.customerId)),
        findOrganization: (customerId: string) =>
          account(
            sql`SELECT organization_id AS "organizationId" FROM payment_customers WHERE customer_id = ${customerId}`
          ).pipe(Effect.map((row) => row?.organizationId)),
        /** Inserts the account's customer unless it has one. */
        insertCustomer: (organizationId: OrganizationId, customerId: string, at: EpochMillis) =>
          run(sql`INSERT INTO payment_customers (organization_id, customer_id, created_at)
            VALUES (${organizationId}, ${customerId}, ${new Date(at)}) ON CONFLICT (organization_id) DO NOTHING`),
        replaceCustomer: (organizationId: OrganizationId, former: string, customerId: string) =>
          run(sql`UPDATE payment_customers SET customer_id = ${customerId}
            WHERE organization_id = ${organizationId} AND customer_id = ${former}`),
        /** Takes the account's turn until an instant; false when it is taken. */
        takeTurn: (organizationId: OrganizationId, at: EpochMillis, until: EpochMillis) =>
          Rows.any(sql`INSERT INTO payment_turns (organization_id, held_until) VALUES (${organizationId}, ${new Date(until)})
            ON CONFLICT (organization_id) DO UPDATE SET held_until = EXCLUDED.held_until
            WHERE payment_turns.held_until <= ${new Date(at)} RETURNING organization_id`),
        endTurn: (organizationId: OrganizationId, until: EpochMillis) =>
          run(
            sql`DELETE FROM payment_turns WHERE organization_id = ${organizationId} AND held_until = ${new Date(until)}`
          ),
        findCheckout: (organizationId: OrganizationId) =>
          checkout(
            sql`SELECT session_id AS "sessionId", price_id AS "priceId" FROM checkouts WHERE organization_id = ${organizationId}`
          ),
        /** Replaces `former`; false when another checkout has replaced it. */
        replaceCheckout: (
          organizationId: OrganizationId,
          former: string | undefined,
          { priceId, sessionId }: StoredCheckout,
          at: EpochMillis
        ) =>
          Rows.any(sql`INSERT INTO checkouts (organization_id, session_id, price_id, created_at)
            VALUES (${organizationId}, ${sessionId}, ${priceId}, ${new Date(at)})
            ON CONFLICT (organization_id) DO UPDATE SET session_id = EXCLUDED.session_id, price_id = EXCLUDED.price_id,
              created_at = EXCLUDED.created_at
            WHERE checkouts.session_id IN (${former ?? sessionId}, ${sessionId}) RETURNING organization_id`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(PaymentAccountRepository, PaymentAccountRepository.make)
}

const customer = Rows.first(Schema.Struct({ customerId: Schema.String }))
const account = Rows.first(Schema.Struct({ organizationId: OrganizationId }))
const checkout = Rows.first(CheckoutRow)
