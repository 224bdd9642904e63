/** Sentinels: places that answer as long as this probe's network is well. */
import type { Dialer } from "@kanmon/core/Dialer"
import { Effect } from "effect"

export interface Sentinel {
  readonly host: string
  readonly port: number
}

const patience = "2 seconds"

/** Whether any of them takes a connection within two seconds. */
export const anyAnswers = (sentinels: ReadonlyArray<Sentinel>, dialer: Dialer["Service"]): Effect.Effect<boolean> =>
  Effect.raceAll(sentinels.map((sentinel) => Effect.scoped(dialer.dial(sentinel)).pipe(Effect.as(true)))).pipe(
    Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.succeed(false) }),
    Effect.catchCause(() => Effect.succeed(false))
  )
