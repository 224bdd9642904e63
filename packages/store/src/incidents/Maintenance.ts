/** What time does to maintenance windows: they begin, they end by themselves, and a series goes on. Safe to run on several machines. */
import type { Incident } from "@kanmon/domain/Incident"
import type { IncidentId, ProjectId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type SqlError } from "effect/sql"
import { announce, type IncidentRow, note, readIncident, spreadWindows, timelines } from "./IncidentRow.ts"
import { insertIncident } from "./Incidents.ts"
import { OutboxSignal } from "../outbox/OutboxSignal.ts"

/** A recurring window that is over. */
export interface Series {
  readonly incidentId: IncidentId
  readonly projectId: ProjectId
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
    /** The windows of series that are over, and whose next window has not been looked for. */
    readonly over: Effect.Effect<ReadonlyArray<Series>>
    /** Schedules the next window, if there is one. Does nothing when somebody else has. */
    readonly proceed: (series: Series, next: EpochMillis | undefined) => Effect.Effect<void>
    /** Ends a series whose rule cannot be evaluated, and says so on the timeline of its last window. */
    readonly abandon: (series: Series) => Effect.Effect<void>
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

      const over = sql<IncidentRow>`SELECT * FROM incidents
          WHERE recurrence IS NOT NULL AND resolved_at IS NOT NULL AND NOT continued`.pipe(
        Effect.map((rows) => rows.map(readSeries)),
        Effect.orDie,
        Effect.withSpan("Maintenance.over")
      )

      /** Does what follows the end of a series' window, once. */
      const once = (
        { incidentId }: Series,
        follow: (
          row: IncidentRow,
          at: EpochMillis
        ) => Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient | SecureRandom.SecureRandom>
      ) =>
        Effect.gen(function* () {
          const at = yield* Clock.currentTimeMillis
          yield* inTransaction(
            Effect.gen(function* () {
              const [row] = yield* sql<IncidentRow>`UPDATE incidents SET continued = true
                WHERE id = ${incidentId} AND recurrence IS NOT NULL AND NOT continued RETURNING *`
              if (row !== undefined) yield* follow(row, at)
            })
          )
          yield* signal.raise
        })

      const proceed: Maintenance["Service"]["proceed"] = Effect.fn("Maintenance.proceed")((series, start) =>
        once(
          series,
          Effect.fnUntraced(function* (row, at) {
            if (start === undefined) return
            const first = (yield* timelines([row.id]))(row.id).at(-1)
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
          })
        )
      )

      const abandon: Maintenance["Service"]["abandon"] = Effect.fn("Maintenance.abandon")((series) =>
        once(
          series,
          Effect.fnUntraced(function* (row, at) {
            const incident = readIncident(row)
            yield* note(incident, abandonedMessage, at)
            yield* announce(incident, "updated", abandonedMessage, at)
          })
        )
      )

      return Maintenance.of({ turn, over, proceed, abandon })
    })
  )
}

const endMessage = "The maintenance window has ended."
const abandonedMessage =
  "No further window is scheduled: the recurrence cannot be evaluated. Schedule the next window with a simpler one."

/** A window that was written down as already resolved is followed by one that is not. */
const openStatus = (status: Incident["status"] | undefined): Incident["status"] =>
  status === undefined || status === "resolved" ? "investigating" : status

const readSeries = (row: IncidentRow): Series => ({
  incidentId: row.id,
  projectId: row.project_id,
  recurrence: row.recurrence!,
  timezone: row.timezone ?? "UTC",
  start: row.series_start!.getTime(),
  millis: Number(row.series_millis),
  after: row.series_at!.getTime()
})
