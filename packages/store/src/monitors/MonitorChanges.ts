/**
 * What goes with every change of monitors, whoever makes it and to however many at once: the specs for the probes, the public
 * events, and a time line that begins anew where one is paused or resumed. Run inside the transaction that changes them.
 */
import type { MonitorId } from "@kanmon/domain/Ids"
import { initial } from "@kanmon/domain/Judge"
import type { Monitor } from "@kanmon/domain/Monitor"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import * as AlertBook from "../alerts/AlertBook.ts"
import { monitorEvent } from "./MonitorEvents.ts"

/** A monitor and what happened to it. */
export interface Told {
  readonly monitor: Pick<Monitor, "id" | "projectId" | "name" | "type">
  readonly names: ReadonlyArray<Parameters<typeof monitorEvent>[1]>
}

/** The outbox's part. */
export const announce = Effect.fnUntraced(function* (told: ReadonlyArray<Told>, at: EpochMillis) {
  const sql = yield* SqlClient.SqlClient
  const random = yield* SecureRandom.SecureRandom
  const created = new Date(at)
  const ids = told.map(({ monitor }) => monitor.id)
  // Its interval or its timeout may be another one: when it is stale is reckoned anew.
  yield* sql`UPDATE monitor_states SET look_at = ${created} WHERE monitor_id = ANY(${ids}::text[]) AND look_at IS NOT NULL`
  yield* sql`INSERT INTO outbox (kind, monitor_id, created_at) SELECT 'spec', id, ${created} FROM unnest(${ids}::text[]) AS id`
  const events = []
  for (const { monitor, names } of told)
    for (const name of names) events.push(monitorEvent(monitor, name, at, yield* random.ulid))
  yield* sql`INSERT INTO outbox (kind, event, created_at)
    SELECT 'event', event, ${created} FROM jsonb_array_elements(${JSON.stringify(events)}::jsonb) AS event`
})

/** A pending monitor that is given a region waits for its quorum from now on. */
export const awaitQuorum = Effect.fnUntraced(function* (id: MonitorId, at: EpochMillis) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE monitor_states SET state = jsonb_set(state, '{since}', to_jsonb(${at}::bigint))
    WHERE monitor_id = ${id} AND status = 'pending'`
})

/** Begins the time lines of these monitors anew, with this status. */
export const restart = Effect.fnUntraced(function* (
  ids: ReadonlyArray<MonitorId>,
  status: "paused" | "pending",
  at: EpochMillis
) {
  const sql = yield* SqlClient.SqlClient
  const lookAt = status === "paused" ? null : new Date(at)
  yield* sql`INSERT INTO monitor_states (monitor_id, status, state, look_at)
    SELECT id, ${status}, ${JSON.stringify(initial(at, status))}::jsonb, ${lookAt}::timestamptz
    FROM unnest(${ids}::text[]) AS id
    ON CONFLICT (monitor_id) DO UPDATE SET status = EXCLUDED.status, state = EXCLUDED.state, stale = false,
      look_at = EXCLUDED.look_at`
  yield* sql`INSERT INTO status_changes (monitor_id, at, status)
    SELECT id, ${new Date(at)}, ${status} FROM unnest(${ids}::text[]) AS id`
})

/** Pauses the time lines of these monitors; whatever was to be said of them is not said any more. */
export const pause = Effect.fnUntraced(function* (ids: ReadonlyArray<MonitorId>, at: EpochMillis, reason: string) {
  const sql = yield* SqlClient.SqlClient
  yield* restart(ids, "paused", at)
  yield* AlertBook.dropWhere(sql`monitor_id = ANY(${ids}::text[])`, at, reason)
})
