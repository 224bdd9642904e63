/** The states of monitors and their histories, as changes of monitors begin, restart and end them. Evaluation continues them. */
import { MonitorId, type ProjectId } from "@kanmon/domain/Ids"
import { initial } from "@kanmon/domain/StatusEvaluation"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"
import { storedState } from "./StoredState.ts"

/** A monitor with a new history. */
interface BegunMonitor {
  readonly id: MonitorId
  readonly paused: boolean
  readonly createdAt: EpochMillis
}

export class MonitorStateRepository extends Context.Service<MonitorStateRepository>()(
  "@kanmon/monitoring/evaluation/MonitorStateRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      /** Inserts the states of new monitors, and the beginnings of their histories. */
      const begin = Effect.fn("MonitorStateRepository.begin")(function* (monitors: ReadonlyArray<BegunMonitor>) {
        const rows = monitors.map(({ createdAt, id, paused }) => {
          const status = paused ? ("paused" as const) : ("pending" as const)
          return { id, status, state: storedState.encode(initial(createdAt, status)), created_at: toIso(createdAt) }
        })
        yield* sql`WITH given AS (SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json)
              AS g (id text, status text, state jsonb, created_at timestamptz)),
            states AS (INSERT INTO monitor_states (monitor_id, status, state, look_at)
              SELECT id, status, state, CASE WHEN status = 'paused' THEN NULL ELSE created_at END FROM given)
          INSERT INTO status_changes (monitor_id, at, status) SELECT id, created_at, status FROM given`
      }, Effect.orDie)

      /** Starts the status history of these monitors again, with this status. */
      const restart = Effect.fn("MonitorStateRepository.restart")(function* (
        ids: ReadonlyArray<MonitorId>,
        status: "paused" | "pending",
        at: EpochMillis
      ) {
        const staleness = status === "paused" ? null : new Date(at)
        yield* sql`WITH restarted AS (
            INSERT INTO monitor_states (monitor_id, status, state, look_at)
            SELECT id, ${status}, ${JSON.stringify(storedState.encode(initial(at, status)))}::jsonb,
              ${staleness}::timestamptz
            FROM unnest(${ids}::text[]) AS id
            ON CONFLICT (monitor_id) DO UPDATE SET status = EXCLUDED.status, stale = false,
              state = EXCLUDED.state || jsonb_strip_nulls(jsonb_build_object('lastFailure', monitor_states.state->'lastFailure')),
              look_at = EXCLUDED.look_at
            RETURNING monitor_id)
          INSERT INTO status_changes (monitor_id, at, status)
          SELECT monitor_id, ${new Date(at)}, ${status} FROM restarted`
      }, Effect.orDie)

      /** Lets a pending monitor wait for its quorum from this instant. */
      const awaitQuorum = Effect.fn("MonitorStateRepository.awaitQuorum")(function* (id: MonitorId, at: EpochMillis) {
        yield* sql`UPDATE monitor_states SET state = jsonb_set(state, '{since}', to_jsonb(${at}::bigint))
            WHERE monitor_id = ${id} AND status = 'pending'`
      }, Effect.orDie)

      /** Has it checked at this instant whether these monitors are stale. */
      const checkStaleness = Effect.fn("MonitorStateRepository.checkStaleness")(function* (
        ids: ReadonlyArray<MonitorId>,
        at: EpochMillis
      ) {
        yield* sql`UPDATE monitor_states SET look_at = ${new Date(at)}
          WHERE monitor_id = ANY(${ids}::text[]) AND look_at IS NOT NULL`
      }, Effect.orDie)

      /** Locks the states of monitors until the transaction ends, in the order of evaluation; returns those that exist. */
      const lock = Effect.fn("MonitorStateRepository.lock")((ids: ReadonlyArray<MonitorId>) =>
        Effect.map(
          decodeIds(sql`SELECT monitor_id AS id FROM monitor_states WHERE monitor_id = ANY(${ids}::text[])
            ORDER BY monitor_id FOR NO KEY UPDATE`),
          (rows) => rows.map(({ id }) => id)
        )
      )

      /** As `lock`, for monitors that will be deleted. */
      const lockForRemoval = Effect.fn("MonitorStateRepository.lockForRemoval")(function* (
        ids: ReadonlyArray<MonitorId>
      ) {
        yield* sql`SELECT 1 FROM monitor_states WHERE monitor_id = ANY(${ids}::text[]) ORDER BY monitor_id FOR UPDATE`
      }, Effect.orDie)

      /** As `lockForRemoval`, for all monitors of a project. */
      const lockProject = Effect.fn("MonitorStateRepository.lockProject")(function* (projectId: ProjectId) {
        yield* sql`SELECT 1 FROM monitor_states s JOIN monitors m ON m.id = s.monitor_id
          WHERE m.project_id = ${projectId} ORDER BY m.id FOR UPDATE OF s`
      }, Effect.orDie)

      /** Deletes the observations of monitors, which no foreign key deletes with them. */
      const deleteObservations = Effect.fn("MonitorStateRepository.deleteObservations")(function* (
        ids: ReadonlyArray<MonitorId>
      ) {
        yield* sql`DELETE FROM observations WHERE monitor_id = ANY(${ids}::text[])`
      }, Effect.orDie)

      return {
        begin,
        restart,
        awaitQuorum,
        checkStaleness,
        lock,
        lockForRemoval,
        lockProject,
        deleteObservations
      }
    })
  }
) {
  static readonly layer = Layer.effect(MonitorStateRepository, MonitorStateRepository.make)
}

const decodeIds = Rows.all(Schema.Struct({ id: MonitorId }))
