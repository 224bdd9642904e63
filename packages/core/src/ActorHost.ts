/** The host of an actor: runs its checks and receives its reports. */
import type { MonitorSpec } from "@kanmon/domain/Monitor"
import type { Observation } from "@kanmon/domain/Observation"
import type { Gathering } from "@kanmon/domain/Gathering"
import type { Cause, Effect } from "effect"
import type { AlarmClock } from "./AlarmClock.ts"
import type { Prepared } from "./Check.ts"
import type { CheckResult } from "./CheckResult.ts"

/** How a check was run. Used for the probe's own health, not the target's. */
export interface Run {
  readonly check: Prepared
  /**
   * Milliseconds between the planned and the actual start. A check that begins with others is planned for then, one that
   * catches up on a missed slot for when it is caught up.
   */
  readonly lagMillis: number
}

/** Services that an actor needs from its host. Calls must be cheap and must not block. */
export interface ActorHost {
  readonly region: string
  readonly alarms: AlarmClock
  /** How due checks begin together now; each on its own if absent. */
  readonly gathering?: () => Gathering | undefined
  /** `begun` is called when the check starts. */
  readonly run: (
    check: Prepared,
    timeoutMillis: number,
    patienceMillis: number,
    begun: () => void
  ) => Effect.Effect<CheckResult>
  /** The observation as it counts: inverted if the monitor is. Asked only of monitors that repeat failed checks. */
  readonly judged: (spec: MonitorSpec, observation: Observation) => Observation
  /** `spec` holds the settings that the check used. */
  readonly report: (observation: Observation, spec: MonitorSpec, run: Run) => void
  readonly skipped: (monitorId: string, slots: number) => void
  /** The check crashed; `inARow` counts crashes without a result in between. */
  readonly defect: (monitorId: string, cause: Cause.Cause<unknown>, inARow: number) => Effect.Effect<void>
  readonly quarantined: (monitorId: string, cause: Cause.Cause<unknown>) => Effect.Effect<void>
}
