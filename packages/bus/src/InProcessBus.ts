/**
 * The in-process event bus, with the semantics of NATS and without persistence. Streams are bounded: messages that every
 * consumer has handled are kept for replay up to one limit, and pending messages up to another; above it the oldest is
 * dropped with a warning.
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
import { Cause, Clock, type Context, Effect, Exit, Layer, Queue, Stream } from "effect"
import * as BusMetrics from "./BusMetrics.ts"
import * as InProcessBucket from "./InProcessBucket.ts"
import * as Log from "./InProcessLog.ts"
import { matcher } from "./Subject.ts"

/** Defaults: 50,000 messages for replay and 500,000 pending ones. */
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

  const tellMissed = BusMetrics.teller()
  const publish = (messages: ReadonlyArray<Outgoing>) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const stray = messages.find((message) => logOf(message.subject) === undefined)
      if (stray !== undefined)
        return yield* new BusUnavailable({ detail: `No stream has the subject ${stray.subject}` })
      const touched = new Set<Log.Log>()
      for (const message of messages) {
        const log = logOf(message.subject)!
        if (Log.append(log, message, now)) touched.add(log)
      }
      for (const log of touched) {
        const dropped = Log.trim(log, now, room)
        if (dropped > 0) yield* tellMissed(log.definition.name, dropped, "nats-server keeps more messages.")
      }
    })

  const consume = <E, R>(
    options: ConsumeOptions,
    handle: (batch: ReadonlyArray<Incoming>) => Effect.Effect<void, E, R>
  ): Effect.Effect<never, never, R> =>
    Effect.gen(function* () {
      const log = logs.get(options.stream)
      if (log === undefined) return yield* Effect.die(new Error(`There is no stream ${options.stream}`))
      const consumer = Log.consumer(log, options.durable, options.filter)

      const round = Effect.gen(function* () {
        yield* consumer.arrived.await
        if (consumer.untaken.length < options.batch && options.maxWait !== 0) yield* Effect.sleep(options.maxWait)
        const batch = consumer.untaken.slice(0, options.batch)
        // Excess and old messages were dropped in the meantime.
        if (batch.length === 0) return
        consumer.attempts++
        const deliveries = consumer.attempts
        const exit = yield* Effect.exit(handle(batch.map((kept) => Log.incoming(kept, deliveries))))
        if (Exit.isSuccess(exit)) {
          Log.dropUntaken(consumer, batch.at(-1)!.sequence + 1)
          consumer.attempts = 0
        } else if (Cause.hasInterruptsOnly(exit.cause)) {
          yield* Effect.failCause(exit.cause as Cause.Cause<never>)
        } else {
          yield* Effect.sleep(redeliveryDelay)
        }
      })
      const { arrives } = options
      consumer.arrives = arrives
      return yield* Effect.ensuring(
        Effect.forever(consumer.turn.withPermits(1)(round)),
        Effect.sync(() => {
          if (consumer.arrives === arrives) consumer.arrives = undefined
        })
      )
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

  const backlog: EventBus["Service"]["backlog"] = ({ stream, consumers }) =>
    Stream.unwrap(
      Effect.suspend(() => {
        const log = logs.get(stream)
        if (log === undefined) return Effect.fail(new BusUnavailable({ detail: `There is no stream ${stream}` }))
        const left = consumers.map(({ durable, filter }) => {
          const consumer = log.consumers.get(durable)
          return { after: consumer === undefined ? 0 : Log.positionOf(log, consumer), matches: matcher(filter) }
        })
        const untaken = log.messages.filter(({ message, sequence }) =>
          left.some(({ after, matches }) => sequence > after && matches(message.subject))
        )
        return Effect.succeed(Stream.fromIterable(untaken.map((kept) => Log.incoming(kept, 1))))
      })
    )

  return EventBus.of({
    description: "in this process (install nats-server, or set NATS_URL, for a bus that other processes can use)",
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
    respond: <R>(subject: string, answer: (payload: string, at: string) => Effect.Effect<string, never, R>) =>
      Effect.contextWith((context: Context.Context<R>) =>
        Effect.acquireRelease(
          Effect.sync(
            () => void responders.set(subject, (payload, at) => Effect.provideContext(answer(payload, at), context))
          ),
          () => Effect.sync(() => void responders.delete(subject))
        )
      )
  })
})

export const layer = (options: InProcessOptions = {}): Layer.Layer<EventBus> => Layer.effect(EventBus, make(options))
