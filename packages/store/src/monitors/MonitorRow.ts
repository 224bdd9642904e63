/** Monitors as rows. */
import { createHash } from "node:crypto"
import type { MonitorId, ProjectId, UserId } from "@kanmon/domain/Ids"
import type { Monitor, MonitorSpec } from "@kanmon/domain/Monitor"
import type { MonitorStatus } from "@kanmon/domain/Status"
import type { SqlClient } from "effect/sql"
import type { Secrets } from "../database/Secrets.ts"
import { shownStatus } from "../history/Timeline.ts"

/** A spec and the regions it belongs to (empty: all). */
export interface PlacedSpec {
  readonly spec: MonitorSpec
  readonly regions: ReadonlyArray<string>
}

interface Columns {
  readonly id: MonitorId
  readonly project_id: ProjectId
  readonly type: string
  readonly interval_seconds: number
  readonly timeout_seconds: number
  readonly regions: ReadonlyArray<string>
  readonly config: Monitor["config"]
  readonly revision: number
  readonly updated_at: Date
}

export interface SpecRow extends Columns {
  readonly owner: UserId
}

export interface MonitorRow extends Columns {
  readonly key: string | null
  readonly name: string
  readonly paused: boolean
  readonly paused_by_plan: boolean
  readonly wanted_interval: number | null
  readonly status: MonitorStatus
  readonly stale: boolean
  readonly last_checked_at: Date | null
  readonly created_at: Date
  readonly token_encrypted: string | null
}

/** Rows of `monitors m` and `monitor_states s`, as monitors stand at an instant. */
export const selectMonitors = (sql: SqlClient.SqlClient, now: number) =>
  sql`SELECT m.*, ${shownStatus(sql, now)} AS status, s.stale, s.last_checked_at, h.token_encrypted
    FROM monitors m JOIN monitor_states s ON s.monitor_id = m.id LEFT JOIN heartbeats h ON h.monitor_id = m.id`

export const readMonitor =
  (secrets: Secrets["Service"]) =>
  (row: MonitorRow): Monitor => ({
    id: row.id,
    projectId: row.project_id,
    key: row.key,
    name: row.name,
    type: row.type,
    interval: row.interval_seconds,
    timeout: row.timeout_seconds,
    regions: row.regions,
    paused: row.paused,
    pausedReason: row.paused_by_plan ? "plan_limit" : null,
    wantedInterval: row.wanted_interval,
    status: row.status,
    stale: row.stale,
    lastCheckedAt: row.last_checked_at?.getTime() ?? null,
    createdAt: row.created_at.getTime(),
    updatedAt: row.updated_at.getTime(),
    config: row.config,
    signalToken: row.token_encrypted === null ? null : secrets.decrypt(row.token_encrypted, row.id)
  })

/** Rows of `monitors m` that are to be watched now, with whose they are. */
export const selectSpecs = (sql: SqlClient.SqlClient) =>
  sql`SELECT m.id, m.project_id, m.type, m.interval_seconds, m.timeout_seconds, m.regions, m.config, m.revision,
      m.updated_at, p.user_id AS owner
    FROM monitors m JOIN projects p ON p.id = m.project_id WHERE NOT m.paused AND NOT m.passive`

/** Tells accounts apart. An account's id has 80 random bits, so nobody finds it by this. */
const accountKey = (owner: UserId): string => createHash("sha256").update(owner).digest("base64url").slice(0, 16)

export const readSpec = (row: SpecRow): PlacedSpec => ({
  spec: {
    id: row.id,
    projectId: row.project_id,
    account: accountKey(row.owner),
    type: row.type,
    interval: row.interval_seconds,
    timeout: row.timeout_seconds,
    config: row.config,
    revision: row.revision,
    changedAt: row.updated_at.getTime()
  },
  regions: row.regions
})
