/** The payment provider's customers and checkouts of accounts, and the turns of those that talk to it. */
import { OrganizationId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

const CheckoutRow = Schema.Struct({ sessionId: Schema.String, priceId: Schema.String })
/** The page on which an account may be paying. */
export type StoredCheckout = typeof CheckoutRow.Type

export class PaymentAccountRepository extends Context.Service<
  PaymentAccountRepository,
  {
    readonly findCustomer: (organizationId: OrganizationId) => Effect.Effect<string | undefined>
    readonly findOrganization: (customerId: string) => Effect.Effect<OrganizationId | undefined>
    /** Inserts the account's customer unless it has one. */
    readonly insertCustomer: (
      organizationId: OrganizationId,
      customerId: string,
      at: EpochMillis
    ) => Effect.Effect<void>
    readonly replaceCustomer: (
      organizationId: OrganizationId,
      former: string,
      customerId: string
    ) => Effect.Effect<void>
    /** Takes the account's turn until an instant; false when it is taken. */
    readonly takeTurn: (organizationId: OrganizationId, at: EpochMillis, until: EpochMillis) => Effect.Effect<boolean>
    readonly endTurn: (organizationId: OrganizationId, until: EpochMillis) => Effect.Effect<void>
    readonly findCheckout: (organizationId: OrganizationId) => Effect.Effect<StoredCheckout | undefined>
    /** Replaces `former`; false when another checkout has replaced it. */
    readonly replaceCheckout: (
      organizationId: OrganizationId,
      former: string | undefined,
      checkout: StoredCheckout,
      at: EpochMillis
    ) => Effect.Effect<boolean>
  }
>()("@kanmon/identity/billing/PaymentAccountRepository") {
  static readonly layer = Layer.effect(
    PaymentAccountRepository,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.asVoid(Effect.orDie(statement))

      return PaymentAccountRepository.of({
        findCustomer: (organizationId) =>
          customer(
            sql`SELECT customer_id AS "customerId" FROM payment_customers WHERE organization_id = ${organizationId}`
          ).pipe(Effect.map((row) => row?.customerId)),
        findOrganization: (customerId) =>
          account(
            sql`SELECT organization_id AS "organizationId" FROM payment_customers WHERE customer_id = ${customerId}`
          ).pipe(Effect.map((row) => row?.organizationId)),
        insertCustomer: (organizationId, customerId, at) =>
          run(sql`INSERT INTO payment_customers (organization_id, customer_id, created_at)
            VALUES (${organizationId}, ${customerId}, ${new Date(at)}) ON CONFLICT (organization_id) DO NOTHING`),
        replaceCustomer: (organizationId, former, customerId) =>
          run(sql`UPDATE payment_customers SET customer_id = ${customerId}
            WHERE organization_id = ${organizationId} AND customer_id = ${former}`),
        takeTurn: (organizationId, at, until) =>
          Rows.any(sql`INSERT INTO payment_turns (organization_id, held_until) VALUES (${organizationId}, ${new Date(until)})
            ON CONFLICT (organization_id) DO UPDATE SET held_until = EXCLUDED.held_until
            WHERE payment_turns.held_until <= ${new Date(at)} RETURNING organization_id`),
        endTurn: (organizationId, until) =>
          run(
            sql`DELETE FROM payment_turns WHERE organization_id = ${organizationId} AND held_until = ${new Date(until)}`
          ),
        findCheckout: (organizationId) =>
          checkout(
            sql`SELECT session_id AS "sessionId", price_id AS "priceId" FROM checkouts WHERE organization_id = ${organizationId}`
          ),
        replaceCheckout: (organizationId, former, { priceId, sessionId }, at) =>
          Rows.any(sql`INSERT INTO checkouts (organization_id, session_id, price_id, created_at)
            VALUES (${organizationId}, ${sessionId}, ${priceId}, ${new Date(at)})
            ON CONFLICT (organization_id) DO UPDATE SET session_id = EXCLUDED.session_id, price_id = EXCLUDED.price_id,
              created_at = EXCLUDED.created_at
            WHERE checkouts.session_id IN (${former ?? sessionId}, ${sessionId}) RETURNING organization_id`)
      })
    })
  )
}

const customer = Rows.first(Schema.Struct({ customerId: Schema.String }))
const account = Rows.first(Schema.Struct({ organizationId: OrganizationId }))
const checkout = Rows.first(CheckoutRow)
