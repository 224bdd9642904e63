/**
 * Wakes many at their instants with one fiber and one timer: a monitor that waits costs a place in a heap, not a fiber.
 * Time is Effect's Clock.
 */
import { Effect, Fiber, type Scope } from "effect"

export interface AlarmClock {
  /** Calls `wake`, which must not throw, once: at the instant or as soon after it as can be. Returns how to call it off. */
  readonly at: (instant: number, wake: () => void) => () => void
}

interface Alarm {
  readonly instant: number
  wake: (() => void) | undefined
}

/** From so many on, alarms that were called off are cleared away when they are the larger part. */
const worthClearing = 1024

/** Runs until the scope closes. */
export const make: Effect.Effect<AlarmClock, never, Scope.Scope> = Effect.gen(function* () {
  let heap: Array<Alarm> = []
  let calledOff = 0
  let napping: Fiber.Fiber<void> | undefined

  // Which instant it sleeps to and who may wake it are settled in one step, so that no earlier alarm slips in between.
  const nap = Effect.withFiber<void>((fiber) => {
    napping = fiber as Fiber.Fiber<void>
    return Effect.clockWith((clock) =>
      heap.length === 0 ? Effect.never : Effect.sleep(Math.max(0, heap[0]!.instant - clock.currentTimeMillisUnsafe()))
    )
  })

  const ring = Effect.clockWith((clock) => {
    const now = clock.currentTimeMillisUnsafe()
    while (heap.length > 0 && heap[0]!.instant <= now) {
      const alarm = pop(heap)
      const { wake } = alarm
      alarm.wake = undefined
      if (wake === undefined) calledOff--
      else wake()
    }
    return Effect.flatMap(Effect.forkChild(nap, { startImmediately: true }), Fiber.await)
  })
  yield* Effect.forkScoped(Effect.forever(ring))

  return {
    at: (instant, wake) => {
      const alarm: Alarm = { instant, wake }
      push(heap, alarm)
      if (heap[0] === alarm) napping?.interruptUnsafe()
      return () => {
        if (alarm.wake === undefined) return
        alarm.wake = undefined
        if (++calledOff < worthClearing || calledOff * 2 < heap.length) return
        // An array in order is a heap.
        heap = heap.filter(({ wake: alive }) => alive !== undefined).sort((left, right) => left.instant - right.instant)
        calledOff = 0
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
