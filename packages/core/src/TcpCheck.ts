/** Shared by tcp and ping: opens and closes a connection, and measures the time. */
import { Effect } from "effect"
import { type Attempt, type Capabilities, CheckFailed, type Passed } from "./Check.ts"
import { Dialer } from "./Dialer.ts"

/** Passes when a TCP connection is established. */
export const connect = (
  host: string,
  port: number,
  attempt: Attempt
): Effect.Effect<Passed, CheckFailed, Capabilities> =>
  Effect.gen(function* () {
    const dialer = yield* Dialer
    const { address, timing } = yield* dialer.dial({ host, port, stage: attempt.stage })
    return { responseTime: timing.connect, timing, facts: { address } }
  }).pipe(
    Effect.scoped,
    Effect.mapError(
      ({ explanation, message, reason, timing }) =>
        new CheckFailed({
          status: reason === "egress_unavailable" ? "unknown" : "down",
          code: reason,
          message,
          explanation,
          timing
        })
    )
  )
