/** Counts of failed sign-ins, by account and network, and the networks from which an account has sessions. */
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

/** Where failures of an account are counted. The account is a digest; an empty network stands for all unknown ones. */
export interface FailureKey {
  readonly account: string
  readonly network: string
}

const Failures = Schema.Struct({ count: Schema.Number, lastAt: Rows.Time })

export class SignInFailureRepository extends Context.Service<SignInFailureRepository>()(
  "@kanmon/identity/accounts/SignInFailureRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const at = ({ account, network }: FailureKey) => sql`account = ${account} AND network = ${network}`

      /** The addresses of the sessions of an account, found by its normalized e-mail address. */
      const sessionAddresses = Effect.fn("SignInFailureRepository.sessionAddresses")((email: string) =>
        Effect.map(
          Rows.all(Schema.Struct({ address: Schema.String }))(sql`SELECT DISTINCT s.ip_address AS address
            FROM sessions s JOIN users u ON u.id = s.user_id
            WHERE lower(u.email) = ${email} AND s.ip_address IS NOT NULL AND s.impersonated_by IS NULL`),
          (rows) => rows.map(({ address }) => address)
        )
      )

      // Writes the existing count again to lock the row.
      /** The failures of a key, which are locked until the transaction ends. */
      const lock = Effect.fn("SignInFailureRepository.lock")(({ account, network }: FailureKey, now: EpochMillis) =>
        Rows.one(Failures)(sql`INSERT INTO sign_in_failures AS f (account, network, count, last_at)
          VALUES (${account}, ${network}, 0, ${new Date(now)})
          ON CONFLICT (account, network) DO UPDATE SET count = f.count RETURNING count, last_at AS "lastAt"`)
      )

      const save = Effect.fn("SignInFailureRepository.save")(function* (
        key: FailureKey,
        count: number,
        now: EpochMillis
      ) {
        yield* sql`UPDATE sign_in_failures SET count = ${count}, last_at = ${new Date(now)} WHERE ${at(key)}`
      }, Effect.orDie)

      const remove = Effect.fn("SignInFailureRepository.remove")(function* (key: FailureKey) {
        yield* sql`DELETE FROM sign_in_failures WHERE ${at(key)}`
      }, Effect.orDie)

      /** Counts one failure less. */
      const decrement = Effect.fn("SignInFailureRepository.decrement")(function* (key: FailureKey) {
        yield* sql`UPDATE sign_in_failures SET count = greatest(count - 1, 0) WHERE ${at(key)}`
      }, Effect.orDie)

      /** Removes the failures of an account in all networks. */
      const removeAll = Effect.fn("SignInFailureRepository.removeAll")(function* (account: string) {
        yield* sql`DELETE FROM sign_in_failures WHERE account = ${account}`
      }, Effect.orDie)

      /** Removes the failures of keys that had none since an instant. */
      const removeBefore = Effect.fn("SignInFailureRepository.removeBefore")(function* (instant: EpochMillis) {
        yield* sql`DELETE FROM sign_in_failures WHERE last_at < ${new Date(instant)}`
      }, Effect.orDie)

      return { sessionAddresses, lock, save, remove, decrement, removeAll, removeBefore }
    })
  }
) {
  static readonly layer = Layer.effect(SignInFailureRepository, SignInFailureRepository.make)
}
