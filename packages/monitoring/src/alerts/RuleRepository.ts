/** The table of alert rules. */
import type { ProjectId, RuleId } from "@kanmon/domain/Ids"
import { defaultSeverity } from "@kanmon/domain/Severity"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Cursor from "@kanmon/platform/database/Cursor"
import { writtenUnlessTaken } from "@kanmon/platform/database/KeyTaken"
import type { KeyedPageOptions } from "@kanmon/platform/database/Page"
import * as Rows from "@kanmon/platform/database/Rows"
import { type RuleDraft, RuleRow } from "./RuleRecords.ts"

export class RuleRepository extends Context.Service<RuleRepository>()("@kanmon/monitoring/alerts/RuleRepository", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = ruleColumns(sql)

    const list = (projectId: ProjectId, options: KeyedPageOptions) => {
      const before = Cursor.decode(options.cursor)
      const conditions = [
        sql`project_id = ${projectId}`,
        ...(before === undefined ? [] : [sql`id < ${before}`]),
        ...(options.key === undefined ? [] : [sql`key = ${options.key}`])
      ]
      return all(
        sql`SELECT ${columns} FROM alert_rules WHERE ${sql.and(conditions)} ORDER BY id DESC LIMIT ${options.limit + 1}`
      ).pipe(Effect.map((rules) => Cursor.page(rules, options.limit)))
    }

    /** Inserts a rule that waits for its first review. */
    const insert = (projectId: ProjectId, id: RuleId, draft: RuleDraft, at: EpochMillis) => {
      const now = new Date(at)
      return written(sql`INSERT INTO alert_rules
            (id, project_id, key, name, monitor_ids, tags, channel_ids, escalation_policy_id, triggers,
              consecutive_failures, resend_every, severity, created_at, updated_at, review_after)
          VALUES (${id}, ${projectId}, ${draft.key ?? null}, ${draft.name}, ${draft.monitorIds}::text[],
            ${draft.tags ?? []}::text[], ${draft.channelIds}::text[], ${draft.escalationPolicyId ?? null},
            ${draft.triggers}::text[], ${draft.consecutiveFailures}, ${draft.resendEvery},
            ${draft.severity ?? defaultSeverity(draft.triggers)}, ${now}, ${now}, '') RETURNING ${columns}`)
    }

    /** Updates a locked rule, which then waits for a review. */
    const update = (id: RuleId, draft: Required<RuleDraft>, at: EpochMillis) =>
      written(sql`UPDATE alert_rules SET key = ${draft.key}, name = ${draft.name},
            monitor_ids = ${draft.monitorIds}::text[], tags = ${draft.tags}::text[], channel_ids = ${draft.channelIds}::text[],
            escalation_policy_id = ${draft.escalationPolicyId},
            triggers = ${draft.triggers}::text[], consecutive_failures = ${draft.consecutiveFailures},
            resend_every = ${draft.resendEvery}, severity = ${draft.severity}, updated_at = ${new Date(at)}, review_after = ''
          WHERE id = ${id} RETURNING ${columns}`)

    return {
      list,
      find: (projectId: ProjectId, id: RuleId) =>
        first(sql`SELECT ${columns} FROM alert_rules WHERE id = ${id} AND project_id = ${projectId}`),
      lock: (projectId: ProjectId, id: RuleId) =>
        first(sql`SELECT ${columns} FROM alert_rules WHERE id = ${id} AND project_id = ${projectId} FOR UPDATE`),
      insert,
      update,
      /** The names of the integrations that have a rule. */
      integrationsWith: (id: RuleId) =>
        Effect.map(names(sql`SELECT name FROM integrations WHERE rule_id = ${id} ORDER BY name, id`), (rows) =>
          rows.map(({ name }) => name)
        ),
      /** Returns whether the rule existed. */
      remove: (projectId: ProjectId, id: RuleId) =>
        Rows.any(sql`DELETE FROM alert_rules WHERE id = ${id} AND project_id = ${projectId} RETURNING id`)
    }
  })
}) {
  static readonly layer = Layer.effect(RuleRepository, RuleRepository.make)
}

const names = Rows.all(Schema.Struct({ name: Schema.String }))
const all = Rows.all(RuleRow)
const first = Rows.first(RuleRow)
const written = writtenUnlessTaken(RuleRow)

/** The columns that `RuleRow` decodes. */
export const ruleColumns = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`id, project_id AS "projectId", key, name, monitor_ids AS "monitorIds", tags, channel_ids AS "channelIds",
    escalation_policy_id AS "escalationPolicyId",
    (SELECT p.key FROM escalation_policies p WHERE p.id = escalation_policy_id) AS "escalationPolicyKey",
    triggers[1] AS trigger, triggers, consecutive_failures AS "consecutiveFailures", resend_every AS "resendEvery", severity,
    created_at AS "createdAt", updated_at AS "updatedAt"`
