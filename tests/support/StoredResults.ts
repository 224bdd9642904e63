/** Results of checks as the product's database has them, wherever they are: in rows, or in the blocks into which closed hours move. */
import type { MonitorId } from "@kanmon/domain/Ids"
import { decode } from "@kanmon/monitoring/testing/evaluation/ResultBlock.ts"
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql"

export interface StoredResult {
  readonly id: MonitorId
  readonly region: string
  readonly slot: number
  /** Milliseconds. */
  readonly dueAt: number
  readonly checkedAt: number
  readonly status: string
  /** Of the failure. */
  readonly code: string | null
  readonly address: string | null
}

const fieldOf = (json: string | null, field: string): string | null =>
  json === null ? null : (JSON.parse(json)[field] ?? null)

/** All results of all monitors, in the order in which they were due. */
export const all: Effect.Effect<ReadonlyArray<StoredResult>, unknown, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // At one instant: results move meanwhile.
  const [rows, blocks] = yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`
      const rows = yield* sql<Omit<StoredResult, "slot"> & { readonly slot: string }>`
        SELECT monitor_id AS id, region, slot::text, extract(epoch FROM scheduled_at)::double precision * 1000 AS "dueAt",
          extract(epoch FROM checked_at)::double precision * 1000 AS "checkedAt", status, failure->>'code' AS code,
          facts->>'address' AS address
        FROM observations`
      const blocks = yield* sql<{ id: MonitorId; region: string; data: Uint8Array }>`
        SELECT monitor_id AS id, region, data FROM result_blocks`
      return [rows, blocks] as const
    })
  )
  return [
    ...rows.map(({ checkedAt, dueAt, slot, ...row }) => ({
      ...row,
      slot: Number(slot),
      dueAt: Math.round(dueAt),
      checkedAt: Math.round(checkedAt)
    })),
    ...blocks.flatMap(({ data, id, region }) =>
      Result.getOrThrow(decode(data)).map(({ checkedAt, facts, failure, scheduledAt, slot, status }) => ({
        id,
        region,
        slot,
        dueAt: scheduledAt,
        checkedAt,
        status,
        code: fieldOf(failure, "code"),
        address: fieldOf(facts, "address")
      }))
    )
  ].toSorted((one, other) => one.dueAt - other.dueAt)
})
