/**
 * Carries what transactions left in the outbox to the bus: public events to their stream, changed specs to the regions'
 * buckets. In order, at least once; event ids and spec revisions make a second time harmless.
 */
import { EventBus, type Outgoing } from "@kanmon/core/EventBus"
import type { MonitorId } from "@kanmon/domain/Ids"
import { Outbox, type OutboxMessage } from "@kanmon/store/outbox/Outbox"
import { Effect, Layer, Metric, Schedule, Stream } from "effect"
import * as Metrics from "./EngineMetrics.ts"
import { Regions } from "./Regions.ts"
import { SpecBuckets } from "./SpecBuckets.ts"

const batch = 500

/** How often peers' writes are looked for; this process's own are announced. */
const pollInterval = "1 second"

const relay = Effect.gen(function* () {
  const bus = yield* EventBus
  const outbox = yield* Outbox
  const regions = yield* Regions
  const buckets = yield* SpecBuckets

  const drainOnce = Effect.gen(function* () {
    const messages = yield* outbox.peek(batch)
    if (messages.length === 0) return 0
    const { events, monitorIds } = sort(messages)
    const { labels } = yield* regions.current
    if (monitorIds.length > 0) yield* buckets.update(monitorIds, labels)
    if (events.length > 0) yield* bus.publish(events)
    yield* outbox.confirm(messages.map((message) => message.sequence))
    return messages.length
  })

  const drain = Effect.gen(function* () {
    while ((yield* drainOnce) === batch) {
      // A full batch: there may be more.
    }
    yield* Metric.update(Metrics.outboxAge, yield* outbox.age)
  }).pipe(
    Effect.catchCause((cause) =>
      Effect.logWarning("The outbox could not be carried to the bus yet", cause).pipe(
        Effect.andThen(Effect.sleep("1 second"))
      )
    )
  )

  return yield* Effect.forever(
    drain.pipe(Effect.andThen(Effect.raceFirst(outbox.appended, Effect.sleep(pollInterval))))
  )
})

/** A region that appears (and every region, when this process starts) gets its bucket as a whole. */
const follow = Effect.gen(function* () {
  const regions = yield* Regions
  const buckets = yield* SpecBuckets
  const done = new Set<string>()
  return yield* Stream.runForEach(regions.changes, ({ labels }) =>
    Effect.forEach(
      labels.filter((label) => !done.has(label)),
      (region) =>
        buckets.reconcile(region).pipe(
          Effect.tap((changed) => Effect.logDebug("Region reconciled").pipe(Effect.annotateLogs({ region, changed }))),
          Effect.tap(() => Effect.sync(() => done.add(region))),
          Effect.tapCause((cause) =>
            Effect.logWarning("A region's monitors could not be brought up to date yet", cause)
          ),
          Effect.retry(Schedule.spaced("2 seconds"))
        ),
      { discard: true }
    )
  )
})

const sort = (messages: ReadonlyArray<OutboxMessage>) => {
  const events: Array<Outgoing> = []
  const monitorIds = new Set<MonitorId>()
  for (const message of messages) {
    if (message._tag === "Event") events.push(message.event)
    else monitorIds.add(message.monitorId)
  }
  return { events, monitorIds: [...monitorIds] }
}

export const layer: Layer.Layer<never, never, EventBus | Outbox | Regions | SpecBuckets> = Layer.effectDiscard(
  Effect.all([Effect.forkScoped(relay), Effect.forkScoped(follow)])
)
