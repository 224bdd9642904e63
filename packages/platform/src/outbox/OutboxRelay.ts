/**
 * Publishes the outbox to the bus: public events to their stream, changed specs to the regions' buckets. In order and at
 * least once; event IDs and spec revisions make repeats harmless.
 */
import { type BusUnavailable, EventBus } from "@kanmon/core/EventBus"
import type { MonitorId } from "@kanmon/domain/Ids"
import { familyOf } from "@kanmon/domain/Subjects"
import { DueWork } from "../DueWork.ts"
import { isDue, OutboxQueue, type OutboxMessage } from "./OutboxQueue.ts"
import { Effect, Layer, Metric } from "effect"
import * as Metrics from "./OutboxMetrics.ts"
import { SpecPublisher } from "./SpecPublisher.ts"
import * as Recurring from "@kanmon/core/Recurring"
import * as TimerCoalescing from "@kanmon/core/TimerCoalescing"

const batch = 500

/** How often refused messages are retried. */
const retryRefusedEvery = "30 seconds"

const relay = Effect.gen(function* () {
  const bus = yield* EventBus
  const outbox = yield* OutboxQueue
  const publishSpecs = yield* SpecPublisher
  const due = yield* Effect.flatMap(DueWork, ({ signal }) => signal(isDue))

  const drainOnce = Effect.gen(function* () {
    const messages = yield* outbox.peek(batch)
    if (messages.length === 0) return 0
    const { events, monitorIds } = sort(messages)
    if (monitorIds.length > 0) yield* publishSpecs(monitorIds)
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
    yield* Effect.logError(`${reason} These messages stay in the outbox; other messages are not affected.`)
  })

  /** Returns the refused messages. After a refusal all are sent again one by one; the bus drops duplicates by ID. */
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
        yield* Effect.logInfo("The bus accepts messages it had refused").pipe(Effect.annotateLogs({ refused: reason }))
      }).pipe(Effect.catchIf(isRefusal, () => Effect.void))
    )
  )
  yield* Recurring.every(retryRefusedEvery, "Retrying refused messages", retryRefused)

  const { watch } = Recurring.failureLog("Publishing the outbox")
  const drain = Effect.gen(function* () {
    while ((yield* drainOnce) === batch) {
      // A full batch: there may be more.
    }
  }).pipe(
    watch,
    Effect.catchCause(() => Effect.sleep("1 second"))
  )

  return yield* Effect.forever(
    // The writes of this process are signalled, those of others are found.
    drain.pipe(Effect.andThen(Effect.raceFirst(outbox.appended, due)))
  )
})

/** Also measured while the bus is down. Reset to 0 when another engine takes over the relay. */
const measure = Effect.gen(function* () {
  const outbox = yield* OutboxQueue
  const tell = (age: number) => Metric.update(Metrics.outboxAge, age)
  yield* Effect.addFinalizer(() => tell(0))
  const round = Effect.ignoreCause(Effect.flatMap(outbox.age, tell))
  return yield* Effect.forever(Effect.andThen(round, TimerCoalescing.pause("5 seconds")))
}).pipe(Effect.scoped)

const isRefusal = (error: BusUnavailable): boolean => error.refused === true

/** The reason for operators, without the IDs in the subject. */
const refusalOf = (subject: string): string =>
  `The engine may not publish to ${familyOf(subject)}: grant its NATS user this permission, as kanmon nats config does.`

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

export const layer: Layer.Layer<never, never, DueWork | EventBus | OutboxQueue | SpecPublisher> = Layer.effectDiscard(
  Effect.all([Effect.forkScoped(relay), Effect.forkScoped(measure)])
)
