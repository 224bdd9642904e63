/**
 * Finds out which passive monitors missed their deadline, within a second of it. Deadlines that fell into a time when nobody
 * here listened are excused: the signal may have come in vain.
 */
import type { Catalogue } from "@kanmon/core/PluginHost"
import { Heartbeats } from "./Heartbeats.ts"
import { Clock, Effect, Layer } from "effect"
import { rules } from "./Heartbeat.ts"
import { every } from "@kanmon/core/Recurring"

const pollInterval = "250 millis"
const page = 500
/** A longer delay than this means that signals could not be received in between. */
const absentMillis = 10_000

const watch = Effect.gen(function* () {
  const heartbeats = yield* Heartbeats
  const { deadline, excused, missed } = yield* rules
  /** Until when deadlines are excused: when it looked again after an absence. */
  let excusedUntil = 0

  const round = Effect.gen(function* () {
    const before = yield* heartbeats.look
    const now = yield* Clock.currentTimeMillis
    if (before !== null && now - before > absentMillis) excusedUntil = now
    yield* heartbeats.reckon(deadline)
    for (;;) {
      const count = yield* heartbeats.overdue(page, (heartbeat, at) =>
        at <= excusedUntil ? excused(heartbeat, at) : missed(heartbeat, at)
      )
      if (count < page) return
    }
  })

  yield* every(pollInterval, "Looking for missed heartbeats", round)
})

export const layer: Layer.Layer<never, never, Catalogue | Heartbeats> = Layer.effectDiscard(watch)
