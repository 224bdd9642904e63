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
import * as InProcessBucket from "./InProcessBucket.ts"
import { matcher } from "./Subject.ts"

export interface InProcessOptions {
  /** Messages kept for replay after every consumer has taken them. */
  readonly keep?: number
  /** Messages kept for consumers that do not take them. */
  readonly keepUntaken?: number
}

const dedupeMillis = 120_000
const redeliveryDelay = "500 millis"

interface Kept {
  readonly sequence: number
  readonly at: number
  readonly message: Outgoing
}

interface Consumer {
  /** Sequence of the last message that was acknowledged. */
  position: number
  /** How often the batch after `position` has been handed out. */
  attempts: number
  readonly turn: Semaphore.Semaphore
}

interface Log {
  definition: StreamDefinition
  matches: (subject: string) => boolean
  messages: Array<Kept>
  last: number
  readonly ids: Map<string, number>
  readonly consumers: Map<string, Consumer>
  /** Woken, once each, when a message comes. */
  waiting: Array<() => void>
  readonly followers: Set<(kept: Kept) => void>
}

const make = Effect.fnUntraced(function* (options: InProcessOptions) {
  const keep = options.keep ?? 50_000
  const keepUntaken = options.keepUntaken ?? 500_000
  const logs = new Map<string, Log>()
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
      logs.set(definition.name, {
        definition,
        matches: matcher(definition.subjects),
        messages: [],
        last: 0,
        ids: new Map(),
        consumers: new Map(),
        waiting: [],
        followers: new Set()
      })
    })

  const logOf = (subject: string): Log | undefined => {
    for (const log of logs.values()) if (log.matches(subject)) return log
    return undefined
  }

  const publish = (messages: ReadonlyArray<Outgoing>) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      let dropped = 0
      const touched = new Set<Log>()
      const stray = messages.find((message) => logOf(message.subject) === undefined)
      if (stray !== undefined) return yield* new BusUnavailable({ detail: `No stream takes ${stray.subject}` })
      for (const message of messages) {
        const log = logOf(message.subject)!
        if (now - (log.ids.get(message.id) ?? Number.NEGATIVE_INFINITY) < dedupeMillis) continue
        // Deleted first, so that the map stays in the order of time.
        log.ids.delete(message.id)
        log.ids.set(message.id, now)
        const kept = { sequence: ++log.last, at: now, message }
        log.messages.push(kept)
        touched.add(log)
        for (const follow of log.followers) follow(kept)
      }
      for (const log of touched) {
        dropped += trim(log, now, keep, keepUntaken)
        const waiting = log.waiting
        log.waiting = []
        for (const wake of waiting) wake()
      }
      if (dropped > 0) {
        yield* Effect.logWarning("The in-process bus is full; its oldest messages were dropped").pipe(
          Effect.annotateLogs({ dropped })
        )
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

      const collect = (): { batch: Array<Kept>; until: number } => {
        const batch: Array<Kept> = []
        let until = consumer.position
        for (let index = indexAfter(log, consumer.position); index < log.messages.length; index++) {
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
          yield* arrival(log)
          ;({ batch, until } = collect())
        }
        if (batch.length > 0 && batch.length < options.batch) {
          yield* Effect.sleep(options.maxWait)
          ;({ batch, until } = collect())
        }
        if (batch.length === 0) return
        consumer.attempts++
        const deliveries = consumer.attempts
        const exit = yield* Effect.exit(handle(batch.map((kept) => incoming(kept, deliveries))))
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
        const follow = (kept: Kept): void => {
          if (matches(kept.message.subject)) Queue.offerUnsafe(queue, incoming(kept, 1))
        }
        yield* Effect.acquireRelease(
          Effect.sync(() => {
            if (from !== "new") log.messages.slice(indexAfter(log, from - 1)).forEach(follow)
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
        return Effect.succeed(Stream.fromIterable(untaken.map((kept) => incoming(kept, 1))))
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

const incoming = ({ message, sequence }: Kept, deliveries: number): Incoming => ({
  subject: message.subject,
  payload: message.payload,
  headers: message.headers ?? {},
  sequence,
  deliveries
})

const arrival = (log: Log): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    const wake = (): void => resume(Effect.void)
    log.waiting.push(wake)
    return Effect.sync(() => {
      log.waiting = log.waiting.filter((other) => other !== wake)
    })
  })

/** Where the messages after a sequence begin: sequences are dense, so this is arithmetic. */
const indexAfter = (log: Log, sequence: number): number => {
  const first = log.messages[0]?.sequence ?? 0
  return Math.max(0, sequence + 1 - first)
}

/** Lets go of what is too old or too much; returns how many were dropped that somebody still waited for. */
const trim = (log: Log, now: number, keep: number, keepUntaken: number): number => {
  let taken = log.last
  for (const { position } of log.consumers.values()) if (position < taken) taken = position
  const oldest = now - log.definition.maxAgeMillis
  let cut = 0
  while (cut < log.messages.length && log.messages[cut]!.at < oldest) cut++
  const first = log.messages[0]!.sequence
  const spare = Math.min(taken - first + 1, log.messages.length - keep)
  cut = Math.max(cut, Math.min(spare, log.messages.length))
  let dropped = 0
  if (log.messages.length - cut > keepUntaken) {
    dropped = log.messages.length - cut - keepUntaken
    cut += dropped
  }
  // Cutting in large pieces keeps the copying rare.
  if (cut > 0 && (cut >= 4096 || dropped > 0 || cut === log.messages.length)) log.messages = log.messages.slice(cut)
  for (const [id, at] of log.ids) {
    if (now - at < dedupeMillis) break
    log.ids.delete(id)
  }
  return dropped
}

export const layer = (options: InProcessOptions = {}): Layer.Layer<EventBus> => Layer.effect(EventBus, make(options))
