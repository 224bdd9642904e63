/** The specs of the monitors that probes check: active, and neither paused nor deleted. */
import type { MonitorId } from "@kanmon/domain/Ids"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"
import { Secrets } from "@kanmon/platform/database/Secrets"
import { readSpec, SpecRow } from "./SpecRow.ts"

export class SpecRepository extends Context.Service<SpecRepository>()("@kanmon/monitoring/specs/SpecRepository", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const decode = Rows.all(SpecRow)
    const read = readSpec(yield* Secrets)

    // The plan that has raised a monitor's interval allows no shorter one.
    const retry = sql`CASE WHEN m.retry_interval IS NULL OR m.wanted_interval IS NOT NULL THEN NULL ELSE (
          SELECT json_build_object('interval', m.retry_interval, 'failures', max(r.consecutive_failures))
          FROM alert_rules r WHERE r.project_id = m.project_id AND 'monitor_down' = ANY(r.triggers)
            AND (r.monitor_ids = '{}' AND r.tags = '{}' OR m.id = ANY(r.monitor_ids) OR m.tags && r.tags)
          HAVING max(r.consecutive_failures) > 1) END`

    const select = sql`SELECT m.id, m.project_id AS "projectId", m.type, m.interval_seconds AS interval,
          m.timeout_seconds AS timeout, m.regions, m.config, m.config_encrypted AS "encryptedConfig", m.revision,
          COALESCE(m.spec_changed_at, m.updated_at) AS "updatedAt", p.organization_id AS owner,
          ${retry} AS retry
        FROM monitors m JOIN projects p ON p.id = m.project_id WHERE NOT m.paused AND NOT m.passive`

    /** The specs of these monitors; monitors that are not to be checked are left out. */
    const find = Effect.fn("SpecRepository.find")((ids: ReadonlyArray<MonitorId>) =>
      Effect.map(decode(sql`${select} AND m.id = ANY(${ids}::text[])`), (rows) => rows.map(read))
    )

    /** A page of all specs in the order of their ids, from the one after `after`. */
    const page = Effect.fn("SpecRepository.page")((after: MonitorId | undefined, limit: number) =>
      Effect.map(decode(sql`${select} AND m.id > ${after ?? ""} ORDER BY m.id LIMIT ${limit}`), (rows) =>
        rows.map(read)
      )
    )

    return { find, page }
  })
}) {
  static readonly layer = Layer.effect(SpecRepository, SpecRepository.make)
}
