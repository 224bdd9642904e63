/**
 * Wakes many at their instants with one fiber and one timer: a monitor that waits costs a place in a heap, not a fiber.
 * Time is Effect's Clock.
 */
import { Clock, Effect, Latch, type Scope } from "effect"

export interface AlarmClock {
  /** Calls `wake` once, at the instant or as soon after it as can be. Returns how to call it off. */
  readonly at: (instant: number, wake: () => void) => () => void
}

interface Alarm {
  readonly instant: number
  wake: (() => void) | undefined
}

/** Runs until the scope closes. */
export const make: Effect.Effect<AlarmClock, never, Scope.Scope> = Effect.gen(function* () {
  const heap: Array<Alarm> = []
  const earlier = Latch.makeUnsafe(false)

  const ring = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    while (heap.length > 0 && heap[0]!.instant <= now) pop(heap).wake?.()
    yield* earlier.close
    const next = heap[0]?.instant
    yield* next === undefined ? earlier.await : Effect.raceFirst(earlier.await, Effect.sleep(Math.max(0, next - now)))
  })
  yield* Effect.forkScoped(Effect.forever(ring))

  return {
    at: (instant, wake) => {
      const alarm: Alarm = { instant, wake }
      push(heap, alarm)
      if (heap[0] === alarm) earlier.openUnsafe()
      return () => {
        // It stays in the heap until its instant; what it would wake is let go at once.
        alarm.wake = undefined
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
