/**
 * Starts and ends maintenance windows on time. At the end, monitors that are still down alert, and a series gets its next
 * window.
 */
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Effect, Layer, Result } from "effect"
import { DueWork, type Question } from "@kanmon/platform/DueWork"
import { Transaction } from "@kanmon/platform/Transaction"
import { type EndedSeries, MaintenanceEnded, MaintenanceSchedule } from "./MaintenanceSchedule.ts"
import { isSettlingDue } from "./MaintenanceWindowRepository.ts"
import { MaintenanceWindows } from "./MaintenanceWindows.ts"
import * as Recurrence from "./Recurrence.ts"

const page = 500

/** Schedules the first window of a series that is not over yet. */
const proceed = Effect.fnUntraced(function* (series: EndedSeries, now: EpochMillis) {
  const { after, millis, projectId, recurrence, start, timezone } = series
  const schedule = yield* MaintenanceSchedule
  const found = Recurrence.next({ rule: recurrence, timezone, start }, Math.max(after, now - millis))
  if (Result.isSuccess(found)) return yield* schedule.proceed(series, found.success)
  yield* schedule.abandon(series)
  yield* Effect.logWarning("Maintenance series ended: its recurrence cannot be evaluated").pipe(
    Effect.annotateLogs({ incidentId: series.incidentId, projectId, why: found.failure })
  )
})

/** Continues every series with an ended window. */
export const continueSeries: Effect.Effect<void, never, MaintenanceSchedule> = Effect.gen(function* () {
  const schedule = yield* MaintenanceSchedule
  const now = yield* Clock.currentTimeMillis
  yield* Effect.forEach(yield* schedule.endedSeries, (series) => proceed(series, now), {
    concurrency: "unbounded",
    discard: true
  })
})

/** Begins and ends windows, then decides the alerts of the monitors with an ended window. */
export const advance = Effect.gen(function* () {
  const schedule = yield* MaintenanceSchedule
  const transaction = yield* Transaction
  yield* schedule.advance
  while ((yield* transaction.run(settle)) === page) {
    // A full page: there may be more.
  }
})

/** Decides the alerts of the monitors of ended windows; returns the number of windows. */
const settle = Effect.gen(function* () {
  const ended = yield* MaintenanceEnded
  const windows = yield* MaintenanceWindows
  const monitorIds = yield* windows.settleEnded(yield* Clock.currentTimeMillis, page)
  yield* ended([...new Set(monitorIds)])
  return monitorIds.length
})

export const layer: Layer.Layer<
  never,
  never,
  DueWork | MaintenanceEnded | MaintenanceSchedule | MaintenanceWindows | Transaction
> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { watch } = yield* DueWork
    const { isSeriesDue, isWindowDue } = yield* MaintenanceSchedule
    const isAnyDue: Question = (sql, now) => sql`${isSettlingDue(sql, now)} OR ${isWindowDue(sql, now)}`
    // Two jobs: an evaluation may have to wait, and alerts must not wait for it.
    yield* watch(isAnyDue, "Advancing maintenance windows", advance)
    yield* watch(isSeriesDue, "Continuing maintenance series", continueSeries)
  })
)
