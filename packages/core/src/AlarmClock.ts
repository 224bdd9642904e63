/**
 * Wakes many callers with one fiber and one timer: a waiting monitor costs a heap entry, not a fiber. Delays use the
 * monotonic part of Effect's Clock, so that setting the machine's clock delays nothing.
 */
import { Cause, Clock, Effect, Fiber, type Scope } from "effect"

export interface AlarmClock {
  /** Calls `wake` once, `millis` from now or as soon after as possible. Returns a function that cancels it. */
  readonly after: (millis: number, wake: () => void) => () => void
  /** Monotonic milliseconds; never set back. */
  readonly now: () => number
}

interface Alarm {
  readonly instant: number
  wake: (() => void) | undefined
}

/** Above this size, cancelled alarms are removed when they are the majority. */
const worthClearing = 1024

/** Milliseconds of a clock that cannot be set. */
export const monotonicMillis = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe()) / 1_000_000

/** Runs until the scope closes. */
export const make: Effect.Effect<AlarmClock, never, Scope.Scope> = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const now = () => monotonicMillis(clock)
  let heap: Array<Alarm> = []
  let cancelled = 0
  let napping: Fiber.Fiber<void> | undefined

  // Choosing the instant and registering the wake-up happen in one step, so that no earlier alarm slips in between.
  const nap = Effect.withFiber<void>((fiber) => {
    napping = fiber as Fiber.Fiber<void>
    return heap.length === 0 ? Effect.never : Effect.sleep(Math.max(0, heap[0]!.instant - now()))
  })

  const ring = Effect.suspend(() => {
    const instant = now()
    let failed: Effect.Effect<void> = Effect.void
    while (heap.length > 0 && heap[0]!.instant <= instant) {
      const alarm = pop(heap)
      const { wake } = alarm
      alarm.wake = undefined
      if (wake === undefined) cancelled--
      else {
        try {
          wake()
        } catch (error) {
          // The callback may run a plugin's code. An exception must not stop the other alarms.
          failed = Effect.andThen(failed, Effect.logError("An alarm failed", Cause.die(error)))
        }
      }
    }
    return Effect.andThen(
      Effect.ignoreCause(failed),
      Effect.flatMap(Effect.forkChild(nap, { startImmediately: true }), Fiber.await)
    )
  })
  yield* Effect.forkScoped(Effect.forever(ring))

  return {
    now,
    after: (millis, wake) => {
      const alarm: Alarm = { instant: now() + millis, wake }
      push(heap, alarm)
      if (heap[0] === alarm) napping?.interruptUnsafe()
      return () => {
        if (alarm.wake === undefined) return
        alarm.wake = undefined
        if (++cancelled < worthClearing || cancelled * 2 < heap.length) return
        // A sorted array is a heap.
        heap = heap.filter(({ wake: alive }) => alive !== undefined).sort((left, right) => left.instant - right.instant)
        cancelled = 0
      }
    }
  }
})

const push = (heap: Array<Alarm>, alarm: Alarm): void => {
  let index = heap.push(alarm) - 1
  while (index > 0) {
    const parent = (index - 1) >> 1
    if (heap[parent]!.instant <= alarm.instant) break
    heap[index] = heap[parent]!
    index = parent
  }
  heap[index] = alarm
}

const pop = (heap: Array<Alarm>): Alarm => {
  const top = heap[0]!
  const last = heap.pop()!
  if (heap.length > 0) {
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && heap[child + 1]!.instant < heap[child]!.instant) child++
      if (heap[child]!.instant >= last.instant) break
      heap[index] = heap[child]!
      index = child
    }
    heap[index] = last
  }
  return top
}
