/** The monitors that rules name, when monitors are deleted. */
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

export class WatchedMonitorRepository extends Context.Service<
  WatchedMonitorRepository,
  {
    /** Removes monitors from the rules of their project, except from rules that would then watch every monitor. */
    readonly forget: (projectId: ProjectId, ids: ReadonlyArray<MonitorId>) => Effect.Effect<void>
  }
>()("@kanmon/monitoring/alerts/WatchedMonitorRepository") {
  static readonly layer = Layer.effect(
    WatchedMonitorRepository,
    Effect.map(SqlClient.SqlClient, (sql) =>
      WatchedMonitorRepository.of({
        // Locks in the order of ids, as deletions of other monitors do.
        forget: (projectId, ids) =>
          sql`UPDATE alert_rules r SET monitor_ids = named.kept FROM (
              SELECT id, ARRAY(SELECT one FROM unnest(monitor_ids) WITH ORDINALITY AS u (one, place)
                WHERE NOT one = ANY(${ids}::text[]) ORDER BY place) AS kept
              FROM alert_rules WHERE project_id = ${projectId} AND monitor_ids && ${ids}::text[] ORDER BY id FOR UPDATE
            ) named
            WHERE r.id = named.id AND (named.kept <> '{}' OR r.tags <> '{}')`.pipe(Effect.asVoid, Effect.orDie)
      })
    )
  )
}
