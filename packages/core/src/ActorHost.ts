/** Where an actor lives: what it needs, and whom it tells. */
import type { MonitorSpec } from "@kanmon/domain/Monitor"
import type { Observation } from "@kanmon/domain/Observation"
import type { Cause, Effect } from "effect"
import type { AlarmClock } from "./AlarmClock.ts"
import type { Prepared } from "./Check.ts"
import type { CheckResult } from "./CheckResult.ts"

/** How a check was run: for those who judge the probe, and not the target. */
export interface Run {
  readonly check: Prepared
  /**
   * Milliseconds between the instant the check was planned for and its beginning. A check that makes up for a slot which had
   * begun before the actor did is planned for when it is made up.
   */
  readonly lagMillis: number
}

/** What an actor asks of its host. All calls are cheap and none may block. */
export interface ActorHost {
  readonly region: string
  readonly alarms: AlarmClock
  /** `begun` is called when the check has its turn. */
  readonly run: (
    check: Prepared,
    timeoutMillis: number,
    patienceMillis: number,
    begun: () => void
  ) => Effect.Effect<CheckResult>
  /** `spec` holds the settings that the observation was made under. */
  readonly report: (observation: Observation, spec: MonitorSpec, run: Run) => void
  readonly skipped: (monitorId: string, slots: number) => void
  /** The check crashed: for the `inARow`-th time without a result in between. */
  readonly defect: (monitorId: string, cause: Cause.Cause<unknown>, inARow: number) => Effect.Effect<void>
  readonly quarantined: (monitorId: string, cause: Cause.Cause<unknown>) => Effect.Effect<void>
}
