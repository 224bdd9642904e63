/** Reads the stored signals of one monitor, and lets their texts expire. */
import { SignalKind } from "@kanmon/domain/Heartbeat"
import { type MonitorId, SignalId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

/** A place in the list, which is ordered by time and id. */
export interface Place {
  readonly at: EpochMillis
  readonly id: string
}

export interface SignalFilter {
  readonly monitorId: MonitorId
  /** Arrived in `[from, to)`. */
  readonly from: EpochMillis
  readonly to: EpochMillis
  readonly kind?: SignalKind | undefined
  /** Only signals that come after this one in the list. */
  readonly after?: Place | undefined
  readonly limit: number
}

const SignalRow = Schema.Struct({
  id: SignalId,
  kind: SignalKind,
  at: Rows.Time,
  exitCode: Schema.NullOr(Schema.Int),
  /** Milliseconds. */
  duration: Schema.NullOr(Schema.Finite),
  metrics: Schema.NullOr(Schema.Record(Schema.String, Schema.Finite)),
  size: Rows.Count,
  truncated: Schema.Boolean,
  firstLine: Schema.NullOr(Schema.String),
  address: Schema.NullOr(Schema.String)
})
/** A stored signal without its text. */
export type StoredSignal = typeof SignalRow.Type

export class SignalRepository extends Context.Service<
  SignalRepository,
  {
    /** Signals, newest first. */
    readonly list: (filter: SignalFilter) => Effect.Effect<ReadonlyArray<StoredSignal>>
    /** The text of a signal, empty if the job said nothing; undefined when there is no such signal or its text has expired. */
    readonly findText: (monitorId: MonitorId, id: SignalId) => Effect.Effect<string | undefined>
  }
>()("@kanmon/monitoring/heartbeats/SignalRepository") {
  static readonly layer = Layer.effect(
    SignalRepository,
    Effect.map(SqlClient.SqlClient, (sql) =>
      SignalRepository.of({
        list: ({ after, from, kind, limit, monitorId, to }) => {
          const conditions: ReadonlyArray<Statement.Fragment> = [
            sql`monitor_id = ${monitorId}`,
            sql`at >= ${new Date(from)}`,
            sql`at < ${new Date(to)}`,
            ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
            ...(after === undefined ? [] : [sql`(at, id) < (${new Date(after.at)}, ${after.id})`])
          ]
          return signals(sql`SELECT id, kind, at, exit_code AS "exitCode", duration, metrics, size, truncated,
              first_line AS "firstLine", address
            FROM heartbeat_signals WHERE ${sql.and(conditions)} ORDER BY at DESC, id DESC LIMIT ${limit}`)
        },
        findText: (monitorId, id) =>
          Effect.map(
            text(sql`SELECT coalesce(body, message) AS text, first_line IS NULL AS silent FROM heartbeat_signals
              WHERE id = ${id} AND monitor_id = ${monitorId}`),
            (row) => row && (row.text ?? (row.silent ? "" : undefined))
          )
      })
    )
  )
}

const signals = Rows.all(SignalRow)
const text = Rows.first(Schema.Struct({ text: Schema.NullOr(Schema.String), silent: Schema.Boolean }))
