/** The tables `status_pages` and `status_page_monitors`. Statements only; the rules are in StatusPages. */
import { MonitorId, ProjectId, StatusPageId } from "@kanmon/domain/Ids"
import { CustomDomainStatus, type PageMonitor, type StatusPage } from "@kanmon/domain/StatusPage"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { databaseDies } from "@kanmon/platform/database/Database"
import { type KeyTaken, keyTakenAsAnswer } from "@kanmon/platform/database/KeyTaken"
import * as Rows from "@kanmon/platform/database/Rows"

/** Another page, perhaps of another project, is found under this name. */
export class PageAddressTaken extends Schema.TaggedError<PageAddressTaken>()("PageAddressTaken", {
  field: Schema.Literals(["slug", "customDomain"]),
  name: Schema.String
}) {}

const PageRow = Schema.Struct({
  id: StatusPageId,
  projectId: ProjectId,
  key: Schema.NullOr(Schema.String),
  name: Schema.String,
  slug: Schema.String,
  monitors: Schema.Array(Schema.Struct({ monitorId: MonitorId, displayGroup: Schema.NullOr(Schema.String) })),
  tags: Schema.Array(Schema.String),
  embedOrigins: Schema.Array(Schema.String),
  customDomain: Schema.NullOr(Schema.String),
  customDomainStatus: CustomDomainStatus,
  customDomainError: Schema.NullOr(Schema.String),
  createdAt: Rows.Time,
  updatedAt: Rows.Time
}).pipe(
  Schema.encodeKeys({
    projectId: "project_id",
    embedOrigins: "embed_origins",
    customDomain: "custom_domain",
    customDomainStatus: "custom_domain_status",
    customDomainError: "custom_domain_error",
    createdAt: "created_at",
    updatedAt: "updated_at"
  })
)

const toPage = (row: typeof PageRow.Type): StatusPage => ({
  ...row,
  monitorIds: row.monitors.map(({ monitorId }) => monitorId)
})

const HolderRow = Schema.Struct({ id: StatusPageId, projectId: ProjectId }).pipe(
  Schema.encodeKeys({ projectId: "project_id" })
)
const DomainRow = Schema.Struct({ domain: Schema.String, slug: Schema.String })

/** A page without its monitors, as a statement writes it. */
type PageFields = Pick<
  StatusPage,
  "id" | "projectId" | "key" | "name" | "slug" | "tags" | "embedOrigins" | "customDomain"
>

export class StatusPageRepository extends Context.Service<StatusPageRepository>()(
  "@kanmon/monitoring/status-pages/StatusPageRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const select = sql`SELECT p.*, COALESCE(
          (SELECT jsonb_agg(jsonb_build_object('monitorId', monitor_id, 'displayGroup', display_group) ORDER BY position)
            FROM status_page_monitors WHERE page_id = p.id), '[]'::jsonb) AS monitors
        FROM status_pages p`
      type Statement = Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>
      const all = (statement: Statement) => Effect.map(Rows.all(PageRow)(statement), (rows) => rows.map(toPage))
      const first = (statement: Statement) =>
        Effect.map(Rows.first(PageRow)(statement), (row) => (row === undefined ? undefined : toPage(row)))
      const write = (statement: Statement) => Effect.orDie(Effect.asVoid(statement))

      return {
        /** Pages of a project, newest first; `before`: only pages older than this one. */
        list: (
          projectId: ProjectId,
          {
            before,
            key,
            limit
          }: { readonly before?: string | undefined; readonly key?: string | undefined; readonly limit: number }
        ) => {
          const conditions = [
            sql`p.project_id = ${projectId}`,
            ...(before === undefined ? [] : [sql`p.id < ${before}`]),
            ...(key === undefined ? [] : [sql`p.key = ${key}`])
          ]
          return sql`${select} WHERE ${sql.and(conditions)} ORDER BY p.id DESC LIMIT ${limit}`.pipe(all)
        },
        listAll: (projectId: ProjectId) => sql`${select} WHERE p.project_id = ${projectId}`.pipe(all),
        find: (projectId: ProjectId, id: StatusPageId) =>
          sql`${select} WHERE p.id = ${id} AND p.project_id = ${projectId}`.pipe(first),
        /** Undefined while the organization of the page is disabled, because its monitors are not checked. */
        findBySlug: (slug: string) =>
          sql`${select} JOIN projects j ON j.id = p.project_id JOIN organizations o ON o.id = j.organization_id
            WHERE p.slug = ${slug} AND o.disabled_at IS NULL`.pipe(first),
        /** Locks a page, and its project against deletion, until the transaction ends. */
        lock: Effect.fnUntraced(function* (projectId: ProjectId, id: StatusPageId) {
          // The project first, in the order in which its deletion locks; the other order would deadlock.
          yield* sql`SELECT id FROM projects WHERE id = ${projectId} FOR KEY SHARE`
          // Separate from the read: a statement that waits for a lock sees the monitors as they were before.
          yield* sql`SELECT id FROM status_pages WHERE id = ${id} AND project_id = ${projectId} FOR UPDATE`
        }, Effect.orDie),
        insert: (page: PageFields, at: EpochMillis) =>
          sql`INSERT INTO status_pages (id, project_id, key, name, slug, tags, embed_origins, custom_domain,
              created_at, updated_at)
            VALUES (${page.id}, ${page.projectId}, ${page.key}, ${page.name}, ${page.slug}, ${page.tags}::text[],
              ${page.embedOrigins}::text[], ${page.customDomain}, ${new Date(at)}, ${new Date(at)})`.pipe(
            refusing(page)
          ),
        update: (page: PageFields, at: EpochMillis) =>
          sql`UPDATE status_pages SET key = ${page.key}, name = ${page.name}, slug = ${page.slug}, tags = ${page.tags}::text[],
            embed_origins = ${page.embedOrigins}::text[], custom_domain = ${page.customDomain}, updated_at = ${new Date(at)} WHERE id = ${page.id}`.pipe(
            refusing(page)
          ),
        /** Sets up the custom domain from the start: nothing is proven or known about it. */
        resetDomain: (id: StatusPageId, status: CustomDomainStatus) =>
          sql`UPDATE status_pages SET custom_domain_status = ${status}, custom_domain_error = NULL,
            custom_domain_proven = false WHERE id = ${id}`.pipe(write),
        delete: (id: StatusPageId) => sql`DELETE FROM status_pages WHERE id = ${id}`.pipe(write),
        /** Shows these monitors on the page, in this order, and no others. */
        replaceMonitors: Effect.fnUntraced(function* (id: StatusPageId, monitors: ReadonlyArray<PageMonitor>) {
          yield* sql`DELETE FROM status_page_monitors WHERE page_id = ${id}`
          yield* sql`INSERT INTO status_page_monitors (page_id, monitor_id, display_group, position)
            SELECT ${id}, entry->>'monitorId', entry->>'displayGroup', place
            FROM jsonb_array_elements(${JSON.stringify(monitors)}::jsonb) WITH ORDINALITY AS shown (entry, place)`
        }, Effect.orDie),
        /** The page of another project that has the domain. */
        domainHolder: (domain: string, except: ProjectId) =>
          sql`SELECT id, project_id FROM status_pages
            WHERE custom_domain = ${domain} AND project_id <> ${except}`.pipe(Rows.first(HolderRow)),
        /** Takes a custom domain away from a page; false when the page does not have it any more. */
        removeDomain: (id: StatusPageId, domain: string, reason: string, at: EpochMillis) =>
          sql`UPDATE status_pages SET custom_domain = NULL, custom_domain_status = 'none', custom_domain_proven = false,
              custom_domain_error = ${reason}, updated_at = ${new Date(at)}
            WHERE id = ${id} AND custom_domain = ${domain} RETURNING id`.pipe(Rows.any),
        /** The slugs of pages by their custom domains, of those that are proven or active. */
        slugsByDomain: sql`SELECT custom_domain AS domain, slug FROM status_pages
          WHERE custom_domain IS NOT NULL AND (custom_domain_status = 'active' OR custom_domain_proven)`.pipe(
          Rows.all(DomainRow),
          Effect.map((rows) => new Map(rows.map(({ domain, slug }) => [domain, slug])))
        )
      }
    })
  }
) {
  static readonly layer = Layer.effect(StatusPageRepository, StatusPageRepository.make)
}

/** The table's constraints on addresses. Looking before writing would let two writers through at once. */
const addressConstraints: Readonly<Record<string, PageAddressTaken["field"]>> = {
  status_pages_slug_key: "slug",
  status_pages_custom_domain_key: "customDomain"
}

const refusing =
  (page: PageFields) =>
  (statement: Effect.Effect<unknown, SqlError.SqlError>): Effect.Effect<void, KeyTaken | PageAddressTaken> =>
    statement.pipe(
      Effect.asVoid,
      Effect.mapError((error) => {
        const field = error.reason._tag === "UniqueViolation" ? addressConstraints[error.reason.constraint] : undefined
        return field === undefined ? error : new PageAddressTaken({ field, name: page[field] ?? "" })
      }),
      keyTakenAsAnswer,
      databaseDies
    )
