/** The sessions of accounts, what programs of theirs wait for, and verifications: how they end. */
import type { UserId } from "@kanmon/domain/Ids"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

export class SessionRepository extends Context.Service<
  SessionRepository,
  {
    /**
     * Ends all sessions of an account, its impersonation sessions, and approved logins that no program has fetched,
     * because the holder of a session could have approved one for later. Returns the number of its own sessions that
     * ended.
     */
    readonly endAll: (userId: UserId) => Effect.Effect<number>
    /** Ends one session of an account, and such logins. Returns how many sessions ended. */
    readonly endOne: (userId: UserId, session: string) => Effect.Effect<number>
    /** Deletes sessions, verifications and logins of programs that have expired. */
    readonly deleteExpired: (now: EpochMillis) => Effect.Effect<void>
  }
>()("@kanmon/identity/users/SessionRepository") {
  static readonly layer = Layer.effect(
    SessionRepository,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const endLogins = (userId: UserId) => Effect.orDie(sql`DELETE FROM device_codes WHERE user_id = ${userId}`)

      return SessionRepository.of({
        endAll: Effect.fn("SessionRepository.endAll")(function* (userId) {
          const ended =
            yield* sessions(sql`DELETE FROM sessions WHERE user_id = ${userId} OR impersonated_by = ${userId}
            RETURNING user_id AS "userId"`)
          yield* endLogins(userId)
          return ended.filter((session) => session.userId === userId).length
        }),
        endOne: Effect.fn("SessionRepository.endOne")(function* (userId, session) {
          const ended = yield* sessions(sql`DELETE FROM sessions WHERE user_id = ${userId} AND id = ${session}
            RETURNING user_id AS "userId"`)
          yield* endLogins(userId)
          return ended.length
        }),
        deleteExpired: Effect.fnUntraced(function* (now) {
          yield* sql`DELETE FROM sessions WHERE expires_at < ${new Date(now)}`
          yield* sql`DELETE FROM verifications WHERE expires_at < ${new Date(now - dayMillis)}`
          yield* sql`DELETE FROM device_codes WHERE expires_at < ${new Date(now - dayMillis)}`
        }, Effect.orDie)
      })
    })
  )
}

const sessions = Rows.all(Schema.Struct({ userId: Schema.String }))
