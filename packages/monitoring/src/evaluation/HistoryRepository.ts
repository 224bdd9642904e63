/** Reads a monitor and what its observations say of it. */
import { MonitorId, type ProjectId } from "@kanmon/domain/Ids"
import { MonitorStatus } from "@kanmon/domain/Status"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"
import type { MeasuredMonitor } from "./StatusHistory.ts"
import { shownStatus } from "./StatusHistoryRepository.ts"
import { storedState } from "./StoredState.ts"

/** A monitor with a requested history. */
export interface MonitorRecord extends MeasuredMonitor {
  readonly status: MonitorStatus
  readonly lastCheckedAt: EpochMillis | null
}

export class HistoryRepository extends Context.Service<
  HistoryRepository,
  {
    /** A monitor of a project as people see it at an instant; undefined when there is none. */
    readonly find: (projectId: ProjectId, id: MonitorId, now: EpochMillis) => Effect.Effect<MonitorRecord | undefined>
    /** The certificate in the newest check that saw one, for monitors that have one. */
    readonly certificates: (ids: ReadonlyArray<MonitorId>) => Effect.Effect<ReadonlyMap<MonitorId, Schema.Json>>
    /** The mean response time in milliseconds of the checks that were due after an instant; null when there are none. */
    readonly meanResponseTime: (id: MonitorId, after: EpochMillis) => Effect.Effect<number | null>
  }
>()("@kanmon/monitoring/evaluation/HistoryRepository") {
  static readonly layer = Layer.effect(
    HistoryRepository,
    Effect.map(SqlClient.SqlClient, (sql) =>
      HistoryRepository.of({
        find: (projectId, id, now) =>
          Effect.map(
            monitor(sql`SELECT m.id, m.vote_seconds::double precision AS "voteSeconds", m.regions,
                ${shownStatus(sql, now)} AS status, s.last_checked_at AS "lastCheckedAt", s.state
              FROM monitors m JOIN monitor_states s ON s.monitor_id = m.id
              WHERE m.id = ${id} AND m.project_id = ${projectId}`),
            (row) => row && { ...row, state: storedState.decode(row.state) }
          ),
        // Only monitors that were shown one are looked into. Its newest check may not have come as far as the certificate.
        certificates: (ids) =>
          Effect.map(
            certificates(sql`SELECT s.monitor_id AS id, o.certificate
              FROM monitor_states s CROSS JOIN LATERAL (
                SELECT facts->'certificate' AS certificate FROM observations
                WHERE monitor_id = s.monitor_id AND scheduled_at >= s.last_checked_at - interval '1 day'
                  AND facts ? 'certificate' ORDER BY scheduled_at DESC LIMIT 1) o
              WHERE s.monitor_id = ANY(${ids}::text[]) AND jsonb_path_exists(s.state, '$.regions.*.certificate')`),
            (rows) => new Map(rows.map(({ certificate, id }) => [id, certificate]))
          ),
        meanResponseTime: (id, after) =>
          Effect.map(
            mean(sql`SELECT avg(response_time) AS value FROM observations
              WHERE monitor_id = ${id} AND scheduled_at > ${new Date(after)}`),
            ({ value }) => value
          )
      })
    )
  )
}

const monitor = Rows.first(
  Schema.Struct({
    id: MonitorId,
    voteSeconds: Schema.Finite,
    regions: Schema.Array(Schema.String),
    status: MonitorStatus,
    lastCheckedAt: Schema.NullOr(Rows.Time),
    state: Schema.Unknown
  })
)
const certificates = Rows.all(Schema.Struct({ id: MonitorId, certificate: Schema.Json }))
const mean = Rows.one(Schema.Struct({ value: Schema.NullOr(Schema.Finite) }))
