/**
 * The data of alert rule previews: a monitor, the rules and channels of its project, and the conditions that suppress
 * alerts.
 */
import { ChannelId, type MonitorId, type ProjectId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"
import { RuleRow } from "./RuleRecords.ts"
import { maintenanceUntil, silencedUntil } from "./CoverageRepository.ts"
import { ruleColumns } from "./RuleRepository.ts"

const MonitorRow = Schema.Struct({
  tags: Schema.Array(Schema.String),
  paused: Schema.Boolean,
  maintenanceUntil: Schema.NullOr(Rows.Time),
  silencedUntil: Schema.NullOr(Rows.Time)
})

const ChannelRow = Schema.Struct({
  id: ChannelId,
  name: Schema.String,
  type: Schema.String,
  disabledReason: Schema.NullOr(Schema.String),
  confirmation: Schema.Literals(["not_needed", "pending", "confirmed"])
})

export class RulePreviewRepository extends Context.Service<RulePreviewRepository>()(
  "@kanmon/monitoring/alerts/RulePreviewRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return {
        findMonitor: (projectId: ProjectId, id: MonitorId, at: EpochMillis) => {
          const now = new Date(at)
          return monitor(sql`SELECT m.tags, m.paused,
              ${maintenanceUntil(sql, now)} AS "maintenanceUntil", ${silencedUntil(sql, now)} AS "silencedUntil"
            FROM monitors m WHERE m.id = ${id} AND m.project_id = ${projectId}`)
        },
        findRules: (projectId: ProjectId) =>
          rules(sql`SELECT ${ruleColumns(sql)} FROM alert_rules WHERE project_id = ${projectId} ORDER BY id`),
        findChannels: (projectId: ProjectId) =>
          channels(sql`SELECT id, name, type, disabled_reason AS "disabledReason", confirmation FROM channels
            WHERE project_id = ${projectId} ORDER BY id`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(RulePreviewRepository, RulePreviewRepository.make)
}

const monitor = Rows.first(MonitorRow)
const rules = Rows.all(RuleRow)
const channels = Rows.all(ChannelRow)
