/** The progress of filling periods, under a lock. All rollups use it. */
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

/** The progress of the rollups with this lock id. */
export const make = (sql: SqlClient.SqlClient, lockId: number) => {
  const instant = (statement: Statement.Statement<unknown>): Effect.Effect<EpochMillis | undefined> =>
    Effect.map(instants(statement), (row) => row?.at ?? undefined)
  return {
    instant,
    tryLock: Effect.map(flag(sql`SELECT pg_try_advisory_xact_lock(${lockId}::bigint) AS free`), ({ free }) => free),
    saveProgress: (period: string, to: EpochMillis) =>
      Effect.orDie(
        Effect.asVoid(sql`INSERT INTO rollup_progress (name, closed_until) VALUES (${period}, ${new Date(to)})
          ON CONFLICT (name) DO UPDATE SET closed_until = EXCLUDED.closed_until`)
      ),
    findFirstObservation: instant(sql`SELECT min(scheduled_at) AS at FROM observations`)
  }
}

const flag = Rows.one(Schema.Struct({ free: Schema.Boolean }))
const instants = Rows.first(Schema.Struct({ at: Schema.NullOr(Rows.Time) }))
