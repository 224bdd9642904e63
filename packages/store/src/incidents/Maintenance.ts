/** What time does to maintenance windows: they begin, they end by themselves, and a series goes on. Safe to run on several machines. */
import type { Incident } from "@kanmon/domain/Incident"
import type { IncidentId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { announce, type IncidentRow, note, readIncident, spreadWindows, timelines } from "./IncidentRow.ts"
import { insertIncident } from "./Incidents.ts"
import { OutboxSignal } from "../outbox/OutboxSignal.ts"

/** A recurring window that is over. */
export interface Series {
  readonly recurrence: string
  readonly timezone: string
  /** The first beginning of the series. */
  readonly start: EpochMillis
  readonly millis: number
  /** Where in the series the window stood that is over. */
  readonly after: EpochMillis
}

export class Maintenance extends Context.Service<
  Maintenance,
  {
    /** Announces the windows that have begun, resolves those that are over; returns how many. */
    readonly turn: Effect.Effect<number>
    /** Schedules the window after each one of a series that is over; `next` says when it begins, if ever. */
    readonly proceed: (next: (series: Series) => EpochMillis | undefined) => Effect.Effect<number>
  }
>()("@kanmon/store/incidents/Maintenance") {
  static readonly layer = Layer.effect(
    Maintenance,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const signal = yield* OutboxSignal
      const random = yield* SecureRandom.SecureRandom
      const inTransaction = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient | SecureRandom.SecureRandom>) =>
        sql
          .withTransaction(effect)
          .pipe(
            Effect.provideService(SqlClient.SqlClient, sql),
            Effect.provideService(SecureRandom.SecureRandom, random),
            Effect.orDie
          )

      const turn = Effect.gen(function* () {
        const at = yield* Clock.currentTimeMillis
        const now = new Date(at)
        const count = yield* inTransaction(
          Effect.gen(function* () {
            const begun = yield* sql<IncidentRow>`UPDATE incidents SET begun = true WHERE id IN (
                SELECT id FROM incidents WHERE maintenance AND resolved_at IS NULL AND NOT begun
                  AND scheduled_start <= ${now} AND scheduled_end > ${now} FOR UPDATE SKIP LOCKED) RETURNING *`
            for (const row of begun) yield* announce(readIncident(row), "updated", "", at)
            // The end is the one that was planned, however late somebody noticed.
            const ended = yield* sql<IncidentRow>`UPDATE incidents SET begun = true, status = 'resolved',
                resolved_at = scheduled_end, updated_at = ${now} WHERE id IN (
                SELECT id FROM incidents WHERE maintenance AND resolved_at IS NULL AND scheduled_end <= ${now}
                FOR UPDATE SKIP LOCKED) RETURNING *`
            for (const row of ended) {
              const incident = readIncident(row)
              yield* note(incident, endMessage, at)
              yield* announce(incident, "resolved", endMessage, at)
            }
            return begun.length + ended.length
          })
        )
        if (count > 0) yield* signal.raise
        return count
      }).pipe(Effect.withSpan("Maintenance.turn"))

      const proceed: Maintenance["Service"]["proceed"] = Effect.fn("Maintenance.proceed")(function* (next) {
        const at = yield* Clock.currentTimeMillis
        const count = yield* inTransaction(
          Effect.gen(function* () {
            const over = yield* sql<IncidentRow>`UPDATE incidents SET continued = true WHERE id IN (
              SELECT id FROM incidents WHERE recurrence IS NOT NULL AND resolved_at IS NOT NULL AND NOT continued
              FOR UPDATE SKIP LOCKED) RETURNING *`
            const updatesOf = yield* timelines(over.map(({ id }) => id as IncidentId))
            for (const row of over) {
              const series = readSeries(row)
              const start = next(series)
              if (start === undefined) continue
              const first = updatesOf(row.id).at(-1)
              const draft = {
                ...readIncident(row),
                status: openStatus(first?.status),
                scheduledStart: start,
                scheduledEnd: start + series.millis
              }
              const made = yield* insertIncident(row.project_id, draft, at, series)
              const message = first?.message ?? ""
              yield* note(made, message, at)
              yield* spreadWindows(made, "all", at)
              yield* announce(made, "opened", message, at)
            }
            return over.length
          })
        )
        if (count > 0) yield* signal.raise
        return count
      })

      return Maintenance.of({ turn, proceed })
    })
  )
}

const endMessage = "The maintenance window has ended."

/** A window that was written down as already resolved is followed by one that is not. */
const openStatus = (status: Incident["status"] | undefined): Incident["status"] =>
  status === undefined || status === "resolved" ? "investigating" : status

const readSeries = (row: IncidentRow): Series => ({
  recurrence: row.recurrence!,
  timezone: row.timezone ?? "UTC",
  start: row.series_start!.getTime(),
  millis: Number(row.series_millis),
  after: row.series_at!.getTime()
})
