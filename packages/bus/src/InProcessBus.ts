/**
 * The event bus inside one process, with the semantics of the NATS one and no memory across restarts. Streams are bounded:
 * what every consumer has taken is kept for replay up to a number of messages, and what nobody takes up to another; then the
 * oldest goes, with a warning.
 */
import {
  type Bucket,
  BusUnavailable,
  type ConsumeOptions,
  EventBus,
  type Incoming,
  NoResponder,
  type Outgoing,
  type StreamDefinition
} from "@kanmon/core/EventBus"
import { Cause, Clock, Effect, Exit, Layer, Queue, Semaphore, Stream } from "effect"
import * as BusMetrics from "./BusMetrics.ts"
import * as InProcessBucket from "./InProcessBucket.ts"
import * as Log from "./InProcessLog.ts"
import { matcher } from "./Subject.ts"

/** Unless given, 50,000 messages for replay and 500,000 for those who do not take them. */
export type InProcessOptions = Partial<Log.Room>

const redeliveryDelay = "500 millis"

const make = Effect.fnUntraced(function* (options: InProcessOptions) {
  const room: Log.Room = { keep: 50_000, keepUntaken: 500_000, ...options }
  const logs = new Map<string, Log.Log>()
  const buckets = new Map<string, Bucket>()
  const responders = new Map<string, (payload: string, subject: string) => Effect.Effect<string>>()

  const ensureStream = (definition: StreamDefinition) =>
    Effect.sync(() => {
      const known = logs.get(definition.name)
      if (known !== undefined) {
        known.definition = definition
        known.matches = matcher(definition.subjects)
        return
      }
      logs.set(definition.name, Log.make(definition))
    })

  const logOf = (subject: string): Log.Log | undefined => {
    for (const log of logs.values()) if (log.matches(subject)) return log
    return undefined
  }

  const publish = (messages: ReadonlyArray<Outgoing>) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const stray = messages.find((message) => logOf(message.subject) === undefined)
      if (stray !== undefined) return yield* new BusUnavailable({ detail: `No stream takes ${stray.subject}` })
      const touched = new Set<Log.Log>()
      for (const message of messages) {
        const log = logOf(message.subject)!
        if (Log.append(log, message, now)) touched.add(log)
      }
      for (const log of touched) {
        const dropped = Log.trim(log, now, room)
        Log.wake(log)
        if (dropped > 0) yield* BusMetrics.tellMissed(log.definition.name, dropped, "A nats-server keeps more.")
      }
    })

  const consume = <E, R>(
    options: ConsumeOptions,
    handle: (batch: ReadonlyArray<Incoming>) => Effect.Effect<void, E, R>
  ): Effect.Effect<never, never, R> =>
    Effect.gen(function* () {
      const log = logs.get(options.stream)
      if (log === undefined) return yield* Effect.die(new Error(`There is no stream ${options.stream}`))
      const matches = matcher(options.filter)
      const consumer = log.consumers.get(options.durable) ?? {
        position: 0,
        attempts: 0,
        turn: Semaphore.makeUnsafe(1)
      }
      log.consumers.set(options.durable, consumer)

      const collect = (): { batch: Array<Log.Kept>; until: number } => {
        const batch: Array<Log.Kept> = []
        let until = consumer.position
        for (let index = Log.indexAfter(log, consumer.position); index < log.messages.length; index++) {
          const kept = log.messages[index]!
          if (matches(kept.message.subject)) batch.push(kept)
          until = kept.sequence
          if (batch.length >= options.batch) break
        }
        return { batch, until }
      }

      const round = Effect.gen(function* () {
        let { batch, until } = collect()
        if (batch.length === 0) {
          consumer.position = until
          yield* Log.arrival(log)
          ;({ batch, until } = collect())
        }
        if (batch.length > 0 && batch.length < options.batch) {
          yield* Effect.sleep(options.maxWait)
          ;({ batch, until } = collect())
        }
        if (batch.length === 0) return
        consumer.attempts++
        const deliveries = consumer.attempts
        const exit = yield* Effect.exit(handle(batch.map((kept) => Log.incoming(kept, deliveries))))
        if (Exit.isSuccess(exit)) {
          consumer.position = until
          consumer.attempts = 0
        } else if (Cause.hasInterruptsOnly(exit.cause)) {
          yield* Effect.failCause(exit.cause as Cause.Cause<never>)
        } else {
          yield* Effect.sleep(redeliveryDelay)
        }
      })
      return yield* Effect.forever(consumer.turn.withPermits(1)(round))
    })

  const position = (stream: string) =>
    Effect.suspend(() => {
      const log = logs.get(stream)
      return log === undefined
        ? Effect.fail(new BusUnavailable({ detail: `There is no stream ${stream}` }))
        : Effect.succeed(log.last)
    })

  const replay: EventBus["Service"]["replay"] = ({ filter, from, stream }) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const log = logs.get(stream)
        if (log === undefined) return yield* new BusUnavailable({ detail: `There is no stream ${stream}` })
        const matches = matcher(filter)
        const queue = yield* Effect.acquireRelease(Queue.unbounded<Incoming>(), Queue.shutdown)
        const follow = (kept: Log.Kept): void => {
          if (matches(kept.message.subject)) Queue.offerUnsafe(queue, Log.incoming(kept, 1))
        }
        yield* Effect.acquireRelease(
          Effect.sync(() => {
            if (from !== "new") log.messages.slice(Log.indexAfter(log, from - 1)).forEach(follow)
            log.followers.add(follow)
          }),
          () => Effect.sync(() => log.followers.delete(follow))
        )
        return Stream.fromQueue(queue)
      })
    )

  const backlog: EventBus["Service"]["backlog"] = ({ stream, takers }) =>
    Stream.unwrap(
      Effect.suspend(() => {
        const log = logs.get(stream)
        if (log === undefined) return Effect.fail(new BusUnavailable({ detail: `There is no stream ${stream}` }))
        const left = takers.map(({ durable, filter }) => ({
          after: log.consumers.get(durable)?.position ?? 0,
          matches: matcher(filter)
        }))
        const untaken = log.messages.filter(({ message, sequence }) =>
          left.some(({ after, matches }) => sequence > after && matches(message.subject))
        )
        return Effect.succeed(Stream.fromIterable(untaken.map((kept) => Log.incoming(kept, 1))))
      })
    )

  return EventBus.of({
    description: "in this process (install nats-server, or set NATS_URL, for a bus that others can join)",
    healthy: Effect.succeed(true),
    ensureStream,
    publish,
    consume,
    position,
    replay,
    backlog,
    bucket: (name, { ttlMillis } = {}) =>
      Effect.sync(() => {
        const known = buckets.get(name)
        if (known !== undefined) return known
        const bucket = InProcessBucket.make(ttlMillis)
        buckets.set(name, bucket)
        return bucket
      }),
    request: (subject, payload, timeout) =>
      Effect.suspend(() => {
        const answer = responders.get(subject)
        if (answer === undefined) return Effect.fail(new NoResponder({ subject }))
        return answer(payload, subject).pipe(
          Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.fail(new NoResponder({ subject })) })
        )
      }),
    respond: (subject, answer) =>
      Effect.contextWith((context) =>
        Effect.acquireRelease(
          Effect.sync(
            () =>
              void responders.set(subject, (payload, at) =>
                Effect.provideContext(answer(payload, at), context as never)
              )
          ),
          () => Effect.sync(() => void responders.delete(subject))
        )
      )
  })
})

export const layer = (options: InProcessOptions = {}): Layer.Layer<EventBus> => Layer.effect(EventBus, make(options))
