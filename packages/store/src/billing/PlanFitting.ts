/** Brings the monitors of an account in line with a plan, within the transaction that changed it. The account is held. */
import type { MonitorId, ProjectId, UserId } from "@kanmon/domain/Ids"
import type { PlanLimits } from "@kanmon/domain/Plan"
import { fit } from "@kanmon/domain/PlanFit"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as MonitorChanges from "../monitors/MonitorChanges.ts"

/** Returns how many monitors were changed. */
export const fitAccount = Effect.fnUntraced(function* (userId: UserId, limits: PlanLimits, at: EpochMillis) {
  const sql = yield* SqlClient.SqlClient
  // Nobody else pauses, resumes or paces them while the account is held; they can only be deleted.
  const rows =
    yield* sql<Row>`SELECT m.id, m.project_id, m.name, m.type, m.paused, m.paused_by_plan, m.interval_seconds,
      m.wanted_interval, m.timeout_seconds, m.created_at
    FROM monitors m JOIN projects p ON p.id = m.project_id WHERE p.user_id = ${userId}`
  const byId = new Map(rows.map((row) => [row.id, row]))
  const wished = fit(rows.map(read), limits)
  if (wished.length === 0) return 0
  // The states first, in the order of those who judge.
  const held = yield* sql<{ id: MonitorId }>`SELECT monitor_id AS id FROM monitor_states
    WHERE monitor_id = ANY(${wished.map(({ id }) => id)}::text[]) ORDER BY monitor_id FOR NO KEY UPDATE`
  const left = new Set(held.map(({ id }) => id))
  const changes = wished.filter(({ id }) => left.has(id))
  if (changes.length === 0) return 0

  yield* sql`UPDATE monitors m SET paused = v.paused, paused_by_plan = v."pausedByPlan", interval_seconds = v.interval,
      wanted_interval = v."wantedInterval", revision = m.revision + 1, updated_at = ${new Date(at)}
    FROM json_to_recordset(${JSON.stringify(changes)}::json)
      AS v(id text, paused boolean, "pausedByPlan" boolean, interval integer, "wantedInterval" integer)
    WHERE m.id = v.id`
  yield* sql`UPDATE heartbeats SET stale = true WHERE monitor_id = ANY(${changes.map(({ id }) => id)}::text[])`
  const turned = (paused: boolean) =>
    changes.flatMap((change) => (change.paused === paused && byId.get(change.id)!.paused !== paused ? [change.id] : []))
  const [stopped, resumed] = [turned(true), turned(false)]
  if (stopped.length > 0)
    yield* MonitorChanges.pause(stopped, at, "The plan has no room for the monitor; it was paused")
  if (resumed.length > 0) yield* MonitorChanges.restart(resumed, "pending", at)
  const turns = new Map([
    ...stopped.map((id) => [id, "paused"] as const),
    ...resumed.map((id) => [id, "resumed"] as const)
  ])
  yield* MonitorChanges.announce(
    changes.map(({ id }) => {
      const { name, project_id: projectId, type } = byId.get(id)!
      const turn = turns.get(id)
      return { monitor: { id, projectId, name, type }, names: turn === undefined ? ["updated"] : ["updated", turn] }
    }),
    at
  )
  return changes.length
})

interface Row {
  readonly id: MonitorId
  readonly project_id: ProjectId
  readonly name: string
  readonly type: string
  readonly paused: boolean
  readonly paused_by_plan: boolean
  readonly interval_seconds: number
  readonly wanted_interval: number | null
  readonly timeout_seconds: number
  readonly created_at: Date
}

const read = (row: Row) => ({
  id: row.id,
  paused: row.paused,
  pausedByPlan: row.paused_by_plan,
  interval: row.interval_seconds,
  wantedInterval: row.wanted_interval,
  timeout: row.timeout_seconds,
  createdAt: row.created_at.getTime()
})
