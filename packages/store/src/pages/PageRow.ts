/** Status pages as rows, their monitors with them. */
import type { ProjectId, StatusPageId } from "@kanmon/domain/Ids"
import type { CustomDomainStatus, PageMonitor, StatusPage } from "@kanmon/domain/StatusPage"
import type { SqlClient } from "effect/sql"

export interface PageRow {
  readonly id: StatusPageId
  readonly project_id: ProjectId
  readonly key: string | null
  readonly name: string
  readonly slug: string
  readonly monitors: ReadonlyArray<PageMonitor>
  readonly custom_domain: string | null
  readonly custom_domain_status: CustomDomainStatus
  readonly custom_domain_error: string | null
  readonly created_at: Date
  readonly updated_at: Date
}

/** Begins a query for pages, as `p`. */
export const selectPages = (sql: SqlClient.SqlClient) => sql`SELECT p.*, COALESCE(
    (SELECT jsonb_agg(jsonb_build_object('monitorId', monitor_id, 'displayGroup', display_group) ORDER BY position)
      FROM status_page_monitors WHERE page_id = p.id), '[]'::jsonb) AS monitors
  FROM status_pages p`

export const readPage = (row: PageRow): StatusPage => ({
  id: row.id,
  projectId: row.project_id,
  key: row.key,
  name: row.name,
  slug: row.slug,
  monitorIds: row.monitors.map(({ monitorId }) => monitorId),
  monitors: row.monitors,
  customDomain: row.custom_domain,
  customDomainStatus: row.custom_domain_status,
  customDomainError: row.custom_domain_error,
  createdAt: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime()
})
