/** Database transactions, and the work that follows their commit. */
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { databaseDies } from "./database/Database.ts"

/**
 * The only way to change several records together. A nested run joins the outer transaction. A transaction that
 * PostgreSQL aborts is run again, so effects inside must have no side effects besides the database; those belong into
 * `afterCommit`. Failures of the database are defects.
 */
export class Transaction extends Context.Service<Transaction>()("@kanmon/platform/Transaction", {
  make: Effect.map(SqlClient.SqlClient, (sql) => ({
    run: <A, E, R>(effect: Effect.Effect<A, E, R>) => databaseDies(sql.withTransaction(effect)),
    /**
     * Registers work for after the commit of the current transaction, such as waking a worker; without a transaction it
     * runs immediately. The work is lost if the process dies: guaranteed work belongs in the outbox.
     */
    afterCommit: sql.afterCommit,
    /** Whether the caller is in a transaction. */
    isOpen: Effect.map(Effect.serviceOption(sql.transactionService), Option.isSome)
  }))
}) {
  static readonly layer = Layer.effect(Transaction, Transaction.make)
}
