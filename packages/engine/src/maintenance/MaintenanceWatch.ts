/**
 * Lets maintenance windows begin and end in time, and looks after what they leave: a monitor that is still down when its
 * last window is over alerts then, and a series goes on.
 */
import { type BoundedEvaluator, EvaluationOwner } from "@kanmon/core/BoundedEvaluator"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Judging } from "@kanmon/store/history/Judging"
import { Maintenance, type Series } from "@kanmon/store/incidents/Maintenance"
import { Clock, Effect, Layer } from "effect"
import { deciding } from "../alerts/AlertReview.ts"
import { Alerts } from "../alerts/Alerts.ts"
import { every } from "../Job.ts"
import * as Recurrence from "./Recurrence.ts"

const pollInterval = "500 millis"
const page = 500

/** Schedules the window after one that is over: the first that is not over too. A rule may be what it likes. */
const follow = Effect.fnUntraced(function* (series: Series, now: EpochMillis) {
  const { after, millis, projectId, recurrence, start, timezone } = series
  const maintenance = yield* Maintenance
  const found = yield* Recurrence.next({ rule: recurrence, timezone, start }, Math.max(after, now - millis)).pipe(
    Effect.provideService(EvaluationOwner, projectId)
  )
  if (found._tag === "Found") return yield* maintenance.proceed(series, found.at[0])
  yield* maintenance.abandon(series)
  yield* Effect.logWarning("A maintenance series was ended: its recurrence cannot be evaluated").pipe(
    Effect.annotateLogs({ incidentId: series.incidentId, projectId, why: found.why })
  )
})

/** Continues every series whose window is over. One that had no turn with the evaluator is continued the next time. */
export const continueSeries: Effect.Effect<void, never, BoundedEvaluator | Maintenance> = Effect.gen(function* () {
  const maintenance = yield* Maintenance
  const now = yield* Clock.currentTimeMillis
  yield* Effect.forEach(yield* maintenance.over, (series) => Effect.ignore(follow(series, now)), {
    concurrency: "unbounded",
    discard: true
  })
})

/** Looks once: what has begun, what is over, who is still down. */
export const look: Effect.Effect<void, never, Alerts | Judging | Maintenance> = Effect.gen(function* () {
  const alerts = yield* Alerts
  const judging = yield* Judging
  const maintenance = yield* Maintenance
  yield* maintenance.turn
  const now = yield* Clock.currentTimeMillis
  const settled = judging.settle(page, deciding(alerts, now))
  while ((yield* settled) === page) {
    // A full page: there may be more.
  }
})

export const layer: Layer.Layer<never, never, Alerts | BoundedEvaluator | Judging | Maintenance> = Layer.effectDiscard(
  // Beside each other: an evaluation may have to wait, and no alert is to wait for it.
  Effect.andThen(
    every(pollInterval, "Looking after maintenance windows", look),
    every(pollInterval, "Continuing maintenance series", continueSeries)
  )
)
