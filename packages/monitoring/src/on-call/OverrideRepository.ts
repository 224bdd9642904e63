/** The table of overrides of on-call schedules. */
import type { OverrideId, ScheduleId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"
import { OverrideRow, type StoredOverride } from "./ScheduleRecords.ts"

export class OverrideRepository extends Context.Service<OverrideRepository>()(
  "@kanmon/monitoring/on-call/OverrideRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      return {
        /** The overrides of schedules that are not over at an instant, in the order of their creation. */
        open: Effect.fn("OverrideRepository.open")((scheduleIds: ReadonlyArray<ScheduleId>, at: EpochMillis) =>
          rows(sql`SELECT id, schedule_id AS "scheduleId", starts_at AS "from", ends_at AS "to", user_id AS "userId",
              replaces, created_by AS "createdBy", created_at AS "createdAt" FROM schedule_overrides
            WHERE schedule_id = ANY(${scheduleIds}::text[]) AND ends_at > ${new Date(at)} ORDER BY sequence`)
        ),
        insert: Effect.fn("OverrideRepository.insert")((override: StoredOverride) =>
          sql`INSERT INTO schedule_overrides
              (id, schedule_id, starts_at, ends_at, user_id, replaces, created_by, created_at)
            VALUES (${override.id}, ${override.scheduleId}, ${new Date(override.from)}, ${new Date(override.to)},
              ${override.userId}, ${override.replaces}, ${override.createdBy}, ${new Date(override.createdAt)})`.pipe(
            Effect.asVoid,
            Effect.orDie
          )
        ),
        /** Ends an override at an instant; one that begins later is deleted. */
        end: Effect.fn("OverrideRepository.end")(function* (id: OverrideId, at: EpochMillis) {
          yield* sql`DELETE FROM schedule_overrides WHERE id = ${id} AND starts_at >= ${new Date(at)}`
          yield* sql`UPDATE schedule_overrides SET ends_at = ${new Date(at)}
            WHERE id = ${id} AND ends_at > ${new Date(at)}`
        }, Effect.orDie)
      }
    })
  }
) {
  static readonly layer = Layer.effect(OverrideRepository, OverrideRepository.make)
}

const rows = Rows.all(OverrideRow)
