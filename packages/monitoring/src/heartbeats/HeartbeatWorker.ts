/**
 * Finds out which passive monitors missed their deadline, within a second of it. Deadlines during a time without a
 * listening server are excused, because the signal may have been lost.
 */
import { every } from "@kanmon/core/Recurring"
import { toIso } from "@kanmon/domain/Timestamp"
import { Clock, Effect, Layer, Semaphore } from "effect"
import { DueWork } from "@kanmon/platform/DueWork"
import { isDue } from "./HeartbeatRepository.ts"
import { Heartbeats } from "./Heartbeats.ts"

/** How often it is recorded that somebody is here. */
const presentMillis = 2000
const page = 500
/** A longer delay than this means that signals could not be received in between. */
const absentMillis = 10_000

const watch = Effect.gen(function* () {
  const due = yield* DueWork
  const heartbeats = yield* Heartbeats
  /** Until when deadlines are excused: when it looked again after an absence. */
  let excusedUntil = 0
  let recordedAt = Number.NEGATIVE_INFINITY

  /** One at a time: two looks at once would both notice the same absence. */
  const turn = yield* Semaphore.make(1)
  const recordPresence = turn.withPermit(
    Effect.gen(function* () {
      if ((yield* Clock.currentTimeMillis) - recordedAt < presentMillis) return
      const before = yield* heartbeats.look
      recordedAt = yield* Clock.currentTimeMillis
      if (before === null || recordedAt - before <= absentMillis) return
      excusedUntil = recordedAt
      if (!(yield* heartbeats.exist)) return
      yield* Effect.logInfo("No engine was running; missed heartbeats of that time do not count").pipe(
        Effect.annotateLogs({ since: toIso(before), until: toIso(recordedAt) })
      )
    })
  )

  const round = Effect.gen(function* () {
    // First, so that no deadline of an absence is decided about before the absence is noticed.
    yield* recordPresence
    yield* heartbeats.reckon
    while ((yield* heartbeats.overdue(page, excusedUntil)) === page) {
      // A full page: there may be more.
    }
  })

  yield* due.watch(isDue, "Looking for missed heartbeats", round)
  yield* every(presentMillis, "Recording that heartbeats are watched", recordPresence)
})

export const layer: Layer.Layer<never, never, DueWork | Heartbeats> = Layer.effectDiscard(watch)
