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

/** The check, which first reports what ended its last attempt. */
export const afterStall = (check: Prepared): Prepared => {
  let told = false
  return {
    ...check,
    run: (attempt) => {
      if (told) return check.run(attempt)
      told = true
      return Effect.fail(
        new CheckFailed({
          status: "unknown",
          code: "check_stalled",
          message:
            "The last attempt blocked the probe for seconds and was ended with it, so the target's status is unknown"
        })
      )
    }
  }
}
