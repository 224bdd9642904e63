/**
 * Announces a probe in the bucket of probes, and keeps its share of the region's monitors up to date with the others that
 * announce themselves there. An announcement that is not repeated vanishes.
 */
import { causeText } from "@kanmon/core/CauseText"
import type { Bucket, BucketEntry, BusUnavailable } from "@kanmon/core/EventBus"
import * as Share from "@kanmon/domain/Share"
import { toIso } from "@kanmon/domain/Timestamp"
import { Clock, type Duration, Effect, Result, type Scope, Stream } from "effect"
import * as RollCall from "./RollCall.ts"

export interface PresenceOptions {
  readonly probeId: string
  readonly region: string
  readonly version: string
  /** How long an announcement lasts, in milliseconds; it is repeated five times in that time. */
  readonly ttl: number
  /** Monitors watched now. */
  readonly monitors: () => number
  /** Called when probes of the region came or went. */
  readonly changed: (share: Share.Share) => Effect.Effect<void>
  /** Done when the first share has been told: the others let go of theirs as soon as this probe is announced. */
  readonly prepare: Effect.Effect<void, BusUnavailable>
}

const repeats = 5
/** Who misses so many announcements is thought gone, before the last of them has vanished. */
const patience = 3

/** Announces until the scope closes. When it returns, the first share has been told and prepared for. */
export const announce = (probes: Bucket, options: PresenceOptions): Effect.Effect<void, BusUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    const { probeId, region, ttl, version } = options
    const startedAt = toIso(yield* Clock.currentTimeMillis)
    const prefix = `${region}.`
    const key = prefix + probeId
    const roll = RollCall.make(probeId, patience)
    const tell = Effect.suspend(() => options.changed(Share.of(probeId, roll.present())))

    const put = Effect.suspend(() =>
      probes.put(key, JSON.stringify({ probeId, region, version, startedAt, monitors: options.monitors() }))
    )
    let silenced = false
    const tried = (effect: Effect.Effect<unknown, BusUnavailable>) =>
      Effect.flatMap(Effect.result(effect), (result) => {
        const before = silenced
        silenced = Result.isFailure(result)
        if (!Result.isFailure(result) || before) return Effect.void
        return Effect.logWarning("The probe cannot announce itself").pipe(
          Effect.annotateLogs({ reason: result.failure.detail })
        )
      })

    const hear = (entry: BucketEntry): Effect.Effect<void> => {
      if (entry._tag === "Current" || !entry.key.startsWith(prefix)) return Effect.void
      const probe = entry.key.slice(prefix.length)
      const changed = entry._tag === "Put" ? roll.heard(probe) : roll.left(probe)
      return changed ? tell : Effect.void
    }

    yield* Effect.addFinalizer(() =>
      Effect.ignore(Effect.timeoutOption(Effect.interruptible(probes.remove(key)), "1 second"))
    )
    const others = Effect.map(probes.keys, (keys) => {
      for (const other of keys) if (other.startsWith(prefix) && other !== key) roll.heard(other.slice(prefix.length))
    })
    yield* tried(others)
    yield* tell
    yield* options.prepare
    yield* tried(put)
    // Neither may end before the scope does: a probe that is not announced, or does not hear of others, loses monitors.
    const forever = (step: Effect.Effect<unknown, BusUnavailable>, spacing: Duration.Input) =>
      step.pipe(
        Effect.ignore,
        Effect.catchCause((cause) => Effect.logError("The probe's membership failed; it is retried", causeText(cause))),
        Effect.andThen(Effect.sleep(spacing)),
        Effect.forever,
        Effect.forkScoped
      )
    yield* forever(tried(put), ttl / repeats)
    yield* forever(Stream.runForEach(probes.watch, hear), "1 second")
  })
