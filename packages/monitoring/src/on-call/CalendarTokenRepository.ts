/** The table of calendar addresses of schedules and people. A token is stored as its hash alone. */
import { type OrganizationId, ScheduleId, UserId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

/** The owner of a calendar. */
export type CalendarOwner = { readonly scheduleId: ScheduleId } | { readonly userId: UserId }

const TokenRow = Schema.Struct({ createdAt: Rows.Time, lastUsedAt: Schema.NullOr(Rows.Time) })

const OwnerRow = Schema.Struct({ scheduleId: Schema.NullOr(ScheduleId), userId: Schema.NullOr(UserId) })

export class CalendarTokenRepository extends Context.Service<CalendarTokenRepository>()(
  "@kanmon/monitoring/on-call/CalendarTokenRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const of = (owner: CalendarOwner) =>
        "userId" in owner ? sql`user_id = ${owner.userId}` : sql`schedule_id = ${owner.scheduleId}`

      return {
        find: (owner: CalendarOwner) =>
          token(sql`SELECT created_at AS "createdAt", last_used_at AS "lastUsedAt" FROM calendar_tokens
            WHERE ${of(owner)}`),
        /** Replaces the token of a calendar, which stops working at once. */
        replace: Effect.fn("CalendarTokenRepository.replace")(function* (
          owner: CalendarOwner,
          tokenHash: string,
          at: EpochMillis
        ) {
          const [scheduleId, userId] = "userId" in owner ? [null, owner.userId] : [owner.scheduleId, null]
          yield* sql`DELETE FROM calendar_tokens WHERE ${of(owner)}`
          yield* sql`INSERT INTO calendar_tokens (token_hash, schedule_id, user_id, created_at)
            VALUES (${tokenHash}, ${scheduleId}, ${userId}, ${new Date(at)})`
        }, Effect.orDie),
        /** Ends the token of a calendar; false when it had none. */
        remove: (owner: CalendarOwner) => Rows.any(sql`DELETE FROM calendar_tokens WHERE ${of(owner)} RETURNING 1`),
        /** The owner of a token; notes its use, accurate to an hour. */
        use: Effect.fn("CalendarTokenRepository.use")(function* (tokenHash: string, at: EpochMillis) {
          const found = yield* tokenOwner(sql`SELECT schedule_id AS "scheduleId", user_id AS "userId"
            FROM calendar_tokens WHERE token_hash = ${tokenHash}`)
          if (found === undefined) return undefined
          yield* sql`UPDATE calendar_tokens SET last_used_at = ${new Date(at)} WHERE token_hash = ${tokenHash}
            AND (last_used_at IS NULL OR last_used_at < ${new Date(at - 3_600_000)})`
          return found
        }, Effect.orDie),
        /** Ends the tokens of all schedules of an organization. */
        endShared: (id: OrganizationId) =>
          Effect.asVoid(
            Effect.orDie(sql`DELETE FROM calendar_tokens
              WHERE schedule_id IN (SELECT s.id FROM schedules s WHERE s.organization_id = ${id})`)
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(CalendarTokenRepository, CalendarTokenRepository.make)
}

const token = Rows.first(TokenRow)
const tokenOwner = Rows.first(OwnerRow)
