/** Reference targets: servers chosen by the operator that prove this probe's network connection by answering. */
import type { Dialer } from "@kanmon/core/Dialer"
import { Effect } from "effect"

export interface ReferenceTarget {
  readonly host: string
  readonly port: number
}

const patience = "2 seconds"

/** Whether any reference target accepts a TCP connection within two seconds. */
export const anyAnswers = (
  targets: ReadonlyArray<ReferenceTarget>,
  dialer: Dialer["Service"]
): Effect.Effect<boolean> =>
  Effect.raceAll(targets.map((target) => Effect.scoped(dialer.dial(target)).pipe(Effect.as(true)))).pipe(
    Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.succeed(false) }),
    Effect.catch(() => Effect.succeed(false))
  )
