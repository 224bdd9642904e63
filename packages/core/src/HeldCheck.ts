/**
 * Results for monitors with a check that blocked the event loop. They give no information about the target, and tell
 * the owner the reason.
 */
import { Effect } from "effect"
import { CheckFailed, type Prepared } from "./Check.ts"

/** A check that is not run until its monitor, or its plugin, is changed. */
export const quarantined = (type: string): Prepared => ({
  host: "quarantined",
  target: type,
  run: () =>
    Effect.fail(
      new CheckFailed({
        status: "unknown",
        code: "check_quarantined",
        message:
          "This check blocked the probe for seconds, twice. It is not run until the monitor or the plugin of its type is changed"
      })
    )
})

/** Whether the end of a check's last attempt has been reported. */
export interface Report {
  readonly isMade: () => boolean
  readonly made: () => void
}

/** The check, which first reports what ended its last attempt, unless it has been reported. */
export const afterStall = (check: Prepared, report: Report): Prepared => ({
  ...check,
  run: (attempt) => {
    if (report.isMade()) return check.run(attempt)
    report.made()
    return Effect.fail(
      new CheckFailed({
        status: "unknown",
        code: "check_stalled",
        message:
          "The last attempt blocked the probe for seconds and was ended with it, so the target's status is unknown"
      })
    )
  }
})
