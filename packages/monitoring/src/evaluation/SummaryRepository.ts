/** The table of summaries: the uptime and the mean and median response time of each monitor over the last 24 hours. */
import type { MonitorId } from "@kanmon/domain/Ids"
import { growth, packing, smallest } from "@kanmon/domain/Sketch"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** Uptime in percent; null without data. */
interface MeasuredUptime {
  readonly id: MonitorId
  readonly uptime: number | null
}

export class SummaryRepository extends Context.Service<SummaryRepository>()(
  "@kanmon/monitoring/evaluation/SummaryRepository",
  {
    make: Effect.map(SqlClient.SqlClient, (sql) => {
      const one = sql.literal(String(packing))
      // As `valueOf` of domain/Sketch.
      const valueOfBucket = sql.literal(
        `CASE WHEN min(bucket) <= 0 THEN ${smallest} ELSE ${(smallest * 2) / (growth + 1)} * power(${growth}, min(bucket)) END`
      )
      return {
        /**
         * Saves the uptime of monitors with their response times: the mean of the hours that are rolled up, and of the newest results
         * before there is one; the median of the hours that are rolled up. Writes only what has changed.
         */
        save: (measured: ReadonlyArray<MeasuredUptime>, now: EpochMillis) =>
          sql`INSERT INTO monitor_summaries (monitor_id, uptime_24h, response_time_24h, median_24h, measured_at)
            SELECT s.monitor_id, v.uptime, COALESCE(
                (SELECT sum(response_time_sum) / NULLIF(sum(response_time_count), 0) FROM rollup_hour h
                  WHERE h.monitor_id = s.monitor_id AND h.hour >= ${new Date(now - dayMillis)}),
                (SELECT avg((region.value->>'responseTime')::double precision) FROM jsonb_each(s.state->'regions') region)
              ), (SELECT ${valueOfBucket} FROM (
                  SELECT entry / ${one} AS bucket, sum(sum(entry % ${one})) OVER (ORDER BY entry / ${one}) AS reached,
                    sum(sum(entry % ${one})) OVER () AS total
                  FROM timing_hour t CROSS JOIN LATERAL unnest(t.response_time) AS entry
                  WHERE t.monitor_id = s.monitor_id AND t.hour >= ${new Date(now - dayMillis)} GROUP BY entry / ${one}
                ) AS counted WHERE reached * 2 >= total), ${new Date(now)}
            FROM json_to_recordset(${JSON.stringify(measured)}::json) AS v(id text, uptime double precision)
            JOIN monitor_states s ON s.monitor_id = v.id
            ON CONFLICT (monitor_id) DO UPDATE SET uptime_24h = EXCLUDED.uptime_24h,
              response_time_24h = EXCLUDED.response_time_24h, median_24h = EXCLUDED.median_24h,
              measured_at = EXCLUDED.measured_at
            WHERE (monitor_summaries.uptime_24h, monitor_summaries.response_time_24h, monitor_summaries.median_24h)
              IS DISTINCT FROM (EXCLUDED.uptime_24h, EXCLUDED.response_time_24h, EXCLUDED.median_24h)`.pipe(
            Effect.asVoid,
            Effect.orDie
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(SummaryRepository, SummaryRepository.make)
}
