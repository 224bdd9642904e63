/**
 * Lets maintenance windows begin and end in time, and looks after what they leave: a monitor that is still down when its
 * last window is over alerts then, and a series goes on.
 */
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

/** The window to schedule after one that is over: the first that is not over too. */
export const following = (
  { after, millis, recurrence, start, timezone }: Series,
  now: EpochMillis
): EpochMillis | undefined => Recurrence.next({ rule: recurrence, timezone, start }, Math.max(after, now - millis))

/** Looks once: what has begun, what is over, what goes on, who is still down. */
export const look: Effect.Effect<void, never, Alerts | Judging | Maintenance> = Effect.gen(function* () {
  const alerts = yield* Alerts
  const judging = yield* Judging
  const maintenance = yield* Maintenance
  yield* maintenance.turn
  const now = yield* Clock.currentTimeMillis
  yield* maintenance.proceed((series) => following(series, now))
  const settled = judging.settle(page, deciding(alerts, now))
  while ((yield* settled) === page) {
    // A full page: there may be more.
  }
})

export const layer: Layer.Layer<never, never, Alerts | Judging | Maintenance> = Layer.effectDiscard(
  every(pollInterval, "Looking after maintenance windows", look)
)
