/** The sessions of accounts, what programs of theirs wait for, and verifications: how they end. */
import type { UserId } from "@kanmon/domain/Ids"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

export class SessionRepository extends Context.Service<SessionRepository>()(
  "@kanmon/identity/users/SessionRepository",
  {
    make: Effect.map(SqlClient.SqlClient, (sql) => {
      const endLogins = (userId: UserId) => Effect.orDie(sql`DELETE FROM device_codes WHERE user_id = ${userId}`)

      return {
        /**
         * Ends all sessions of an account, its impersonation sessions, and approved logins that no program has fetched,
         * because the holder of a session could have approved one for later. Returns the number of its own sessions that
         * ended.
         */
        endAll: Effect.fn("SessionRepository.endAll")(function* (userId: UserId) {
          const ended =
            yield* sessions(sql`DELETE FROM sessions WHERE user_id = ${userId} OR impersonated_by = ${userId}
            RETURNING user_id AS "userId"`)
          yield* endLogins(userId)
          return ended.filter((session) => session.userId === userId).length
        }),
        /** Ends one session of an account, and such logins. Returns how many sessions ended. */
        endOne: Effect.fn("SessionRepository.endOne")(function* (userId: UserId, session: string) {
          const ended = yield* sessions(sql`DELETE FROM sessions WHERE user_id = ${userId} AND id = ${session}
            RETURNING user_id AS "userId"`)
          yield* endLogins(userId)
          return ended.length
        }),
        /** Deletes sessions, verifications and logins of programs that have expired. */
        deleteExpired: Effect.fnUntraced(function* (now: EpochMillis) {
          yield* sql`DELETE FROM sessions WHERE expires_at < ${new Date(now)}`
          yield* sql`DELETE FROM verifications WHERE expires_at < ${new Date(now - dayMillis)}`
          yield* sql`DELETE FROM device_codes WHERE expires_at < ${new Date(now - dayMillis)}`
        }, Effect.orDie)
      }
    })
  }
) {
  static readonly layer = Layer.effect(SessionRepository, SessionRepository.make)
}

const sessions = Rows.all(Schema.Struct({ userId: Schema.String }))
