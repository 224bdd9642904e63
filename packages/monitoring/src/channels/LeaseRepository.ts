/** The leases of rows that messages go to, and what attempts say of such a row: its failures, its rest, the last one. */
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { type LastDelivery, storedLastDelivery } from "./ChannelRecords.ts"

/** The columns after a lease, for rows of one table. */
export interface Leasing<Id extends string> {
  /** Returns every row that an earlier run of this engine had leased. */
  readonly reclaim: (engine: string) => Effect.Effect<void>
  /** Ends this lease and no later one, which a repeated release would cut short. */
  readonly release: (
    lease: { readonly id: string; readonly leasedUntil: EpochMillis },
    engine: string
  ) => Effect.Effect<void>
  /** An attempt got through, or the last one is over: failures are. `disabledReason` switches the row off, unless it is null. */
  readonly conclude: (id: Id, last: LastDelivery, disabledReason: string | null) => Effect.Effect<void>
  /** A failed attempt, after which the row rests until `restUntil`. */
  readonly countFailure: (id: Id, last: LastDelivery, restUntil: EpochMillis | null) => Effect.Effect<void>
  readonly rest: (id: Id, last: LastDelivery, until: EpochMillis) => Effect.Effect<void>
}

/** Lease operations for a table with the columns of leases. */
export const leasing = <Id extends string>(sql: SqlClient.SqlClient, table: Statement.Fragment): Leasing<Id> => {
  const update = (change: Statement.Fragment) => Effect.asVoid(Effect.orDie(sql`UPDATE ${table} SET ${change}`))
  const json = (last: LastDelivery) => JSON.stringify(storedLastDelivery.encode(last))
  return {
    reclaim: (engine) => update(sql`leased_until = NULL, leased_by = NULL WHERE leased_by = ${engine}`),
    release: ({ id, leasedUntil }, engine) =>
      update(sql`leased_until = NULL, leased_by = NULL
        WHERE id = ${id} AND leased_by = ${engine} AND leased_until = ${new Date(leasedUntil)}`),
    conclude: (id, last, disabledReason) =>
      update(sql`failures = 0, resting_until = NULL, last_delivery = ${json(last)}::jsonb,
        disabled_reason = COALESCE(${disabledReason}, disabled_reason) WHERE id = ${id}`),
    countFailure: (id, last, restUntil) =>
      update(sql`failures = failures + 1, resting_until = ${restUntil === null ? null : new Date(restUntil)},
        last_delivery = ${json(last)}::jsonb WHERE id = ${id}`),
    rest: (id, last, until) =>
      update(sql`resting_until = ${new Date(until)}, last_delivery = ${json(last)}::jsonb WHERE id = ${id}`)
  }
}
