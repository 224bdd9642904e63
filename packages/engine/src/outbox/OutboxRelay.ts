/**
 * Carries what transactions left in the outbox to the bus: public events to their stream, changed specs to the regions'
 * buckets. In order, at least once; event ids and spec revisions make a second time harmless.
 */
import { type BusUnavailable, EventBus } from "@kanmon/core/EventBus"
import type { MonitorId } from "@kanmon/domain/Ids"
import { familyOf } from "@kanmon/domain/Subjects"
import { Outbox, type OutboxMessage } from "@kanmon/store/outbox/Outbox"
import { Cause, Effect, Layer, Metric, Schedule, Stream } from "effect"
import * as Metrics from "../EngineMetrics.ts"
import { every } from "../Job.ts"
import { Regions } from "../Regions.ts"
import { SpecBuckets } from "./SpecBuckets.ts"
import * as Trouble from "../Trouble.ts"

const batch = 500

/** How often it is tried whether the bus takes what it refused. */
const retryRefusedEvery = "30 seconds"

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
    const refused = events.length === 0 ? [] : yield* publish(events)
    yield* outbox.confirm(messages.map(({ sequence }) => sequence).filter((sequence) => !refused.includes(sequence)))
    return messages.length
  })

  const told = new Set<string>()
  const refuse = Effect.fnUntraced(function* ({ event, sequence }: EventMessage) {
    const reason = refusalOf(event.subject)
    yield* outbox.refuse(sequence, reason)
    if (told.has(reason)) return
    told.add(reason)
    yield* Effect.logError(`${reason} Its messages wait in the outbox; the others go on.`)
  })

  /** Returns the refused ones. After a refusal all are sent again, one by one: the bus knows the ids of what it has taken. */
  const publish = (events: ReadonlyArray<EventMessage>) =>
    bus.publish(events.map(({ event }) => event)).pipe(
      Effect.as<ReadonlyArray<number>>([]),
      Effect.catchIf(isRefusal, () => Effect.map(Effect.forEach(events, publishOne), (refused) => refused.flat()))
    )

  const publishOne = (message: EventMessage) =>
    bus.publish([message.event]).pipe(
      Effect.as<ReadonlyArray<number>>([]),
      Effect.catchIf(isRefusal, () => Effect.as(refuse(message), [message.sequence]))
    )

  const retryRefused = Effect.flatMap(
    outbox.refused,
    Effect.forEach(({ oldest, reason }) =>
      Effect.gen(function* () {
        if (oldest._tag === "Event") yield* bus.publish([oldest.event])
        yield* outbox.readmit(reason)
        told.delete(reason)
        yield* Effect.logInfo("The bus takes again what it refused").pipe(Effect.annotateLogs({ refused: reason }))
      }).pipe(Effect.catchIf(isRefusal, () => Effect.void))
    )
  )
  yield* every(retryRefusedEvery, "Retrying what the bus refused", retryRefused)

  const { watch } = Trouble.make("Carrying the outbox to the bus")
  const drain = Effect.gen(function* () {
    while ((yield* drainOnce) === batch) {
      // A full batch: there may be more.
    }
  }).pipe(
    watch,
    Effect.catchCause(() => Effect.sleep("1 second"))
  )

  return yield* Effect.forever(
    drain.pipe(Effect.andThen(Effect.raceFirst(outbox.appended, Effect.sleep(pollInterval))))
  )
})

/**
 * A region that appears (and every region, when this process starts) gets its bucket as a whole. One that cannot have it yet
 * keeps no other waiting.
 */
const follow = Effect.gen(function* () {
  const regions = yield* Regions
  const buckets = yield* SpecBuckets
  const begun = new Set<string>()
  const bring = (region: string) => {
    let told = ""
    return buckets.reconcile(region).pipe(
      Effect.tap((changed) => Effect.logDebug("Region reconciled").pipe(Effect.annotateLogs({ region, changed }))),
      Effect.sandbox,
      Effect.tapError((cause) => {
        const reason = String(Cause.squash(cause))
        if (reason === told) return Effect.void
        told = reason
        return Effect.annotateLogs(Effect.logWarning("A region's monitors could not be brought up to date yet"), {
          region,
          reason
        })
      }),
      Effect.retry(patience)
    )
  }
  yield* Effect.forkScoped(
    Effect.forever(
      Effect.andThen(
        Effect.sleep("10 seconds"),
        buckets.behind.pipe(
          Effect.flatMap((all) =>
            Effect.forEach(all, (region) => Effect.ignoreCause(buckets.reconcile(region)), { discard: true })
          ),
          Effect.ignoreCause
        )
      )
    )
  )
  return yield* Stream.runForEach(regions.changes, ({ labels }) => {
    // One that was closed misses changes: it is brought up to date again when it comes back.
    for (const region of begun) if (!labels.includes(region)) begun.delete(region)
    return Effect.forEach(
      labels.filter((label) => !begun.has(label)),
      (region) => {
        begun.add(region)
        return Effect.forkScoped(bring(region))
      },
      { discard: true }
    )
  })
})

const patience = Schedule.min([Schedule.exponential("2 seconds"), Schedule.spaced("30 seconds")])

/** Looked at while the bus is away, too. What another engine's outbox is like is not for this one to say any more. */
const measure = Effect.gen(function* () {
  const outbox = yield* Outbox
  const tell = (age: number) => Metric.update(Metrics.outboxAge, age)
  yield* Effect.addFinalizer(() => tell(0))
  return yield* Effect.repeat(Effect.ignoreCause(Effect.flatMap(outbox.age, tell)), Schedule.spaced("5 seconds"))
}).pipe(Effect.scoped)

const isRefusal = (error: BusUnavailable): boolean => error.refused === true

/** What an operator has to know; the ids in the subject are nobody's business. */
const refusalOf = (subject: string): string =>
  `The bus does not let the engine publish to ${familyOf(subject)}: give its user that right, as kanmon nats config does.`

type EventMessage = Extract<OutboxMessage, { readonly _tag: "Event" }>

const sort = (messages: ReadonlyArray<OutboxMessage>) => {
  const events: Array<EventMessage> = []
  const monitorIds = new Set<MonitorId>()
  for (const message of messages) {
    if (message._tag === "Event") events.push(message)
    else monitorIds.add(message.monitorId)
  }
  return { events, monitorIds: [...monitorIds] }
}

export const layer: Layer.Layer<never, never, EventBus | Outbox | Regions | SpecBuckets> = Layer.effectDiscard(
  Effect.all([Effect.forkScoped(relay), Effect.forkScoped(measure), Effect.forkScoped(follow)])
)
