/** Failed attempts to sign in to accounts in the database, counted by network. */
import { UserId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

/** The factor that failed. */
const Factor = Schema.Literals(["password", "second factor"])
export type Factor = typeof Factor.Type

const Failed = Schema.Struct({
  accountId: UserId,
  email: Schema.String,
  network: Schema.String,
  factor: Factor,
  attempts: Schema.Number,
  firstAt: Rows.Time,
  lastAt: Rows.Time
})
export type Failed = typeof Failed.Type

/** An account, by what the attempt named. */
export type Named = { readonly email: string } | { readonly account: UserId }

export class FailedSignInRepository extends Context.Service<FailedSignInRepository>()(
  "@kanmon/identity/accounts/FailedSignInRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      /** Counts one; nothing where there is no such account. */
      const add = Effect.fn("FailedSignInRepository.add")(function* (
        named: Named,
        network: string,
        factor: Factor,
        at: EpochMillis
      ) {
        const of = "email" in named ? sql`lower(email) = ${named.email}` : sql`id = ${named.account}`
        yield* sql`INSERT INTO failed_sign_ins AS f (account_id, network, factor, attempts, first_at, last_at)
          SELECT id, ${network}, ${factor}, 1, ${new Date(at)}, ${new Date(at)} FROM users WHERE ${of}
          ON CONFLICT (account_id, network, factor) DO UPDATE SET attempts = f.attempts + 1, last_at = excluded.last_at`
      }, Effect.orDie)

      /** Takes out what began before an instant, or all of an account. */
      const take = Effect.fn("FailedSignInRepository.take")((
        which: { readonly before: EpochMillis } | { readonly account: UserId }
      ) => {
        const condition =
          "before" in which ? sql`f.first_at < ${new Date(which.before)}` : sql`f.account_id = ${which.account}`
        return Rows.all(
          Failed
        )(sql`DELETE FROM failed_sign_ins f USING users u WHERE u.id = f.account_id AND ${condition}
          RETURNING f.account_id AS "accountId", u.email, f.network, f.factor, f.attempts, f.first_at AS "firstAt",
            f.last_at AS "lastAt"`)
      })

      return { add, take }
    })
  }
) {
  static readonly layer = Layer.effect(FailedSignInRepository, FailedSignInRepository.make)
}
