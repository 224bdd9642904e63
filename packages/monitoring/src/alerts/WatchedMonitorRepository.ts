/** The monitors that rules name, when monitors are deleted. */
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

export class WatchedMonitorRepository extends Context.Service<WatchedMonitorRepository>()(
  "@kanmon/monitoring/alerts/WatchedMonitorRepository",
  {
    make: Effect.map(SqlClient.SqlClient, (sql) => ({
      // Locks in the order of ids, as deletions of other monitors do.
      /** Removes monitors from the rules of their project, except from rules that would then watch every monitor. */
      forget: (projectId: ProjectId, ids: ReadonlyArray<MonitorId>) =>
        sql`UPDATE alert_rules r SET monitor_ids = named.kept FROM (
              SELECT id, ARRAY(SELECT one FROM unnest(monitor_ids) WITH ORDINALITY AS u (one, place)
                WHERE NOT one = ANY(${ids}::text[]) ORDER BY place) AS kept
              FROM alert_rules WHERE project_id = ${projectId} AND monitor_ids && ${ids}::text[] ORDER BY id FOR UPDATE
            ) named
            WHERE r.id = named.id AND (named.kept <> '{}' OR r.tags <> '{}')`.pipe(Effect.asVoid, Effect.orDie)
    }))
  }
) {
  static readonly layer = Layer.effect(WatchedMonitorRepository, WatchedMonitorRepository.make)
}
