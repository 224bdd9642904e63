/** Rollups of results that arrived when those of their hour were in a block already: these are counted with them. */
import { MonitorId } from "@kanmon/domain/Ids"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import * as Rows from "@kanmon/platform/database/Rows"
import { Clock, Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { horizonOf, ResultBlockRepository } from "./ResultBlockRepository.ts"

/** How rollups read the results of `[from, to)`. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const blocks = yield* ResultBlockRepository

  const columns = sql.literal(
    ["monitor_id", "region", "scheduled_at", "slot", "checked_at", "status", "response_time", "timing"]
      .map((column) => `o.${column}`)
      .join(", ")
  )
  /** Whether results of the row's hour, monitor and region may be in a block. */
  const beside = sql`EXISTS (SELECT FROM result_blocks b WHERE b.monitor_id = o.monitor_id AND b.region = o.region
    AND b.first_at >= date_trunc('day', o.scheduled_at, 'UTC')
    AND b.first_at < date_trunc('hour', o.scheduled_at, 'UTC') + interval '1 hour'
    AND b.last_at >= date_trunc('hour', o.scheduled_at, 'UTC'))`

  return {
    /** Fills from rows, and then for each monitor, region and day of late results from these and from the block beside them. */
    fill: Effect.fnUntraced(function* (
      from: EpochMillis,
      to: EpochMillis,
      into: (results: Statement.Fragment) => Effect.Effect<void>
    ) {
      const closed = horizonOf(yield* Clock.currentTimeMillis)
      if (from >= closed) return yield* into(sql.literal("observations"))
      yield* into(sql`(SELECT ${columns} FROM observations o WHERE o.scheduled_at >= ${new Date(from)}
        AND o.scheduled_at < ${new Date(to)} AND NOT ${beside})`)
      const found = yield* late(sql`SELECT DISTINCT o.monitor_id AS id, o.region,
          date_trunc('day', o.scheduled_at, 'UTC') AS day
        FROM observations o WHERE o.scheduled_at >= ${new Date(from)} AND o.scheduled_at < ${new Date(Math.min(to, closed))}
          AND ${beside}`)
      for (const { day, id, region } of found) {
        const span = { from: Math.max(from, day), to: Math.min(to, day + dayMillis) }
        yield* blocks.within({ ids: [id], region, spans: [span] }, (results) =>
          into(sql`(SELECT ${columns} FROM ${results} o WHERE o.monitor_id = ${id} AND o.region = ${region}
            AND o.scheduled_at >= ${new Date(span.from)} AND o.scheduled_at < ${new Date(span.to)})`)
        )
      }
    })
  }
})

const late = Rows.all(Schema.Struct({ id: MonitorId, region: Schema.String, day: Rows.Time }))
