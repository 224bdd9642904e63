/**
 * The event bus on NATS: JetStream streams, key-value buckets, request and reply. Within what nats-server 2.9 offers.
 * Connections are mended within, for ever.
 */
import {
  type Bucket,
  type BusUnavailable,
  type ConsumeOptions,
  EventBus,
  type Incoming,
  NoResponder,
  type Outgoing,
  type StreamDefinition
} from "@kanmon/core/EventBus"
import { positionBucket } from "@kanmon/domain/Subjects"
import {
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamClient,
  jetstream,
  type JetStreamManager,
  StorageType
} from "@nats-io/jetstream"
import { Kvm } from "@nats-io/kv"
import { type Msg, type NatsConnection, nanos } from "@nats-io/nats-core"
import { Duration, Effect, Layer, Queue, type Redacted, Schedule, Semaphore, Stream } from "effect"
import * as BusMetrics from "./BusMetrics.ts"
import type { BadNatsAddress } from "./NatsAddress.ts"
import * as NatsBucket from "./NatsBucket.ts"
import { ask, unavailable } from "./NatsCall.ts"
import { take } from "./NatsConsumer.ts"
import { open, requestMillis } from "./NatsLink.ts"
import { incoming, toHeaders } from "./NatsMessage.ts"
import * as NatsPositions from "./NatsPositions.ts"
import * as NatsReader from "./NatsReader.ts"
import * as NatsRefusals from "./NatsRefusals.ts"
import * as NatsReplay from "./NatsReplay.ts"
import * as NatsWaiting from "./NatsWaiting.ts"
import { matcher } from "./Subject.ts"

export interface NatsOptions {
  /** As `NatsAddress.parse` reads it. */
  readonly url: Redacted.Redacted
  readonly token?: Redacted.Redacted
  /** For people: which server this is. */
  readonly description: string
  /** Most bytes a stream may keep. */
  readonly maxBytes?: number
  /** Whether missing buckets are made; otherwise they are waited for, by one who may not make them. Unless given, they are. */
  readonly makesBuckets?: boolean
}

const dedupe = nanos(120_000)
/** The server's code for a stream of this name with another definition. */
const streamExists = 10_058
const defaultMaxBytes = 1024 ** 3

const make = Effect.fnUntraced(function* (options: NatsOptions) {
  const { makesBuckets = true } = options
  const connection: NatsConnection = yield* open(options)
  const client: JetStreamClient = jetstream(connection, { timeout: requestMillis })
  const buckets = new Map<string, Bucket>()
  const kvm = new Kvm(client)
  const listeners = new Set<() => void>()
  const onReconnect: NatsBucket.OnReconnect = (listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const refused = yield* NatsRefusals.tell
  const listen = async (): Promise<void> => {
    for await (const status of connection.status()) {
      if (status.type === "reconnect") for (const listener of listeners) listener()
      if (status.type === "error") refused(status.error)
    }
  }
  // Ends with the connection.
  void listen()
  const manager: JetStreamManager = yield* ask(() => client.jetstreamManager())
  const log = Effect.runForkWith(yield* Effect.context())
  const readers = new Map<string, NatsReader.Reader>()
  const readerOf = (stream: string): NatsReader.Reader => {
    const missed = (count: number): void =>
      void log(
        BusMetrics.tellMissed(stream, count, "Give its streams more room (KANMON_STREAM_MEGABYTES) or add engines.")
      )
    const known = readers.get(stream)
    if (known !== undefined) return known
    void log(BusMetrics.begin(stream))
    const reader = NatsReader.make(client, { stream, onReconnect, missed })
    readers.set(stream, reader)
    return reader
  }

  const ensured = new Map<string, StreamDefinition>()
  const ensureStream = (definition: StreamDefinition) =>
    ask(async () => {
      const { maxAgeMillis, name, subjects } = definition
      const config = {
        name,
        subjects: [...subjects],
        storage: StorageType.File,
        discard: DiscardPolicy.Old,
        max_age: nanos(maxAgeMillis),
        max_bytes: options.maxBytes ?? defaultMaxBytes,
        duplicate_window: dedupe
      }
      await manager.streams.add(config).catch((error) => {
        if (!(error instanceof JetStreamApiError) || error.code !== streamExists) throw error
        return manager.streams.update(name, config)
      })
      ensured.set(name, definition)
    })

  // A server that comes back may have lost its store, and nobody else makes the streams again.
  const back = yield* Queue.sliding<void>(1)
  onReconnect(() => Queue.offerUnsafe(back, undefined))
  yield* Effect.forkScoped(
    Effect.forever(
      Effect.andThen(
        Queue.take(back),
        Effect.suspend(() =>
          Effect.forEach(ensured.values(), (definition) =>
            Effect.retry(ensureStream(definition), Schedule.spaced("1 second"))
          )
        )
      )
    )
  )

  const publish = (messages: ReadonlyArray<Outgoing>) =>
    ask(async () => {
      await Promise.all(
        messages.map((message) =>
          client.publish(message.subject, message.payload, {
            msgID: message.id,
            timeout: requestMillis,
            ...(message.headers === undefined ? {} : { headers: toHeaders(message.headers) })
          })
        )
      )
    })

  const position = (stream: string) =>
    Effect.map(
      ask(() => manager.streams.info(stream)),
      ({ state }) => state.last_seq
    )
  const replay = NatsReplay.make(client, position)

  const bucket = (name: string, { ttlMillis }: { readonly ttlMillis?: number } = {}) =>
    Effect.suspend(() => {
      const known = buckets.get(name)
      if (known !== undefined) return Effect.succeed(known)
      const make = () => kvm.create(name, { history: 1, ...(ttlMillis === undefined ? {} : { ttl: ttlMillis }) })
      const opened = makesBuckets
        ? NatsBucket.make(make, onReconnect)
        : Effect.andThen(
            NatsWaiting.until(kvm, name),
            NatsBucket.make(() => NatsWaiting.open(kvm, name), onReconnect)
          )
      return Effect.tap(opened, (made) => Effect.sync(() => buckets.set(name, made)))
    })

  // Takers come in swarms; the first one opens it for all.
  const oneAtATime = Semaphore.makeUnsafe(1)
  const positions = NatsPositions.make(manager, oneAtATime.withPermit(Effect.suspend(() => bucket(positionBucket))))

  const consume = <E, R>(
    options: ConsumeOptions,
    handle: (batch: ReadonlyArray<Incoming>) => Effect.Effect<void, E, R>
  ) =>
    take({ positions, readerOf }, options, (messages, failures) =>
      handle(messages.map((message) => incoming(message, failures)))
    )

  const backlog: EventBus["Service"]["backlog"] = ({ stream, takers }) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const { state } = yield* ask(() => manager.streams.info(stream))
        const left = yield* Effect.forEach(
          takers,
          ({ durable, filter }) =>
            Effect.map(positions.of({ stream, durable }), ({ sequence }) => ({
              after: sequence,
              matches: matcher(filter)
            })),
          { concurrency: "unbounded" }
        )
        const first = Math.min(...left.map(({ after }) => after)) + 1
        // Messages leave a stream from its beginning: while there are any, the last one is there.
        if (state.messages === 0 || first > state.last_seq) return Stream.empty
        return replay({ stream, from: first }).pipe(
          Stream.takeUntil(({ sequence }) => sequence >= state.last_seq),
          Stream.filter(({ sequence, subject }) =>
            left.some(({ after, matches }) => sequence > after && matches(subject))
          )
        )
      })
    )

  const request: EventBus["Service"]["request"] = (subject, payload, timeout) =>
    Effect.tryPromise({
      try: () =>
        connection.request(subject, payload, { timeout: Duration.toMillis(Duration.fromInputUnsafe(timeout)) }),
      catch: (cause) => {
        const name = cause instanceof Error ? cause.constructor.name : ""
        const text = cause instanceof Error ? `${name} ${cause.message}` : String(cause)
        return /noresponders|no responders|timeout/i.test(text) ? new NoResponder({ subject }) : unavailable(cause)
      }
    }).pipe(Effect.map((message) => message.string()))

  const respond: EventBus["Service"]["respond"] = (subject, answer) =>
    Effect.gen(function* () {
      const requests = yield* Effect.acquireRelease(Queue.unbounded<Msg>(), Queue.shutdown)
      yield* Effect.acquireRelease(
        Effect.sync(() =>
          connection.subscribe(subject, {
            callback: (error, message) => void (error === null && Queue.offerUnsafe(requests, message))
          })
        ),
        (subscription) => Effect.sync(() => subscription.unsubscribe())
      )
      yield* Effect.forkScoped(
        Effect.forever(
          Effect.flatMap(Queue.take(requests), (message) =>
            Effect.forkScoped(
              Effect.map(answer(message.string(), message.subject), (reply) => void message.respond(reply))
            )
          )
        )
      )
    })

  const healthy = ask(() => connection.rtt()).pipe(
    Effect.as(true),
    Effect.timeoutOrElse({ duration: "2 seconds", orElse: () => Effect.succeed(false) }),
    Effect.catch(() => Effect.succeed(false))
  )

  return EventBus.of({
    description: options.description,
    healthy,
    ensureStream,
    publish,
    consume,
    position,
    replay,
    backlog,
    bucket,
    request,
    respond
  })
})

export const layer = (options: NatsOptions): Layer.Layer<EventBus, BusUnavailable | BadNatsAddress> =>
  Layer.effect(EventBus, make(options))
