/** Conditions that suppress alerts of a monitor, as parts of statements: maintenance and silences. */
import type { SqlClient, Statement } from "effect/sql"

/** Whether maintenance covers the monitor of the alert `a`. */
export const underMaintenance = (sql: SqlClient.SqlClient, now: Date): Statement.Fragment =>
  sql`EXISTS (SELECT FROM maintenance_windows w
    WHERE w.monitor_id = a.monitor_id AND w.starts_at <= ${now} AND w.ends_at > ${now})`

/** Whether a silence keeps back the notifications of the alert `a`. */
export const underSilence = (sql: SqlClient.SqlClient, now: Date): Statement.Fragment =>
  sql`EXISTS (SELECT FROM silences s JOIN monitors sm ON sm.project_id = s.project_id
    WHERE sm.id = a.monitor_id AND s.until > ${now} AND (sm.id = ANY(s.monitor_ids) OR sm.tags && s.tags))`

/** The end of the maintenance over the monitor `m` that ends last; null without any. */
export const maintenanceUntil = (sql: SqlClient.SqlClient, now: Date): Statement.Fragment =>
  sql`(SELECT max(w.ends_at) FROM maintenance_windows w
    WHERE w.monitor_id = m.id AND w.starts_at <= ${now} AND w.ends_at > ${now})`

/** The end of the silence over the monitor `m` that ends last; null without any. */
export const silencedUntil = (sql: SqlClient.SqlClient, now: Date): Statement.Fragment =>
  sql`(SELECT max(s.until) FROM silences s
    WHERE s.project_id = m.project_id AND s.until > ${now} AND (m.id = ANY(s.monitor_ids) OR m.tags && s.tags))`
