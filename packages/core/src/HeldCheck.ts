/**
 * Results for monitors with a check that blocked the event loop. They give no information about the target, and tell
 * the owner the reason.
 */
import { reason } from "@kanmon/domain/Reason"
import type { MonitorId } from "@kanmon/domain/Ids"
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
        ...reason("check_quarantined", {})
      })
    )
})

/** The check of a monitor, which first reports what ended its last attempt, unless it is among the `reported` ones. */
export const afterStall = (check: Prepared, id: MonitorId, reported: Set<MonitorId>): Prepared => ({
  ...check,
  run: (attempt) => {
    if (reported.has(id)) return check.run(attempt)
    reported.add(id)
    return Effect.fail(
      new CheckFailed({
        status: "unknown",
        code: "check_stalled",
        ...reason("check_stalled", {})
      })
    )
  }
})
