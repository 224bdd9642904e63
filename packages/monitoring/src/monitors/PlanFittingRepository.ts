/** All monitors of an account at once, to be fitted to its plan. */
import { MonitorId, ProjectId, type OrganizationId } from "@kanmon/domain/Ids"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

const AccountMonitor = Schema.Struct({
  id: MonitorId,
  projectId: ProjectId,
  name: Schema.String,
  type: Schema.String,
  paused: Schema.Boolean,
  pausedByPlan: Schema.Boolean,
  interval: Schema.Number,
  wantedInterval: Schema.NullOr(Schema.Number),
  retryInterval: Schema.NullOr(Schema.Number),
  wantedRetryInterval: Schema.NullOr(Schema.Number),
  timeout: Schema.Number,
  createdAt: Rows.Time
})
type AccountMonitor = typeof AccountMonitor.Type

export class PlanFittingRepository extends Context.Service<PlanFittingRepository>()(
  "@kanmon/monitoring/monitors/PlanFittingRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      /** The monitors of all projects of an account. */
      const ofOrganization = Effect.fn("PlanFittingRepository.ofOrganization")((organizationId: OrganizationId) =>
        Rows.all(AccountMonitor)(sql`SELECT m.id, m.project_id AS "projectId", m.name, m.type, m.paused,
            m.paused_by_plan AS "pausedByPlan", m.interval_seconds AS interval, m.wanted_interval AS "wantedInterval",
            m.retry_interval AS "retryInterval", m.wanted_retry_interval AS "wantedRetryInterval",
            m.timeout_seconds AS timeout, m.created_at AS "createdAt"
          FROM monitors m JOIN projects p ON p.id = m.project_id WHERE p.organization_id = ${organizationId}`)
      )

      return { ofOrganization }
    })
  }
) {
  static readonly layer = Layer.effect(PlanFittingRepository, PlanFittingRepository.make)
}
