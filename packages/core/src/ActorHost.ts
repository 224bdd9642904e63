/** Where an actor lives: what it needs, and whom it tells. */
import type { MonitorSpec } from "@kanmon/domain/Monitor"
import type { Observation } from "@kanmon/domain/Observation"
import type { Cause, Effect } from "effect"
import type { AlarmClock } from "./AlarmClock.ts"
import type { Prepared } from "./Check.ts"
import type { CheckResult } from "./CheckResult.ts"

/** What an actor asks of its host. All calls are cheap and none may block. */
export interface ActorHost {
  readonly region: string
  readonly alarms: AlarmClock
  readonly run: (check: Prepared, timeoutMillis: number, patienceMillis: number) => Effect.Effect<CheckResult>
  /** `spec` holds the settings that the observation was made under. */
  readonly report: (observation: Observation, spec: MonitorSpec) => void
  readonly skipped: (monitorId: string, slots: number) => void
  /** The check failed by its own fault: for the `inARow`-th time without a result in between. */
  readonly defect: (monitorId: string, cause: Cause.Cause<never>, inARow: number) => Effect.Effect<void>
  readonly quarantined: (monitorId: string, cause: Cause.Cause<never>) => Effect.Effect<void>
}
