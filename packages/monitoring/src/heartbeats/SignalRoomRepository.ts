/**
 * Bounds the storage that the signals of one monitor take: anyone with its token can send them at the rate limit. The newest
 * signals are kept.
 */
import type { Signal } from "@kanmon/domain/Heartbeat"
import { MonitorId } from "@kanmon/domain/Ids"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"
import { Transaction } from "@kanmon/platform/Transaction"

/** Bytes for each monitor, and what is left of them when there were more. */
const room = 16 * 1024 * 1024
const leftShare = 0.9
/** A row without its texts and its metrics. */
const rowBytes = 200

/** The approximate size of a signal. */
export const bytesOf = ({ body, message, metrics }: Pick<Signal, "body" | "message" | "metrics">): number =>
  rowBytes + Buffer.byteLength(message ?? "") + Buffer.byteLength(body ?? "") + JSON.stringify(metrics).length

/** Deletes the oldest signals of monitors over the limit and recounts them. Returns the number of monitors. */
export const fit = Effect.fnUntraced(function* (limit: number = room) {
  const sql = yield* SqlClient.SqlClient
  const transaction = yield* Transaction
  const size = sql`(${rowBytes}::integer + coalesce(octet_length(message), 0) + coalesce(octet_length(body), 0)
      + coalesce(octet_length(metrics::text), 0))`
  const trim = Effect.fnUntraced(function* (id: MonitorId) {
    // Locked as by the receiver of signals, so that none arrives in between.
    yield* sql`SELECT 1 FROM heartbeats WHERE monitor_id = ${id} FOR UPDATE`
    const { bytes } = yield* sizes(sql`SELECT coalesce(sum(${size}), 0)::double precision AS bytes
      FROM heartbeat_signals WHERE monitor_id = ${id}`)
    if (bytes > limit)
      yield* sql`DELETE FROM heartbeat_signals s USING
        (SELECT ctid, sum(${size}) OVER (ORDER BY at DESC, ctid DESC) AS newer
          FROM heartbeat_signals WHERE monitor_id = ${id}) sized
        WHERE s.monitor_id = ${id} AND s.ctid = sized.ctid AND sized.newer > ${Math.floor(limit * leftShare)}::bigint`
    yield* sql`UPDATE heartbeats SET signal_bytes =
      (SELECT coalesce(sum(${size}), 0) FROM heartbeat_signals WHERE monitor_id = ${id}) WHERE monitor_id = ${id}`
  })
  const full = yield* ids(sql`SELECT monitor_id AS id FROM heartbeats WHERE signal_bytes > ${limit}`)
  for (const { id } of full) yield* transaction.run(trim(id))
  return full.length
})

const ids = Rows.all(Schema.Struct({ id: MonitorId }))
const sizes = Rows.one(Schema.Struct({ bytes: Schema.Finite }))
