/** Registrations of domains: which monitors stand on which, what a registry said of it, and when to ask again. */
import type { MonitorId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as AlertBook from "../alerts/AlertBook.ts"
import { DeliverySignal } from "../alerts/DeliverySignal.ts"
import { OutboxSignal } from "../outbox/OutboxSignal.ts"

/** What is known of a domain. */
export interface DomainRecord {
  readonly name: string
  readonly expiresAt: EpochMillis | null
  readonly registrar: string | null
  readonly checkedAt: EpochMillis | null
  /** Why nothing (new) is known; null when all is well. */
  readonly problem: string | null
}

/** A monitor whose domain is to be decided about. */
export interface DomainMonitor {
  readonly id: MonitorId
  readonly domain: string
  readonly expiresAt: EpochMillis
  /** Days, where the monitor says it. */
  readonly threshold: number | undefined
}

/** What a lookup came to. Without `registration` what was known before stays. */
export interface DomainLookup {
  readonly registration?: { readonly expiresAt: EpochMillis | null; readonly registrar: string | null }
  readonly problem: string | null
  readonly nextCheckAt: EpochMillis
}

export class Domains extends Context.Service<
  Domains,
  {
    /** Notes the domain of every monitor that was made or changed since; `domainOf` reads a monitor's address. */
    readonly assign: (domainOf: (url: string) => string | undefined, limit: number) => Effect.Effect<number>
    /** Domains that are due, held for `leaseMillis` so that no other engine asks too. */
    readonly due: (limit: number, leaseMillis: number) => Effect.Effect<ReadonlyArray<string>>
    readonly note: (name: string, lookup: DomainLookup) => Effect.Effect<void>
    /** Forgets domains that no monitor stands on any more. */
    readonly prune: Effect.Effect<void>
    /**
     * Decides, in one transaction for each page, about the monitors whose domain ends within their threshold or has an
     * open alert. `usual` is the threshold in days of those that name none.
     */
    readonly decide: (
      usual: number,
      alert: (monitors: ReadonlyArray<DomainMonitor>, book: AlertBook.Book) => Effect.Effect<AlertBook.AlertChanges>
    ) => Effect.Effect<void>
    readonly ofMonitors: (ids: ReadonlyArray<MonitorId>) => Effect.Effect<ReadonlyMap<MonitorId, DomainRecord>>
  }
>()("@kanmon/store/monitors/Domains") {
  static readonly layer = Layer.effect(
    Domains,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const outbox = yield* OutboxSignal
      const signal = yield* DeliverySignal
      const provide = Effect.provideService(SqlClient.SqlClient, sql)

      const assign: Domains["Service"]["assign"] = Effect.fn("Domains.assign")(function* (domainOf, limit) {
        const now = new Date(yield* Clock.currentTimeMillis)
        const rows = yield* sql<{ id: string; revision: number; url: string | null }>`
          SELECT id, revision, config->>'url' AS url FROM monitors
          WHERE domain_revision IS DISTINCT FROM revision ORDER BY id LIMIT ${limit}`
        if (rows.length === 0) return 0
        const read = rows.map(({ id, revision, url }) => ({
          id,
          revision,
          domain: url === null ? null : (domainOf(url) ?? null)
        }))
        yield* sql`INSERT INTO domains (name, next_check_at)
          SELECT DISTINCT domain, ${now}::timestamptz FROM json_to_recordset(${JSON.stringify(read)}::json) AS v(domain text)
          WHERE domain IS NOT NULL ON CONFLICT DO NOTHING`
        yield* sql`UPDATE monitors m SET domain = v.domain, domain_revision = v.revision
          FROM json_to_recordset(${JSON.stringify(read)}::json) AS v(id text, revision integer, domain text)
          WHERE m.id = v.id`
        return rows.length
      }, Effect.orDie)

      const due: Domains["Service"]["due"] = Effect.fn("Domains.due")(function* (limit, leaseMillis) {
        const now = yield* Clock.currentTimeMillis
        const rows = yield* sql<{ name: string }>`UPDATE domains SET next_check_at = ${new Date(now + leaseMillis)}
          WHERE name IN (SELECT name FROM domains WHERE next_check_at <= ${new Date(now)}
            ORDER BY next_check_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
          RETURNING name`
        return rows.map(({ name }) => name)
      }, Effect.orDie)

      const note: Domains["Service"]["note"] = Effect.fn("Domains.note")(function* (name, lookup) {
        const now = new Date(yield* Clock.currentTimeMillis)
        const { nextCheckAt, problem, registration } = lookup
        const next = new Date(nextCheckAt)
        if (registration === undefined) {
          yield* sql`UPDATE domains SET problem = ${problem}, next_check_at = ${next} WHERE name = ${name}`
          return
        }
        const { expiresAt, registrar } = registration
        yield* sql`UPDATE domains SET expires_at = ${expiresAt === null ? null : new Date(expiresAt)},
          registrar = ${registrar}, checked_at = ${now}, problem = ${problem}, next_check_at = ${next} WHERE name = ${name}`
      }, Effect.orDie)

      const prune = sql`DELETE FROM domains d WHERE NOT EXISTS (SELECT FROM monitors m WHERE m.domain = d.name)`.pipe(
        Effect.asVoid,
        Effect.orDie
      )

      // Any plugin may have a field of this name.
      const threshold = sql`CASE WHEN jsonb_typeof(m.config->'domainExpiryThreshold') = 'number'
        THEN (m.config->>'domainExpiryThreshold')::double precision END`

      const decide: Domains["Service"]["decide"] = Effect.fn("Domains.decide")(function* (usual, alert) {
        const now = yield* Clock.currentTimeMillis
        let after = ""
        for (;;) {
          const page = yield* sql.withTransaction(
            Effect.gen(function* () {
              const rows = yield* sql<MonitorRow>`SELECT m.id, m.domain, d.expires_at, ${threshold} AS threshold
                FROM monitors m JOIN domains d ON d.name = m.domain JOIN monitor_states s ON s.monitor_id = m.id
                WHERE m.id > ${after} AND NOT m.paused AND d.expires_at IS NOT NULL
                  AND (d.expires_at <= ${new Date(now)}::timestamptz
                      + COALESCE(${threshold}, ${usual}) * interval '1 day'
                    OR EXISTS (SELECT FROM alerts a WHERE a.monitor_id = m.id AND a.resolved_at IS NULL
                      AND a.trigger IN ('domain_expiring', 'domain_expired')))
                ORDER BY m.id LIMIT ${pageSize} FOR NO KEY UPDATE OF s`
              if (rows.length === 0) return { rows, changes: undefined }
              const monitors = rows.map(readMonitor)
              const book = yield* AlertBook.load(monitors.map(({ id }) => id))
              const changes = yield* alert(monitors, book)
              yield* AlertBook.write(changes, now)
              return { rows, changes }
            }).pipe(provide)
          )
          if ((page.changes?.events.length ?? 0) > 0) yield* outbox.raise
          if ((page.changes?.deliveries.length ?? 0) > 0) yield* signal.raise
          if (page.rows.length < pageSize) return
          after = page.rows.at(-1)!.id
        }
      }, Effect.orDie)

      const ofMonitors: Domains["Service"]["ofMonitors"] = Effect.fn("Domains.ofMonitors")(function* (ids) {
        const rows = yield* sql<DomainRow>`SELECT m.id, d.name, d.expires_at, d.registrar, d.checked_at, d.problem
          FROM monitors m JOIN domains d ON d.name = m.domain WHERE m.id = ANY(${ids}::text[])`
        return new Map(rows.map((row) => [row.id, readDomain(row)]))
      }, Effect.orDie)

      return Domains.of({ assign, due, note, prune, decide, ofMonitors })
    })
  )
}

const pageSize = 200

interface MonitorRow {
  readonly id: MonitorId
  readonly domain: string
  readonly expires_at: Date
  readonly threshold: number | null
}

interface DomainRow {
  readonly id: MonitorId
  readonly name: string
  readonly expires_at: Date | null
  readonly registrar: string | null
  readonly checked_at: Date | null
  readonly problem: string | null
}

const readMonitor = (row: MonitorRow): DomainMonitor => ({
  id: row.id,
  domain: row.domain,
  expiresAt: row.expires_at.getTime(),
  threshold: row.threshold ?? undefined
})

const readDomain = (row: DomainRow): DomainRecord => ({
  name: row.name,
  expiresAt: row.expires_at?.getTime() ?? null,
  registrar: row.registrar,
  checkedAt: row.checked_at?.getTime() ?? null,
  problem: row.problem
})
