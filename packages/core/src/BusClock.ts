/**
 * Bus time. Measures the local clock against the bus's and provides a `Clock` that is corrected when they differ.
 * Everything that reads it (slots, observation timestamps, the engine's admission) agrees with all other processes,
 * even if the machine's clock is wrong. The machine's clock is not changed, and timers are not affected.
 */
import {
  bestOf,
  type ClockSample,
  type ClockStatus,
  correctionOf,
  sampleOf,
  statusOf
} from "@kanmon/domain/ClockOffset"
import { clockBucket } from "@kanmon/domain/Subjects"
import { Clock, Context, Effect, Fiber, Layer, Metric, Schedule } from "effect"
import { type Bucket, type BusUnavailable, EventBus } from "./EventBus.ts"
import * as TimerCoalescing from "./TimerCoalescing.ts"

/** Bus time minus local time. */
export const offset = Metric.gauge("kanmon_clock_offset_seconds", {
  description: "Difference between the bus's clock and the clock of this process; corrected above 2 s, wrong above 30 s"
})

export interface ClockReading {
  /** Milliseconds; positive when the local clock is behind. Null before the first measurement. */
  readonly offsetMillis: number | null
  readonly status: ClockStatus
}

export class BusClock extends Context.Service<BusClock, { readonly reading: () => ClockReading }>()(
  "@kanmon/core/BusClock"
) {
  /**
   * Also provides the corrected `Clock`. `key` is this process's own key in the bucket. Waits briefly for the first
   * measurement.
   */
  static readonly layer = (key: string): Layer.Layer<BusClock, never, EventBus> =>
    Layer.effectContext(Effect.suspend(() => make(key)))
}

const measureEvery = 10_000
/** How often the clock is checked for a jump, which triggers a measurement. */
const lookEvery = "1 second"
const jumpMillis = 500
const remembered = 6
/** Without a measurement within this time, the process starts with the machine's clock. */
const firstWithin = "3 seconds"
const bucketTtl = 3_600_000

const make = Effect.fnUntraced(function* (key: string) {
  const bus = yield* EventBus
  const clock = yield* Clock.Clock
  const wall = () => clock.currentTimeMillisUnsafe()
  const monotonic = () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)

  let samples: ReadonlyArray<ClockSample> = []
  let known: number | undefined
  let added = 0
  let measuredAt = Number.NEGATIVE_INFINITY
  let status: ClockStatus = "unknown"

  /** Sets the current offset and logs when its meaning changes. */
  const take = (millis: number) =>
    Effect.suspend(() => {
      const before = status
      known = Math.round(millis)
      added = correctionOf(known, added)
      status = statusOf(known)
      const told = status === before ? Effect.void : tell(status, before, known)
      return Effect.andThen(Metric.update(offset, known / 1000), told)
    })

  const measure = Effect.fnUntraced(function* (bucket: Bucket) {
    const sent = wall()
    const revision = yield* bucket.put(key, "")
    const answered = wall()
    const stamped = yield* bucket.get(key)
    // Another process with this key may have written in between.
    if (stamped.revision !== revision || stamped.at === null) return
    measuredAt = monotonic()
    samples = [sampleOf(sent, stamped.at, answered), ...samples].slice(0, remembered)
    yield* take(bestOf(samples)!.offset)
  })

  let lastWall = wall()
  let lastMonotonic = monotonic()
  const look = (bucket: Bucket): Effect.Effect<void, BusUnavailable> =>
    Effect.suspend(() => {
      const jump = wall() - lastWall - (monotonic() - lastMonotonic)
      lastWall = wall()
      lastMonotonic = monotonic()
      const jumped = Math.abs(jump) > jumpMillis
      if (jumped) samples = []
      return jumped || lastMonotonic - measuredAt >= measureEvery ? measure(bucket) : Effect.void
    })

  const opening = yield* Effect.forkScoped(
    Effect.retry(bus.bucket(clockBucket, { ttlMillis: bucketTtl }), Schedule.spaced("10 seconds"))
  )
  const opened = Fiber.join(opening)
  yield* Effect.timeoutOption(Effect.ignore(Effect.flatMap(opened, measure)), firstWithin)
  yield* Effect.forkScoped(
    Effect.flatMap(opened, (bucket) =>
      Effect.forever(Effect.andThen(Effect.ignoreCause(look(bucket)), TimerCoalescing.pause(lookEvery)))
    )
  )

  const now = () => wall() + added
  const nanos = () => clock.currentTimeNanosUnsafe() + BigInt(added) * 1_000_000n
  const corrected: Clock.Clock = {
    currentTimeMillisUnsafe: now,
    currentTimeMillis: Effect.sync(now),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: clock.monotonicTimeNanos,
    sleep: (duration) => clock.sleep(duration)
  }
  return Context.make(BusClock, BusClock.of({ reading: () => ({ offsetMillis: known ?? null, status }) })).pipe(
    Context.add(Clock.Clock, corrected)
  )
})

const tell = (status: ClockStatus, before: ClockStatus, offsetMillis: number): Effect.Effect<void> => {
  const line =
    status === "wrong"
      ? Effect.logError(
          "This machine's clock differs from the bus's by more than 30 s: a probe's results count as unknown until it is set"
        )
      : status === "corrected"
        ? Effect.logWarning(
            "This machine's clock differs from the bus's; timestamps are corrected. Synchronise it (NTP)"
          )
        : before === "unknown"
          ? Effect.void
          : Effect.logInfo("This machine's clock agrees with the bus's again")
  return Effect.annotateLogs(line, { offsetMillis })
}
