/** What the product stored, read from its own database when everything is over. */
import * as Database from "@kanmon/platform/database/Database"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as StoredResults from "../support/StoredResults.ts"
import type { Alerted, Changed, Observed } from "./Evidence.ts"

export interface Stored {
  readonly observed: ReadonlyArray<Observed>
  readonly changed: ReadonlyArray<Changed>
  readonly alerted: ReadonlyArray<Alerted>
  /** Names of all monitors, repeated ones included. */
  readonly names: ReadonlyArray<string>
}

/** Runs a query on the product's database. */
const ask = <A, E>(
  url: string,
  use: (sql: SqlClient.SqlClient) => Effect.Effect<A, E, SqlClient.SqlClient>
): Effect.Effect<A> =>
  Effect.flatMap(SqlClient.SqlClient, use).pipe(
    Effect.provide(Database.layer(Redacted.make(url), { maxConnections: 1 })),
    Effect.orDie
  )

/** What is still to come: monitors whose newest observation in some region is old, and notices that are not sent. */
export const unsettled = (
  url: string,
  monitors: ReadonlyArray<string>,
  intervalMillis: number
): Effect.Effect<{ readonly late: number; readonly pending: number }> =>
  ask(url, (sql) =>
    Effect.map(
      sql<{ late: number; pending: number }>`SELECT
        (SELECT count(*)::int FROM (SELECT max(checked_at) AS newest FROM observations
          WHERE monitor_id = ANY(${monitors}::text[]) GROUP BY monitor_id, region) AS each
          WHERE newest < ${new Date(Date.now() - intervalMillis - 5000)}) AS late,
        (SELECT count(*)::int FROM deliveries WHERE status = 'pending') AS pending`,
      ([row]) => row!
    )
  )

/** `monitors`: the monitor of each target. `probeAt`: who finds the targets at an address. */
export const read = (
  url: string,
  monitors: ReadonlyArray<string>,
  probeAt: (address: string) => string | undefined
): Effect.Effect<Stored> =>
  ask(url, (sql) =>
    Effect.gen(function* () {
      const targets = new Map(monitors.map((id, target) => [id, target]))
      const known = sql`monitor_id = ANY(${monitors}::text[])`
      const observations = yield* StoredResults.all
      const changes = yield* sql<{ id: string; at: Date; status: string }>`
        SELECT monitor_id AS id, at, status FROM status_changes WHERE ${known} ORDER BY monitor_id, at, sequence`
      const alerts = yield* sql<Omit<Alerted, "target" | "startedAt" | "resolvedAt"> & AlertRow>`
        SELECT a.id, r.name AS rule, a.trigger, a.monitor_id, a.started_at, a.resolved_at, COALESCE((
          SELECT json_agg(json_build_object('id', d.id, 'purpose', d.purpose, 'status', d.status) ORDER BY d.created_at, d.id)
          FROM alert_history h JOIN deliveries d ON d.entry_id = h.id WHERE h.alert_id = a.id), '[]') AS notices
        FROM alerts a JOIN alert_rules r ON r.id = a.rule_id WHERE ${known} ORDER BY a.opened_at`
      const names = yield* sql<{ name: string }>`SELECT name FROM monitors`
      return {
        observed: observations.flatMap(({ address, checkedAt, code, id, region, slot, status }) => {
          const target = targets.get(id)
          if (target === undefined) return []
          return [
            { target, region, probe: address === null ? undefined : probeAt(address), slot, checkedAt, status, code }
          ]
        }),
        changed: changes.map(({ at, id, status }) => ({ target: targets.get(id)!, at: at.getTime(), status })),
        alerted: alerts.map(({ monitor_id, resolved_at, started_at, ...alert }) => ({
          ...alert,
          target: targets.get(monitor_id)!,
          startedAt: started_at.getTime(),
          resolvedAt: resolved_at?.getTime() ?? null
        })),
        names: names.map(({ name }) => name)
      }
    })
  )

interface AlertRow {
  readonly monitor_id: string
  readonly started_at: Date
  readonly resolved_at: Date | null
}
