/**
 * Failed attempts to sign in, by e-mail address, whether it has an account or not: what is answered must not tell. Networks
 * from which the account has a session are counted apart, so that a stranger's guesses do not keep its owner out.
 */
import { normalizeEmail } from "@kanmon/domain/EmailAddress"
import { failedAgain, nextAttemptAt } from "@kanmon/domain/SignInDelay"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Secrets } from "../database/Secrets.ts"

/** An attempt that may be made. It counts as failed until it is known to be good. */
export interface Attempt {
  /** The password was right: the account's failures are forgotten where they were counted. */
  readonly succeeded: Effect.Effect<void>
  /** It says nothing of the password: it was cut short, or refused for another reason. */
  readonly withdrawn: Effect.Effect<void>
}

export type Begun = Attempt | { readonly blockedUntil: EpochMillis }

export class SignInAttempts extends Context.Service<
  SignInAttempts,
  {
    /** `networkOf` reduces an address to what one party can call from; `network` is the caller's. */
    readonly begin: (email: string, network: string, networkOf: (address: string) => string) => Effect.Effect<Begun>
    /** Lifts every pause of an e-mail address. */
    readonly forget: (email: string) => Effect.Effect<void>
  }
>()("@kanmon/store/accounts/SignInAttempts") {
  static readonly layer = Layer.effect(
    SignInAttempts,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      const nameOf = (email: string) => secrets.digest(`sign-in:${normalizeEmail(email)}`)

      const begin: SignInAttempts["Service"]["begin"] = Effect.fn("SignInAttempts.begin")(function* (
        email,
        network,
        networkOf
      ) {
        const account = nameOf(email)
        const sessions = yield* sql<{ ip_address: string | null }>`SELECT DISTINCT s.ip_address
            FROM sessions s JOIN users u ON u.id = s.user_id WHERE lower(u.email) = ${normalizeEmail(email)}`
        const known = sessions.some(({ ip_address: address }) => address !== null && networkOf(address) === network)
        const place = known ? network : ""
        const now = yield* Clock.currentTimeMillis
        const row = sql`account = ${account} AND network = ${place}`
        return yield* sql.withTransaction(
          Effect.gen(function* () {
            // Writes what is there already, to hold the row until the transaction ends.
            const [{ count, last_at }] =
              (yield* sql`INSERT INTO sign_in_failures AS f (account, network, count, last_at)
                VALUES (${account}, ${place}, 0, ${new Date(now)})
                ON CONFLICT (account, network) DO UPDATE SET count = f.count RETURNING count, last_at`) as [
                { count: number; last_at: Date }
              ]
            const before = { count, lastAt: last_at.getTime() }
            const blockedUntil = nextAttemptAt(before)
            if (blockedUntil > now) return { blockedUntil }
            const after = failedAgain(before, now)
            yield* sql`UPDATE sign_in_failures SET count = ${after.count}, last_at = ${new Date(now)} WHERE ${row}`
            return {
              succeeded: sql`DELETE FROM sign_in_failures WHERE ${row}`.pipe(Effect.asVoid, Effect.orDie),
              withdrawn: sql`UPDATE sign_in_failures SET count = greatest(count - 1, 0) WHERE ${row}`.pipe(
                Effect.asVoid,
                Effect.orDie
              )
            }
          })
        )
      }, Effect.orDie)

      const forget: SignInAttempts["Service"]["forget"] = Effect.fn("SignInAttempts.forget")((email) =>
        sql`DELETE FROM sign_in_failures WHERE account = ${nameOf(email)}`.pipe(Effect.asVoid, Effect.orDie)
      )

      return SignInAttempts.of({ begin, forget })
    })
  )
}
