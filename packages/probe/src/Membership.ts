/**
 * Registers a probe in the bucket of probes, and keeps its assignment of monitors up to date as others join and leave. A
 * registration that is not renewed expires.
 */
import { causeText } from "@kanmon/core/CauseText"
import type { Bucket, BucketEntry, BusUnavailable } from "@kanmon/core/EventBus"
import * as TimerCoalescing from "@kanmon/core/TimerCoalescing"
import * as Assignment from "@kanmon/domain/Assignment"
import { toIso } from "@kanmon/domain/Timestamp"
import { Clock, type Duration, Effect, Result, type Scope, Stream } from "effect"

export interface MembershipOptions {
  readonly probeId: string
  readonly region: string
  readonly version: string
  /** Lifetime of a registration in milliseconds; it is renewed five times in that time, and half as often without others. */
  readonly ttl: number
  /** Number of assigned monitors. */
  readonly monitors: () => number
  /** Called when probes of the region joined or left. */
  readonly changed: (assignment: Assignment.Assignment) => Effect.Effect<void>
  /**
   * Completes when the first assignment can be applied: other probes release their monitors as soon as this one is
   * registered.
   */
  readonly prepare: Effect.Effect<void, BusUnavailable>
}

const repeats = 5
/** If no other probe would take over its monitors, a probe renews its registration after this many times the pause. */
const aloneFactor = 2
/** A probe that missed this many renewals counts as gone before its registration expires. */
const patience = 3

/** Renews the registration until the scope closes. Returns when the first assignment has been applied. */
export const join = (probes: Bucket, options: MembershipOptions): Effect.Effect<void, BusUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    const { probeId, region, ttl, version } = options
    const startedAt = toIso(yield* Clock.currentTimeMillis)
    const prefix = `${region}.`
    const key = prefix + probeId
    const membership = make(probeId, patience)
    const tell = Effect.suspend(() => options.changed(Assignment.of(probeId, membership.members())))

    const put = Effect.suspend(() =>
      probes.put(key, JSON.stringify({ probeId, region, version, startedAt, monitors: options.monitors() }))
    )
    let silenced = false
    const tried = (effect: Effect.Effect<unknown, BusUnavailable>) =>
      Effect.flatMap(Effect.result(effect), (result) => {
        const before = silenced
        silenced = Result.isFailure(result)
        if (!Result.isFailure(result) || before) return Effect.void
        return Effect.logWarning("The probe cannot register").pipe(
          Effect.annotateLogs({ reason: result.failure.detail })
        )
      })

    const hear = (entry: BucketEntry): Effect.Effect<void> => {
      if (entry._tag === "Current" || !entry.key.startsWith(prefix)) return Effect.void
      const probe = entry.key.slice(prefix.length)
      const changed = entry._tag === "Put" ? membership.renewed(probe) : membership.left(probe)
      return changed ? tell : Effect.void
    }

    yield* Effect.addFinalizer(() =>
      Effect.ignore(Effect.timeoutOption(Effect.interruptible(probes.remove(key)), "1 second"))
    )
    const others = Effect.map(probes.keys, (keys) => {
      for (const other of keys)
        if (other.startsWith(prefix) && other !== key) membership.renewed(other.slice(prefix.length))
    })
    yield* tried(others)
    yield* tell
    yield* options.prepare
    yield* tried(put)
    // Neither loop may end before the scope: a probe that is not registered, or does not see the others, loses monitors.
    const forever = (step: Effect.Effect<unknown, BusUnavailable>, spacing: () => Duration.Input) =>
      step.pipe(
        Effect.ignore,
        Effect.catchCause((cause) => Effect.logError("The probe's membership failed; retrying", causeText(cause))),
        Effect.andThen(Effect.suspend(() => TimerCoalescing.pause(spacing()))),
        Effect.forever,
        Effect.forkScoped
      )
    yield* forever(tried(put), () => (ttl / repeats) * (membership.members().length === 1 ? aloneFactor : 1))
    yield* forever(Stream.runForEach(probes.watch, hear), () => "1 second")
  })

/**
 * The members of a region's group of probes, by the order in which their registrations arrive and without a clock: a probe
 * counts as gone when this one has seen its own registration several times without the other's. A probe that is cut off
 * does not see its own either, and one that was suspended first receives what it missed, so neither considers itself alone.
 */
export interface Membership {
  /** Returns whether the members changed. */
  readonly renewed: (probe: string) => boolean
  /** Returns whether the members changed. */
  readonly left: (probe: string) => boolean
  /** Sorted; includes this probe. */
  readonly members: () => ReadonlyArray<string>
}

/** `own` removes others after `patience` of its own registrations without theirs. */
export const make = (own: string, patience: number): Membership => {
  /** Own registrations seen since each other probe's last one. */
  const silence = new Map<string, number>()

  const renewedOwn = (): boolean => {
    let changed = false
    for (const [other, times] of silence) {
      if (times + 1 >= patience) changed = silence.delete(other)
      else silence.set(other, times + 1)
    }
    return changed
  }

  return {
    renewed: (probe) => {
      if (probe === own) return renewedOwn()
      const isNew = !silence.has(probe)
      silence.set(probe, 0)
      return isNew
    },
    left: (probe) => silence.delete(probe),
    members: () => [own, ...silence.keys()].sort()
  }
}
