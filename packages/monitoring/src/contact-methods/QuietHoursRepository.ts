/** The table of people's quiet hours. */
import { UserId } from "@kanmon/domain/Ids"
import type { QuietHours } from "@kanmon/domain/QuietHours"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import * as Rows from "@kanmon/platform/database/Rows"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { storedQuietHours } from "../channels/index.ts"

export class QuietHoursRepository extends Context.Service<QuietHoursRepository>()(
  "@kanmon/monitoring/contact-methods/QuietHoursRepository",
  {
    make: Effect.map(SqlClient.SqlClient, (sql) => ({
      /** The quiet hours of those people who have some. */
      ofUsers: (userIds: ReadonlyArray<UserId>) =>
        rows(sql`SELECT user_id AS "userId", quiet_hours AS "quietHours" FROM personal_quiet_hours
            WHERE user_id = ANY(${userIds}::text[])`).pipe(
          Effect.map(
            (found) => new Map(found.map(({ quietHours, userId }) => [userId, storedQuietHours.decode(quietHours)]))
          )
        ),
      /** Replaces the quiet hours of a person; null: they have none. */
      save: (userId: UserId, quietHours: QuietHours | null, at: EpochMillis) =>
        Effect.orDie(
          Effect.asVoid(
            quietHours === null
              ? sql`DELETE FROM personal_quiet_hours WHERE user_id = ${userId}`
              : sql`INSERT INTO personal_quiet_hours (user_id, quiet_hours, updated_at)
                    VALUES (${userId}, ${JSON.stringify(storedQuietHours.encode(quietHours))}::jsonb, ${new Date(at)})
                    ON CONFLICT (user_id)
                      DO UPDATE SET quiet_hours = EXCLUDED.quiet_hours, updated_at = EXCLUDED.updated_at`
          )
        )
    }))
  }
) {
  static readonly layer = Layer.effect(QuietHoursRepository, QuietHoursRepository.make)
}

const rows = Rows.all(Schema.Struct({ userId: UserId, quietHours: Schema.Unknown }))
