/** The leases of contact methods by engines that deliver, and what attempts say of a method: its failures, its rest, the last one. */
import type { ContactMethodId } from "@kanmon/domain/Ids"
import type { QuietHours } from "@kanmon/domain/QuietHours"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { mayLease } from "@kanmon/platform/cluster/EngineLocks"
import * as Rows from "@kanmon/platform/database/Rows"
import { Secrets } from "@kanmon/platform/database/Secrets"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type Leasing, leasing, storedQuietHours } from "../channels/index.ts"
import { ContactMethodRow, methodOf, type StoredContactMethod } from "./ContactMethodRecords.ts"
import { methodColumns } from "./ContactMethodRepository.ts"

/** A contact method that only this engine sends to until the lease ends. */
export interface LeasedContactMethod extends StoredContactMethod {
  /** Consecutive failures. */
  readonly failures: number
  /** When the lease ends by itself; identifies it. */
  readonly leasedUntil: EpochMillis
  /** Those of the person. */
  readonly quietHours: QuietHours | null
}

export class ContactMethodLeaseRepository extends Context.Service<
  ContactMethodLeaseRepository,
  Leasing<ContactMethodId> & {
    /**
     * Leases methods that have something due, those that wait longest first; none to an engine that has not joined yet. Of those that
     * lead to one place, one at a time: their messages keep one pace.
     */
    readonly lease: (
      engine: string,
      at: EpochMillis,
      millis: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<LeasedContactMethod>>
  }
>()("@kanmon/monitoring/contact-methods/ContactMethodLeaseRepository") {
  static readonly layer = Layer.effect(
    ContactMethodLeaseRepository,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const stored = methodOf(yield* Secrets)

      const lease: ContactMethodLeaseRepository["Service"]["lease"] = (engine, at, millis, limit) => {
        const now = new Date(at)
        return leased(sql`WITH due AS (
            SELECT contact_method_id AS id, min(next_attempt_at) AS since FROM deliveries
            WHERE status = 'pending' AND contact_method_id IS NOT NULL AND next_attempt_at <= ${now}
            GROUP BY contact_method_id),
          able AS (
            SELECT c.id, c.destination, due.since FROM contact_methods c JOIN due ON due.id = c.id
            WHERE ${mayLease(sql, "c", engine, now)} AND (c.resting_until IS NULL OR c.resting_until <= ${now})),
          free AS (
            SELECT c.id FROM contact_methods c JOIN able a ON a.id = c.id
            WHERE NOT EXISTS (SELECT FROM able o WHERE o.destination = a.destination AND o.id < a.id)
              AND NOT EXISTS (SELECT FROM contact_methods o
                WHERE o.destination = a.destination AND o.id <> a.id AND NOT ${mayLease(sql, "o", engine, now)})
            ORDER BY a.since, c.id LIMIT ${limit} FOR UPDATE OF c SKIP LOCKED)
          UPDATE contact_methods m SET leased_until = ${new Date(at + millis)}, leased_by = ${engine}
          FROM users u LEFT JOIN personal_quiet_hours q ON q.user_id = u.id
          WHERE u.id = m.user_id AND m.id IN (SELECT id FROM free)
          RETURNING ${methodColumns(sql)}, m.failures, m.leased_until AS "leasedUntil",
            q.quiet_hours AS "quietHours"`).pipe(
          Effect.map((rows) =>
            rows.map(({ quietHours, ...row }) => ({
              ...stored(row),
              quietHours: quietHours === null ? null : storedQuietHours.decode(quietHours)
            }))
          )
        )
      }

      return ContactMethodLeaseRepository.of({
        lease,
        ...leasing<ContactMethodId>(sql, sql`contact_methods`)
      })
    })
  )
}

const leased = Rows.all(
  Schema.Struct({
    ...ContactMethodRow.fields,
    failures: Schema.Int,
    leasedUntil: Rows.Time,
    quietHours: Schema.Unknown
  })
)
