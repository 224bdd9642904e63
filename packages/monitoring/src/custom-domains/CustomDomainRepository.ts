/** The tables `custom_domains` and `certificate_orders`, read with the pages that have the domains. */
import { ProjectId, StatusPageId, OrganizationId } from "@kanmon/domain/Ids"
import { CustomDomainStatus } from "@kanmon/domain/StatusPage"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { mayLease } from "@kanmon/platform/cluster/EngineLocks"
import * as Rows from "@kanmon/platform/database/Rows"

/** The part of a custom domain that is kept from one check to the next. */
const progressFields = {
  /** Checks in a row that found the DNS record missing or wrong. */
  misses: Schema.Int,
  /** Orders in a row that failed. */
  attempts: Schema.Int,
  /** When validations failed, as far back as it matters. */
  refusals: Schema.Array(Rows.Time),
  /** No certificate is ordered for this name before. */
  askAfter: Schema.NullOr(Rows.Time)
}

/** The state of a custom domain that its page shows. */
const stateFields = {
  status: CustomDomainStatus,
  /** Why the domain does not work, as a sentence; null when it does. */
  error: Schema.NullOr(Schema.String),
  /** The domain's owner has proven that the project may use it. Nothing is served or ordered before. */
  proven: Schema.Boolean
}

const LeasedRow = Schema.Struct({
  ...progressFields,
  ...stateFields,
  name: Schema.String,
  pageId: StatusPageId,
  projectId: ProjectId,
  organizationId: OrganizationId,
  keyEncrypted: Schema.NullOr(Schema.String),
  notBefore: Schema.NullOr(Rows.Time),
  notAfter: Schema.NullOr(Rows.Time)
}).pipe(
  Schema.encodeKeys({
    refusals: "refused_at",
    askAfter: "ask_after",
    pageId: "page_id",
    projectId: "project_id",
    organizationId: "organization_id",
    keyEncrypted: "key_encrypted",
    notBefore: "not_before",
    notAfter: "not_after"
  })
)

const Progress = Schema.Struct(progressFields)
const State = Schema.Struct(stateFields)
export type DomainProgress = typeof Progress.Type
export type DomainState = typeof State.Type

const CountsRow = Schema.Struct({ all: Rows.Count, own: Rows.Count })
const NameRow = Schema.Struct({ name: Schema.String })

/** Certificate orders within a period. */
export type OrderCounts = typeof CountsRow.Type

export class CustomDomainRepository extends Context.Service<CustomDomainRepository>()(
  "@kanmon/monitoring/custom-domains/CustomDomainRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const write = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))

      const isDue = (engine: string, now: EpochMillis) => sql`${mayLease(sql, "d", engine, new Date(now))}
        AND (d.next_look_at <= ${new Date(now)}
          OR p.custom_domain_status IN ('pending_dns', 'failed') AND p.updated_at > d.looked_at)`

      return {
        /** Whether there is a domain that this engine could lease now. */
        isAnyDue: (engine: string, now: EpochMillis) =>
          Rows.any(sql`SELECT 1 FROM status_pages p LEFT JOIN custom_domains d ON d.name = p.custom_domain
            WHERE p.custom_domain IS NOT NULL AND (d.name IS NULL OR ${isDue(engine, now)}) LIMIT 1`),
        /** Adds the custom domains of pages that are not known yet. */
        insertMissing: (now: EpochMillis) =>
          sql`INSERT INTO custom_domains (name, next_look_at)
            SELECT custom_domain, ${new Date(now)}::timestamptz FROM status_pages p WHERE custom_domain IS NOT NULL
              AND NOT EXISTS (SELECT FROM custom_domains WHERE name = p.custom_domain) ON CONFLICT DO NOTHING`.pipe(
            write
          ),
        // A common table expression is evaluated once, so exactly one row is locked.
        /**
         * Leases the domain that has been due longest, active ones first. A domain with a page that changed since the last
         * check is due at once. Returns nothing to an engine that has not joined the cluster.
         */
        lease: (engine: string, now: EpochMillis, until: EpochMillis) =>
          sql`WITH due AS (
              SELECT d.name, p.custom_domain_status AS status, p.custom_domain_error AS error,
                p.custom_domain_proven AS proven, p.id AS page_id, p.project_id, o.organization_id
              FROM custom_domains d JOIN status_pages p ON p.custom_domain = d.name JOIN projects o ON o.id = p.project_id
              WHERE ${isDue(engine, now)}
              ORDER BY p.custom_domain_status <> 'active', d.next_look_at LIMIT 1 FOR UPDATE OF d SKIP LOCKED)
            UPDATE custom_domains l SET looked_at = ${new Date(now)}, leased_until = ${new Date(until)},
              leased_by = ${engine}
            FROM due WHERE l.name = due.name
            RETURNING l.*, due.status, due.error, due.proven, due.page_id, due.project_id, due.organization_id`.pipe(
            Rows.first(LeasedRow)
          ),
        /** Adds a failure to a leased domain. */
        addRefusal: (name: string, engine: string, at: EpochMillis) =>
          sql`UPDATE custom_domains SET refused_at = refused_at || ${new Date(at)}::timestamptz
            WHERE name = ${name} AND leased_by = ${engine}`.pipe(write),
        insertOrder: ({
          at,
          domain,
          registrable,
          organizationId
        }: {
          readonly domain: string
          readonly registrable: string
          readonly organizationId: OrganizationId
          readonly at: EpochMillis
        }) =>
          sql`INSERT INTO certificate_orders (domain, registrable, organization_id, ordered_at)
            VALUES (${domain}, ${registrable}, ${organizationId}, ${new Date(at)})`.pipe(write),
        countOrders: (since: EpochMillis, organizationId: OrganizationId, registrable: string) =>
          sql`SELECT count(*)::int AS all, greatest(count(*) FILTER (WHERE organization_id = ${organizationId}),
              count(*) FILTER (WHERE registrable = ${registrable}))::int AS own
            FROM certificate_orders WHERE ordered_at > ${new Date(since)}`.pipe(Rows.one(CountsRow)),
        /** Saves a check's outcome and ends the lease; false when the lease has gone to another engine. */
        saveOutcome: (
          name: string,
          engine: string,
          {
            askAfter,
            attempts,
            error,
            misses,
            nextLookAt,
            refusals
          }: DomainProgress & { readonly error: string | null; readonly nextLookAt: EpochMillis }
        ) =>
          sql`UPDATE custom_domains SET next_look_at = ${new Date(nextLookAt)}, misses = ${misses},
              attempts = ${attempts}, refused_at = ${refusals.map((at) => new Date(at).toISOString())}::timestamptz[],
              ask_after = ${askAfter === null ? null : new Date(askAfter)}, last_error = ${error},
              leased_until = NULL, leased_by = NULL
            WHERE name = ${name} AND leased_by = ${engine} RETURNING name`.pipe(Rows.any),
        release: (name: string, engine: string) =>
          sql`UPDATE custom_domains SET leased_until = NULL, leased_by = NULL
            WHERE name = ${name} AND leased_by = ${engine}`.pipe(write),
        releaseAll: (engine: string) =>
          sql`UPDATE custom_domains SET leased_until = NULL, leased_by = NULL WHERE leased_by = ${engine}`.pipe(write),
        /** The custom domains of all pages. */
        names: sql`SELECT custom_domain AS name FROM status_pages WHERE custom_domain IS NOT NULL`.pipe(
          Rows.all(NameRow),
          Effect.map((rows) => rows.map(({ name }) => name))
        ),
        setDue: (names: ReadonlyArray<string>, now: EpochMillis) =>
          sql`UPDATE custom_domains SET next_look_at = ${new Date(now)} WHERE name = ANY(${names}::text[])`.pipe(write),
        deleteOrders: (until: EpochMillis) =>
          sql`DELETE FROM certificate_orders WHERE ordered_at <= ${new Date(until)}`.pipe(write),
        /** Deletes domains without a page that have no valid certificate and no pause to be remembered. */
        deleteUnused: (at: EpochMillis) => {
          const now = new Date(at)
          return sql`DELETE FROM custom_domains d
            WHERE NOT EXISTS (SELECT FROM status_pages WHERE custom_domain = d.name)
              AND (not_after IS NULL OR not_after <= ${now}) AND (ask_after IS NULL OR ask_after <= ${now})
              AND next_look_at <= ${now}`.pipe(write)
        }
      }
    })
  }
) {
  static readonly layer = Layer.effect(CustomDomainRepository, CustomDomainRepository.make)
}
