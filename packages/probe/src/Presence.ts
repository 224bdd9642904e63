/**
 * Announces a probe in the bucket of probes, and keeps its share of the region's monitors up to date with the others that
 * announce themselves there. An announcement that is not repeated vanishes.
 */
import type { Bucket, BusUnavailable } from "@kanmon/core/EventBus"
import { toIso } from "@kanmon/domain/Timestamp"
import { Clock, Effect, Schedule, type Scope, Stream } from "effect"
import * as Share from "./Share.ts"

export interface PresenceOptions {
  readonly probeId: string
  readonly region: string
  readonly version: string
  /** How long an announcement lasts, in milliseconds; it is repeated three times in that time. */
  readonly ttl: number
  /** Monitors watched now. */
  readonly monitors: () => number
  /** Called when probes of the region came or went. */
  readonly changed: (share: Share.Share) => Effect.Effect<void>
}

/** Announces until the scope closes. When it returns, the share of this moment has been told. */
export const announce = (probes: Bucket, options: PresenceOptions): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { probeId, region, ttl, version } = options
    const startedAt = toIso(yield* Clock.currentTimeMillis)
    const key = `${region}.${probeId}`
    let known = ""

    const look = Effect.gen(function* () {
      const ids = (yield* probes.keys)
        .filter((other) => other.startsWith(`${region}.`))
        .map((other) => other.slice(region.length + 1))
        .sort()
      if (known === ids.join()) return
      known = ids.join()
      yield* options.changed(Share.of(probeId, ids))
    })
    const put = Effect.suspend(() =>
      probes.put(key, JSON.stringify({ probeId, region, version, startedAt, monitors: options.monitors() }))
    )
    const round = (effect: Effect.Effect<unknown, BusUnavailable>) =>
      effect.pipe(
        Effect.catch((error) =>
          Effect.logWarning("The probe cannot announce itself").pipe(Effect.annotateLogs({ reason: error.detail }))
        )
      )

    yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeoutOption(probes.remove(key), "1 second")))
    yield* round(Effect.andThen(put, look))
    // An announcement that runs out sends no word, so the keys are read again now and then, too.
    yield* Effect.forkScoped(Effect.repeat(round(Effect.andThen(put, look)), Schedule.spaced(ttl / 3)))
    yield* probes.watch.pipe(
      Stream.filter((entry) => entry._tag !== "Current" && entry.key !== key),
      Stream.runForEach(() => look),
      Effect.retry(Schedule.spaced("1 second")),
      Effect.ignore,
      Effect.forkScoped
    )
  })
