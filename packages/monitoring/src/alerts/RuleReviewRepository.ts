/**
 * Alert rules that wait for a review. The alerts of new and changed rules are decided by the present state of monitors.
 */
import { Trigger } from "@kanmon/domain/AlertRule"
import { MonitorId, ProjectId, RuleId } from "@kanmon/domain/Ids"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"
import type { Question } from "@kanmon/platform/DueWork"

/** A rule, and the last monitor that was reviewed for it; empty at the start. */
const ReviewRow = Schema.Struct({
  id: RuleId,
  projectId: ProjectId,
  monitorIds: Schema.Array(MonitorId),
  tags: Schema.Array(Schema.String),
  triggers: Schema.Array(Trigger),
  after: Schema.String
})
const reviews = Rows.first(ReviewRow)

/** Whether a rule waits for its review. */
export const isDue: Question = (sql) => sql`EXISTS (SELECT FROM alert_rules WHERE review_after IS NOT NULL)`

export class RuleReviewRepository extends Context.Service<RuleReviewRepository>()(
  "@kanmon/monitoring/alerts/RuleReviewRepository",
  {
    make: Effect.map(SqlClient.SqlClient, (sql) => ({
      /** Locks the next rule that waits for a review and is not being reviewed. */
      lockNext:
        sql`SELECT id, project_id AS "projectId", monitor_ids AS "monitorIds", tags, triggers, review_after AS after
            FROM alert_rules WHERE review_after IS NOT NULL ORDER BY id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`.pipe(
          reviews
        ),
      /** Records how far the review of a locked rule has come; without a monitor it is complete. */
      proceed: (id: RuleId, after: MonitorId | undefined) =>
        sql`UPDATE alert_rules SET review_after = ${after ?? null} WHERE id = ${id}`.pipe(Effect.asVoid, Effect.orDie),
      /** Has the rules of a project that follow any of these tags reviewed. */
      reviewFollowers: (projectId: ProjectId, tags: ReadonlyArray<string>) =>
        sql`UPDATE alert_rules SET review_after = '' WHERE project_id = ${projectId} AND tags && ${tags}::text[]`.pipe(
          Effect.asVoid,
          Effect.orDie
        )
    }))
  }
) {
  static readonly layer = Layer.effect(RuleReviewRepository, RuleReviewRepository.make)
}
