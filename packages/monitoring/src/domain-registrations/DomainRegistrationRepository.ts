/** Registered domains in the database, and which monitors use them. */
import { MonitorId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ReadDomain } from "../registry/index.ts"
import * as Rows from "@kanmon/platform/database/Rows"
import type { Question } from "@kanmon/platform/DueWork"

const NullableTime = Schema.NullOr(Rows.Time)

/** The facts about a domain. */
const DomainRegistration = Schema.Struct({
  name: Schema.String,
  expiresAt: NullableTime,
  registrar: Schema.NullOr(Schema.String),
  checkedAt: NullableTime,
  /** Why nothing, or nothing new, is known; null without a problem. */
  problem: Schema.NullOr(Schema.String)
})
type DomainRegistration = typeof DomainRegistration.Type

const OfMonitor = Schema.Struct({ ...DomainRegistration.fields, id: MonitorId })

/** A monitor that was created or changed since its domain was read. */
const UnreadMonitor = Schema.Struct({ id: MonitorId, revision: Schema.Int, url: Schema.NullOr(Schema.String) })

/** A monitor with a domain that needs a decision about alerts. */
const ExpiringMonitor = Schema.Struct({
  id: MonitorId,
  domain: Schema.String,
  expiresAt: Rows.Time,
  /** Days, as the monitor configures it; null without such a setting. */
  threshold: Schema.NullOr(Schema.Number)
})
export type ExpiringMonitor = typeof ExpiringMonitor.Type

/** The result of a lookup. Without `registration` the known one stays. */
export interface DomainLookup {
  readonly registration?: Pick<DomainRegistration, "expiresAt" | "registrar">
  readonly problem: string | null
  readonly nextCheckAt: EpochMillis
}

/** Whether there is a monitor that was not read since its last change, or a domain to look up. */
export const isDue: Question = (sql, now) =>
  sql`EXISTS (SELECT FROM monitors WHERE domain_revision IS DISTINCT FROM revision)
    OR EXISTS (SELECT FROM domains WHERE next_check_at <= ${now})`

export class DomainRegistrationRepository extends Context.Service<DomainRegistrationRepository>()(
  "@kanmon/monitoring/domain-registrations/DomainRegistrationRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const unread = Effect.fn("DomainRegistrationRepository.unread")((limit: number) =>
        Rows.all(UnreadMonitor)(sql`SELECT id, revision, config->>'url' AS url FROM monitors
          WHERE domain_revision IS DISTINCT FROM revision ORDER BY id LIMIT ${limit}`)
      )

      /** Stores the domains that monitors use; new ones are due now. */
      const insertUsed = Effect.fn("DomainRegistrationRepository.insertUsed")(function* (
        monitors: ReadonlyArray<ReadDomain>,
        now: EpochMillis
      ) {
        const rows = JSON.stringify(monitors)
        yield* sql`INSERT INTO domains (name, next_check_at)
          SELECT DISTINCT domain, ${new Date(now)}::timestamptz FROM json_to_recordset(${rows}::json) AS v(domain text)
          WHERE domain IS NOT NULL ON CONFLICT DO NOTHING`
      }, Effect.orDie)

      /** Leases domains that are due until `until`, so that no other engine takes them. */
      const lease = Effect.fn("DomainRegistrationRepository.lease")(
        (limit: number, now: EpochMillis, until: EpochMillis) =>
          Effect.map(
            Rows.all(Schema.Struct({ name: Schema.String }))(sql`UPDATE domains SET next_check_at = ${new Date(until)}
              WHERE name IN (SELECT name FROM domains WHERE next_check_at <= ${new Date(now)}
                ORDER BY next_check_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
              RETURNING name`),
            (rows) => rows.map(({ name }) => name)
          )
      )

      const save = Effect.fn("DomainRegistrationRepository.save")(function* (
        name: string,
        { nextCheckAt, problem, registration }: DomainLookup,
        now: EpochMillis
      ) {
        const next = new Date(nextCheckAt)
        if (registration === undefined) {
          yield* sql`UPDATE domains SET problem = ${problem}, next_check_at = ${next} WHERE name = ${name}`
          return
        }
        const expiresAt = registration.expiresAt === null ? null : new Date(registration.expiresAt)
        yield* sql`UPDATE domains SET expires_at = ${expiresAt}, registrar = ${registration.registrar},
            checked_at = ${new Date(now)}, problem = ${problem}, next_check_at = ${next} WHERE name = ${name}`
      }, Effect.orDie)

      /** Deletes the domains that no monitor uses. */
      const prune = sql`DELETE FROM domains d WHERE NOT EXISTS (SELECT FROM monitors m WHERE m.domain = d.name)`.pipe(
        Effect.asVoid,
        Effect.orDie
      )

      // Any plugin may have a field of this name, of any type.
      const threshold = sql`CASE WHEN jsonb_typeof(m.config->'domainExpiryThreshold') = 'number'
        THEN (m.config->>'domainExpiryThreshold')::double precision END`

      /**
       * Locks the states of monitors, in the order of their ids after `after`, with a domain that expires within their
       * threshold or has an open alert. `usual` is the threshold in days of monitors that configure none.
       */
      const lockExpiring = Effect.fn("DomainRegistrationRepository.lockExpiring")(
        (usual: number, after: string, limit: number, now: EpochMillis) =>
          Rows.all(ExpiringMonitor)(sql`SELECT m.id, m.domain, d.expires_at AS "expiresAt", ${threshold} AS threshold
          FROM monitors m JOIN domains d ON d.name = m.domain JOIN monitor_states s ON s.monitor_id = m.id
          WHERE m.id > ${after} AND NOT m.paused AND d.expires_at IS NOT NULL
            AND (d.expires_at <= ${new Date(now)}::timestamptz + COALESCE(${threshold}, ${usual}) * interval '1 day'
              OR EXISTS (SELECT FROM alerts a WHERE a.monitor_id = m.id AND a.resolved_at IS NULL
                AND a.trigger IN ('domain_expiring', 'domain_expired')))
          ORDER BY m.id LIMIT ${limit} FOR NO KEY UPDATE OF s`)
      )

      const ofMonitors = Effect.fn("DomainRegistrationRepository.ofMonitors")((ids: ReadonlyArray<MonitorId>) =>
        Rows.all(OfMonitor)(sql`SELECT m.id, d.name, d.expires_at AS "expiresAt", d.registrar,
            d.checked_at AS "checkedAt", d.problem
          FROM monitors m JOIN domains d ON d.name = m.domain WHERE m.id = ANY(${ids}::text[])`)
      )

      return { unread, insertUsed, lease, save, prune, lockExpiring, ofMonitors }
    })
  }
) {
  static readonly layer = Layer.effect(DomainRegistrationRepository, DomainRegistrationRepository.make)
}
