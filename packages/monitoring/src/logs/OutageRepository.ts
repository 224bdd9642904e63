/** Reads what is known of outages: why they began, which regions saw them, their alerts with who acknowledged one, and their incidents. */
import { AlertActor } from "@kanmon/domain/Alert"
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { Failure } from "@kanmon/domain/Observation"
import type { Outage } from "@kanmon/domain/Outage"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ResultBlockRepository } from "../evaluation/index.ts"
import * as Rows from "@kanmon/platform/database/Rows"

/** The context of an outage. */
interface OutageContext {
  readonly reason: Failure | null
  readonly regions: ReadonlyArray<string>
  readonly alertIds: ReadonlyArray<string>
  readonly incidentIds: ReadonlyArray<string>
  /** The first of several acknowledgements. */
  readonly acknowledgedBy: AlertActor | null
}

/** Intervals after the beginning of an outage within which regions join it. */
const joining = 3

export class OutageRepository extends Context.Service<OutageRepository>()("@kanmon/monitoring/logs/OutageRepository", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const blocks = yield* ResultBlockRepository
    return {
      /**
       * The contexts of these outages, in their order. Regions are those that failed within a few intervals of the
       * beginning, for outages of any length.
       */
      contexts: (
        projectId: ProjectId,
        id: MonitorId,
        outages: ReadonlyArray<Outage>,
        intervalMillis: number
      ): Effect.Effect<ReadonlyArray<OutageContext>> => {
        if (outages.length === 0) return Effect.succeed([])
        const seen = ({ endedAt, startedAt }: Outage): EpochMillis =>
          Math.min(endedAt ?? Number.POSITIVE_INFINITY, startedAt + joining * intervalMillis)
        const spans = outages.map((outage) => ({ from: outage.startedAt - intervalMillis, to: seen(outage) + 1 }))
        return blocks.within(
          { ids: [id], spans, statuses: ["down", "degraded", "unknown"], detail: "status" },
          (results) =>
            contexts(sql`SELECT
              -- An outage that begins when a maintenance window ends has begun before, for the reason of that change.
              COALESCE(
                (SELECT c.failure FROM status_changes c WHERE c.monitor_id = ${id} AND c.at >= v.starts AND c.at < v.ends
                  AND c.failure IS NOT NULL ORDER BY c.at, c.sequence LIMIT 1),
                (SELECT c.failure FROM status_changes c WHERE c.monitor_id = ${id} AND c.at < v.starts
                  AND c.status = v.status AND c.failure IS NOT NULL ORDER BY c.at DESC, c.sequence DESC LIMIT 1)) AS reason,
              ARRAY(SELECT DISTINCT o.region FROM ${results} o WHERE o.monitor_id = ${id}
                AND o.scheduled_at >= v.starts - ${`${intervalMillis} milliseconds`}::interval
                AND o.scheduled_at <= v.seen AND o.status <> 'up' AND o.status IN ('down', v.status) ORDER BY 1) AS regions,
              ARRAY(SELECT a.id FROM alerts a WHERE a.monitor_id = ${id} AND a.trigger = 'monitor_' || v.status
                AND a.opened_at < v.ends AND COALESCE(a.resolved_at, 'infinity') > v.starts
                ORDER BY a.opened_at, a.id) AS "alertIds",
              (SELECT json_build_object('kind', a.acknowledged_by_kind, 'name', a.acknowledged_by) FROM alerts a
                WHERE a.monitor_id = ${id} AND a.trigger = 'monitor_' || v.status AND a.acknowledged_by IS NOT NULL
                  AND a.opened_at < v.ends AND COALESCE(a.resolved_at, 'infinity') > v.starts
                ORDER BY a.acknowledged_at, a.id LIMIT 1) AS "acknowledgedBy",
              ARRAY(SELECT i.id FROM incidents i JOIN monitors m ON m.id = ${id}
                WHERE i.project_id = ${projectId} AND NOT i.maintenance
                  AND (m.id = ANY(i.monitor_ids) OR i.tags && m.tags)
                  AND i.started_at < v.ends AND COALESCE(i.resolved_at, 'infinity') > v.starts
                ORDER BY i.id) AS "incidentIds"
            FROM unnest(${outages.map(({ startedAt }) => toIso(startedAt))}::text[]::timestamptz[],
              ${outages.map(({ endedAt }) => (endedAt === null ? "infinity" : toIso(endedAt)))}::text[]::timestamptz[],
              ${outages.map((outage) => toIso(seen(outage)))}::text[]::timestamptz[],
              ${outages.map(({ status }) => status)}::text[]) WITH ORDINALITY AS v(starts, ends, seen, status, place)
            ORDER BY v.place`)
        )
      }
    }
  })
}) {
  static readonly layer = Layer.effect(OutageRepository, OutageRepository.make).pipe(
    Layer.provide(ResultBlockRepository.layer)
  )
}

const Ids = Schema.Array(Schema.String)
const contexts = Rows.all(
  Schema.Struct({
    reason: Schema.NullOr(Failure),
    regions: Ids,
    alertIds: Ids,
    incidentIds: Ids,
    acknowledgedBy: Schema.NullOr(AlertActor)
  })
)
