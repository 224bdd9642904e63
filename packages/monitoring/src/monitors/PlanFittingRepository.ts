/** All monitors of an account at once, and what a plan changes about them. */
import { MonitorId, ProjectId, type OrganizationId } from "@kanmon/domain/Ids"
import type { FitChange } from "@kanmon/domain/PlanFit"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
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

export class PlanFittingRepository extends Context.Service<
  PlanFittingRepository,
  {
    /** The monitors of all projects of an account. */
    readonly ofOrganization: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<AccountMonitor>>
    /** Locks the states of these monitors until the transaction ends; returns the ids of those that still exist. */
    readonly lock: (ids: ReadonlyArray<MonitorId>) => Effect.Effect<ReadonlyArray<MonitorId>>
    readonly save: (changes: ReadonlyArray<FitChange>, at: EpochMillis) => Effect.Effect<void>
  }
>()("@kanmon/monitoring/monitors/PlanFittingRepository") {
  static readonly layer = Layer.effect(
    PlanFittingRepository,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const ofOrganization = Effect.fn("PlanFittingRepository.ofOrganization")((organizationId: OrganizationId) =>
        Rows.all(AccountMonitor)(sql`SELECT m.id, m.project_id AS "projectId", m.name, m.type, m.paused,
            m.paused_by_plan AS "pausedByPlan", m.interval_seconds AS interval, m.wanted_interval AS "wantedInterval",
            m.retry_interval AS "retryInterval", m.wanted_retry_interval AS "wantedRetryInterval",
            m.timeout_seconds AS timeout, m.created_at AS "createdAt"
          FROM monitors m JOIN projects p ON p.id = m.project_id WHERE p.organization_id = ${organizationId}`)
      )

      // In the order in which evaluation takes its locks.
      const lock = Effect.fn("PlanFittingRepository.lock")((ids: ReadonlyArray<MonitorId>) =>
        Effect.map(
          Rows.all(Schema.Struct({ id: MonitorId }))(sql`SELECT monitor_id AS id FROM monitor_states
            WHERE monitor_id = ANY(${ids}::text[]) ORDER BY monitor_id FOR NO KEY UPDATE`),
          (rows) => rows.map(({ id }) => id)
        )
      )

      const save = Effect.fn("PlanFittingRepository.save")(function* (
        changes: ReadonlyArray<FitChange>,
        at: EpochMillis
      ) {
        yield* sql`UPDATE monitors m SET paused = v.paused, paused_by_plan = v."pausedByPlan",
            interval_seconds = v.interval, wanted_interval = v."wantedInterval",
            retry_interval = v."retryInterval", wanted_retry_interval = v."wantedRetryInterval", revision = m.revision + 1,
            updated_at = ${new Date(at)}, spec_changed_at = ${new Date(at)}
          FROM json_to_recordset(${JSON.stringify(changes)}::json)
            AS v(id text, paused boolean, "pausedByPlan" boolean, interval integer, "wantedInterval" integer,
              "retryInterval" integer, "wantedRetryInterval" integer)
          WHERE m.id = v.id`
      }, Effect.orDie)

      return PlanFittingRepository.of({ ofOrganization, lock, save })
    })
  )
}
