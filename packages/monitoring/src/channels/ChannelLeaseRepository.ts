/** The leases of channels by engines that deliver, and what attempts say of a channel: its failures, its rest, the last one. */
import type { ChannelId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { mayLease } from "@kanmon/platform/cluster/EngineLocks"
import * as Rows from "@kanmon/platform/database/Rows"
import { Secrets } from "@kanmon/platform/database/Secrets"
import { ChannelRow, decrypted, type StoredChannel } from "./ChannelRecords.ts"
import { channelColumns } from "./ChannelRepository.ts"
import { type Leasing, leasing } from "./LeaseRepository.ts"

/** A channel that only this engine sends to until the lease ends. */
export interface LeasedChannel extends StoredChannel {
  /** Consecutive failures. */
  readonly failures: number
  /** When the lease ends by itself; identifies it. */
  readonly leasedUntil: EpochMillis
}

/** Channels of one account that one engine leases at once: half of its own limit, so that slow ones leave room for others. */
export const accountShare = 64

export class ChannelLeaseRepository extends Context.Service<
  ChannelLeaseRepository,
  Leasing<ChannelId> & {
    /** Leases channels that have something due, a fair share of each account; none to an engine that has not joined yet. */
    readonly lease: (
      engine: string,
      at: EpochMillis,
      millis: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<LeasedChannel>>
  }
>()("@kanmon/monitoring/channels/ChannelLeaseRepository") {
  static readonly layer = Layer.effect(
    ChannelLeaseRepository,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const decrypt = decrypted(yield* Secrets)

      const lease: ChannelLeaseRepository["Service"]["lease"] = (engine, at, millis, limit) => {
        const now = new Date(at)
        return leased(sql`WITH busy AS (
            SELECT p.organization_id, count(*) AS channels FROM channels c JOIN projects p ON p.id = c.project_id
            WHERE c.leased_until > ${now} AND NOT ${mayLease(sql, "c", engine, now)} GROUP BY p.organization_id),
          due AS (
            SELECT c.id, row_number() OVER (PARTITION BY p.organization_id ORDER BY c.id) + COALESCE(b.channels, 0) AS place
            FROM channels c JOIN projects p ON p.id = c.project_id LEFT JOIN busy b ON b.organization_id = p.organization_id
            WHERE c.id IN (SELECT DISTINCT channel_id FROM deliveries WHERE status = 'pending' AND next_attempt_at <= ${now})
              AND ${mayLease(sql, "c", engine, now)}
              AND (c.resting_until IS NULL OR c.resting_until <= ${now}))
          UPDATE channels SET leased_until = ${new Date(at + millis)}, leased_by = ${engine}
          WHERE id IN (
            SELECT c.id FROM channels c JOIN due ON due.id = c.id
            WHERE due.place <= ${accountShare} AND ${mayLease(sql, "c", engine, now)}
            ORDER BY due.place, c.id LIMIT ${limit} FOR UPDATE OF c SKIP LOCKED)
          RETURNING ${channelColumns(sql)}, failures, leased_until AS "leasedUntil"`).pipe(
          Effect.map((rows) => rows.map((row) => decrypt(row)))
        )
      }

      return ChannelLeaseRepository.of({
        lease,
        ...leasing<ChannelId>(sql, sql`channels`)
      })
    })
  )
}

const leased = Rows.all(Schema.Struct({ ...ChannelRow.fields, failures: Schema.Int, leasedUntil: Rows.Time }))
