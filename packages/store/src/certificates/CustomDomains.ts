/**
 * The work on pages' own domains. A domain that is due is leased to one engine at a time; what an engine that died had
 * leased falls to the next one. What the page says of its domain changes here alone, each change with its public event.
 */
import type { ProjectId, StatusPageId, UserId } from "@kanmon/domain/Ids"
import type { CustomDomainStatus } from "@kanmon/domain/StatusPage"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { type CertificateRow, openKey } from "./Certificates.ts"
import { OutboxSignal } from "../outbox/OutboxSignal.ts"
import { pageEvent } from "../pages/PageEvents.ts"
import { Secrets } from "../database/Secrets.ts"

/** What is remembered of the work on a domain. */
export interface DomainProgress {
  /** Looks in a row that found the DNS record wanting. */
  readonly misses: number
  /** Orders in a row that failed. */
  readonly attempts: number
  /** When validations failed, as far back as it matters. */
  readonly refusals: ReadonlyArray<EpochMillis>
  /** The certificate authority is not to be asked for this name before. */
  readonly askAfter: EpochMillis | null
}

/** A domain that this engine alone works on until the lease ends. */
export interface LeasedDomain extends DomainProgress, DomainStanding {
  readonly name: string
  /** The page that has the domain, its project, and the account of that. */
  readonly pageId: StatusPageId
  readonly projectId: ProjectId
  readonly userId: UserId
  /** The validity of the certificate that is there and can be used. */
  readonly certificate: { readonly notBefore: EpochMillis; readonly notAfter: EpochMillis } | null
}

/** What a page says of its domain. */
export interface DomainStanding {
  readonly status: CustomDomainStatus
  /** What stands in the way, in words; null when nothing does. */
  readonly error: string | null
  /** The domain's owner has shown that the page's project may use it. Nothing is served or ordered before. */
  readonly proven: boolean
}

/** A lease in brief: the domain, and the page that it was leased for. Another page may have the domain meanwhile. */
export type Lease = Pick<LeasedDomain, "name" | "pageId">

/** Orders of certificates within a time. */
export interface OrderCounts {
  readonly all: number
  /** Of the account, or of the registered domain, whichever has more. */
  readonly own: number
}

/** What came of the work on a domain. */
export interface DomainOutcome extends DomainProgress, DomainStanding {
  readonly nextLookAt: EpochMillis
}

export class CustomDomains extends Context.Service<
  CustomDomains,
  {
    /**
     * Leases the domain that has been due longest, those that are served first: nobody's waiting domains keep another's certificate
     * from its renewal. One whose page was changed since the last look is due at once.
     */
    readonly lease: (engine: string, millis: number) => Effect.Effect<LeasedDomain | undefined>
    /**
     * Writes down that an order begins: how the page stands meanwhile, and the order as a failed one, which its outcome takes
     * back. A server that is killed and started again and again would otherwise order each time.
     */
    readonly begin: (
      domain: Lease & Pick<LeasedDomain, "userId">,
      engine: string,
      order: { readonly standing: DomainStanding; readonly registrable: string }
    ) => Effect.Effect<void>
    /** How many orders began since, in all and of this account or registered domain. */
    readonly ordersSince: (time: EpochMillis, userId: UserId, registrable: string) => Effect.Effect<OrderCounts>
    /** Writes the outcome down and ends the lease. Nothing is written when the lease has gone to another engine. */
    readonly conclude: (lease: Lease, engine: string, outcome: DomainOutcome) => Effect.Effect<void>
    /** Gives a domain back as it was: the work was broken off. */
    readonly release: (name: string, engine: string) => Effect.Effect<void>
    /** Gives back what an earlier run of this engine had leased. */
    readonly reclaim: (engine: string) => Effect.Effect<void>
    /** Has those looked at next whose names the test picks, whatever was planned. */
    readonly expedite: (test: (name: string) => boolean) => Effect.Effect<ReadonlyArray<string>>
    /** Forgets domains that no page has any more and whose certificate has ended, and orders of yesterday. */
    readonly prune: Effect.Effect<void>
  }
>()("@kanmon/store/certificates/CustomDomains") {
  static readonly layer = Layer.effect(
    CustomDomains,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      const random = yield* SecureRandom.SecureRandom
      const signal = yield* OutboxSignal

      const lease: CustomDomains["Service"]["lease"] = Effect.fn("CustomDomains.lease")(function* (engine, millis) {
        const at = yield* Clock.currentTimeMillis
        const now = new Date(at)
        yield* sql`INSERT INTO custom_domains (name, next_look_at)
          SELECT custom_domain, ${now}::timestamptz FROM status_pages p WHERE custom_domain IS NOT NULL
            AND NOT EXISTS (SELECT FROM custom_domains WHERE name = p.custom_domain) ON CONFLICT DO NOTHING`
        // As an expression of its own it is evaluated once, so that one row is locked and no more.
        const [row] = yield* sql<DomainRow>`WITH due AS (
            SELECT d.name, p.custom_domain_status AS status, p.custom_domain_error AS error,
              p.custom_domain_proven AS proven, p.id AS page_id, p.project_id, o.user_id
            FROM custom_domains d JOIN status_pages p ON p.custom_domain = d.name JOIN projects o ON o.id = p.project_id
            WHERE (d.leased_until IS NULL OR d.leased_until <= ${now})
              AND (d.next_look_at <= ${now}
                OR p.custom_domain_status IN ('pending_dns', 'failed') AND p.updated_at > d.looked_at)
            ORDER BY p.custom_domain_status <> 'active', d.next_look_at LIMIT 1 FOR UPDATE OF d SKIP LOCKED)
          UPDATE custom_domains l SET looked_at = ${now}, leased_until = ${new Date(at + millis)}, leased_by = ${engine}
          FROM due WHERE l.name = due.name
          RETURNING l.*, due.status, due.error, due.proven, due.page_id, due.project_id, due.user_id`
        return row === undefined ? undefined : readDomain(secrets, row)
      }, Effect.orDie)

      const tell = Effect.fnUntraced(function* ({ name, pageId }: Lease, { error, proven, status }: DomainStanding) {
        const at = yield* Clock.currentTimeMillis
        yield* sql`UPDATE status_pages SET custom_domain_proven = ${proven} WHERE id = ${pageId} AND custom_domain = ${name}`
        const pages = yield* sql<PageRow>`UPDATE status_pages
          SET custom_domain_status = ${status}, custom_domain_error = ${error}
          WHERE id = ${pageId} AND custom_domain = ${name}
            AND (custom_domain_status <> ${status} OR custom_domain_error IS DISTINCT FROM ${error})
          RETURNING id, project_id, slug`
        for (const { id, project_id, slug } of pages) {
          const page = { id, projectId: project_id, slug, customDomain: name }
          const event = JSON.stringify(pageEvent(page, "updated", at, yield* random.ulid))
          yield* sql`INSERT INTO outbox (kind, event, created_at) VALUES ('event', ${event}::jsonb, ${new Date(at)})`
        }
        return pages.length > 0
      })

      const begin: CustomDomains["Service"]["begin"] = Effect.fn("CustomDomains.begin")(function* (
        domain,
        engine,
        { registrable, standing }
      ) {
        const { name, userId } = domain
        const now = new Date(yield* Clock.currentTimeMillis)
        const told = yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`UPDATE custom_domains SET refused_at = refused_at || ${now}::timestamptz
              WHERE name = ${name} AND leased_by = ${engine}`
            yield* sql`INSERT INTO certificate_orders (domain, registrable, user_id, ordered_at)
              VALUES (${name}, ${registrable}, ${userId}, ${now})`
            return yield* tell(domain, standing)
          })
        )
        if (told) yield* signal.raise
      }, Effect.orDie)

      const ordersSince: CustomDomains["Service"]["ordersSince"] = Effect.fn("CustomDomains.ordersSince")(function* (
        time,
        userId,
        registrable
      ) {
        const [counts] = yield* sql<OrderCounts>`SELECT count(*)::int AS all,
            greatest(count(*) FILTER (WHERE user_id = ${userId}),
              count(*) FILTER (WHERE registrable = ${registrable}))::int AS own
          FROM certificate_orders WHERE ordered_at > ${new Date(time)}`
        return counts!
      }, Effect.orDie)

      const conclude: CustomDomains["Service"]["conclude"] = Effect.fn("CustomDomains.conclude")(function* (
        lease,
        engine,
        outcome
      ) {
        const { name } = lease
        const { askAfter, attempts, error, misses, nextLookAt, refusals } = outcome
        const told = yield* sql.withTransaction(
          Effect.gen(function* () {
            const refusedAt = refusals.map((time) => new Date(time).toISOString())
            const own = yield* sql`UPDATE custom_domains SET next_look_at = ${new Date(nextLookAt)}, misses = ${misses},
                attempts = ${attempts}, refused_at = ${refusedAt}::timestamptz[],
                ask_after = ${askAfter === null ? null : new Date(askAfter)}, last_error = ${error},
                leased_until = NULL, leased_by = NULL
              WHERE name = ${name} AND leased_by = ${engine} RETURNING name`
            return own.length > 0 && (yield* tell(lease, outcome))
          })
        )
        if (told) yield* signal.raise
      }, Effect.orDie)

      const release: CustomDomains["Service"]["release"] = Effect.fn("CustomDomains.release")(
        (name, engine) => sql`UPDATE custom_domains SET leased_until = NULL, leased_by = NULL
          WHERE name = ${name} AND leased_by = ${engine}`,
        Effect.asVoid,
        Effect.orDie
      )

      const reclaim: CustomDomains["Service"]["reclaim"] = Effect.fn("CustomDomains.reclaim")(
        (engine) => sql`UPDATE custom_domains SET leased_until = NULL, leased_by = NULL WHERE leased_by = ${engine}`,
        Effect.asVoid,
        Effect.orDie
      )

      const expedite: CustomDomains["Service"]["expedite"] = Effect.fn("CustomDomains.expedite")(function* (test) {
        const rows = yield* sql<{ name: string }>`SELECT custom_domain AS name FROM status_pages
          WHERE custom_domain IS NOT NULL`
        const names = rows.flatMap(({ name }) => (test(name) ? [name] : []))
        const now = new Date(yield* Clock.currentTimeMillis)
        yield* sql`UPDATE custom_domains SET next_look_at = ${now} WHERE name = ANY(${names}::text[])`
        return names
      }, Effect.orDie)

      const prune = Effect.gen(function* () {
        const at = yield* Clock.currentTimeMillis
        const now = new Date(at)
        yield* sql`DELETE FROM certificate_orders WHERE ordered_at <= ${new Date(at - dayMillis)}`
        yield* sql`DELETE FROM custom_domains d WHERE NOT EXISTS (SELECT FROM status_pages WHERE custom_domain = d.name)
          AND (not_after IS NULL OR not_after <= ${now}) AND (ask_after IS NULL OR ask_after <= ${now})
          AND next_look_at <= ${now}`
      }).pipe(Effect.orDie, Effect.withSpan("CustomDomains.prune"))

      return CustomDomains.of({ lease, begin, ordersSince, conclude, release, reclaim, expedite, prune })
    })
  )
}

interface DomainRow extends Partial<Omit<CertificateRow, "name">> {
  readonly name: string
  readonly page_id: StatusPageId
  readonly project_id: ProjectId
  readonly user_id: UserId
  readonly status: CustomDomainStatus
  readonly error: string | null
  readonly proven: boolean
  readonly misses: number
  readonly attempts: number
  readonly refused_at: ReadonlyArray<Date>
  readonly ask_after: Date | null
}

interface PageRow {
  readonly id: StatusPageId
  readonly project_id: ProjectId
  readonly slug: string
}

const readDomain = (secrets: Secrets["Service"], row: DomainRow): LeasedDomain => ({
  name: row.name,
  pageId: row.page_id,
  projectId: row.project_id,
  userId: row.user_id,
  status: row.status,
  error: row.error,
  proven: row.proven,
  certificate: validity(secrets, row),
  misses: row.misses,
  attempts: row.attempts,
  refusals: row.refused_at.map((date) => date.getTime()),
  askAfter: row.ask_after?.getTime() ?? null
})

const validity = (secrets: Secrets["Service"], row: DomainRow): LeasedDomain["certificate"] => {
  const { key_encrypted, name, not_after, not_before } = row
  if (!key_encrypted || !not_before || !not_after) return null
  return openKey(secrets, { name, key_encrypted }) === undefined
    ? null
    : { notBefore: not_before.getTime(), notAfter: not_after.getTime() }
}
