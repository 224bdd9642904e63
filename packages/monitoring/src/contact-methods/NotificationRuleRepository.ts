/** The table of notification rules: which contact methods people are notified by, per severity. */
import { UserId } from "@kanmon/domain/Ids"
import { NotificationList, type NotificationLists } from "@kanmon/domain/NotificationRules"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import * as Persisted from "@kanmon/platform/database/Persisted"
import * as Rows from "@kanmon/platform/database/Rows"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"

const stored = Persisted.make(
  Schema.Struct({
    critical: Schema.optionalKey(NotificationList),
    warning: Schema.optionalKey(NotificationList),
    info: Schema.optionalKey(NotificationList)
  })
)

export class NotificationRuleRepository extends Context.Service<NotificationRuleRepository>()(
  "@kanmon/monitoring/contact-methods/NotificationRuleRepository",
  {
    make: Effect.map(SqlClient.SqlClient, (sql) => ({
      /** The rules of those accounts that have set some. */
      ofUsers: (userIds: ReadonlyArray<UserId>) =>
        rows(sql`SELECT user_id AS "userId", rules FROM notification_rules
            WHERE user_id = ANY(${userIds}::text[])`).pipe(
          Effect.map((found) => new Map(found.map(({ rules, userId }) => [userId, stored.decode(rules)])))
        ),
      save: (userId: UserId, lists: NotificationLists, at: EpochMillis) => {
        const json = JSON.stringify(stored.encode(lists))
        return Effect.orDie(
          Effect.asVoid(sql`INSERT INTO notification_rules (user_id, rules, updated_at)
              VALUES (${userId}, ${json}::jsonb, ${new Date(at)})
              ON CONFLICT (user_id) DO UPDATE SET rules = EXCLUDED.rules, updated_at = EXCLUDED.updated_at`)
        )
      }
    }))
  }
) {
  static readonly layer = Layer.effect(NotificationRuleRepository, NotificationRuleRepository.make)
}

const rows = Rows.all(Schema.Struct({ userId: UserId, rules: Schema.Unknown }))
