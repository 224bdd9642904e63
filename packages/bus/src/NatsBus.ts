/**
 * The event bus on NATS: JetStream streams, key-value buckets, request and reply. Uses only features of nats-server 2.9.
 * Reconnects indefinitely.
 */
import {
  type Bucket,
  type BusUnavailable,
  type ConsumeOptions,
  EventBus,
  type Incoming,
  NoResponder,
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
import { type Msg, nanos, PermissionViolationError } from "@nats-io/nats-core"
import { Duration, Effect, Layer, Queue, type Redacted, Schedule, Semaphore, Stream } from "effect"
import * as BusMetrics from "./BusMetrics.ts"
import type { BadNatsAddress } from "./NatsAddress.ts"
import * as NatsBucket from "./NatsBucket.ts"
import * as NatsConsumer from "./NatsConsumer.ts"
import { ask, logRefusals, open, requestMillis, unavailable } from "./NatsConnection.ts"
import { incoming } from "./NatsMessage.ts"
import * as NatsPublisher from "./NatsPublisher.ts"
import * as NatsPositions from "./NatsPositions.ts"
import * as NatsReader from "./NatsReader.ts"
import * as NatsReplay from "./NatsReplay.ts"
import { matcher } from "./Subject.ts"

export interface NatsOptions {
  /** As parsed by `NatsAddress.parse`. */
  readonly url: Redacted.Redacted
  readonly token?: Redacted.Redacted
  /** A one-line description of the server. */
  readonly description: string
  /** Maximum bytes of a stream. */
  readonly maxBytes?: number
  /** Whether missing buckets are created; otherwise they are waited for, by a user without that permission. Default: true. */
  readonly makesBuckets?: boolean
}

const dedupe = nanos(120_000)
/** Server error code: a stream with this name and another definition exists. */
const streamExists = 10_058
/** Server error codes: the room that streams may take is more than the server has. */
const noRoom: ReadonlySet<number> = new Set([10_023, 10_047])
const defaultMaxBytes = 1024 ** 3

/** The error, with the remedy if the server has no room for a stream. */
const withRemedy = (error: unknown, stream: string, maxBytes: number): unknown =>
  error instanceof JetStreamApiError && noRoom.has(error.code)
    ? new Error(
        `nats-server has no room for the stream ${stream} of ${Math.round(maxBytes / 1024 ** 2)} MB (${error.message}): ` +
          "free space on the disk of its store, raise its max_file_store, or lower KANMON_STREAM_MEGABYTES",
        { cause: error }
      )
    : error

const make = Effect.fnUntraced(function* (options: NatsOptions) {
  const { makesBuckets = true } = options
  const { connection, inbox } = yield* open(options)
  const client: JetStreamClient = jetstream(connection, { timeout: requestMillis })
  const buckets = new Map<string, Bucket>()
  const kvm = new Kvm(client)
  const listeners = new Set<() => void>()
  const onReconnect: NatsBucket.OnReconnect = (listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const refused = yield* logRefusals
  const { denied, publish } = yield* NatsPublisher.make(connection, inbox)
  const listen = async (): Promise<void> => {
    for await (const status of connection.status()) {
      if (status.type === "reconnect") for (const listener of listeners) listener()
      if (status.type !== "error") continue
      refused(status.error)
      if (status.error instanceof PermissionViolationError) denied(status.error)
    }
  }
  // Ends with the connection.
  void listen()
  const manager: JetStreamManager = yield* ask(() => client.jetstreamManager())
  const log = Effect.runForkWith(yield* Effect.context())
  const readers = new Map<string, NatsReader.Reader>()
  const tellMissed = BusMetrics.teller()
  const readerOf = (stream: string): NatsReader.Reader => {
    const missed = (count: number): void =>
      void log(tellMissed(stream, count, "Increase the size of its streams (KANMON_STREAM_MEGABYTES) or add engines."))
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
      const maxBytes = options.maxBytes ?? defaultMaxBytes
      const config = {
        name,
        subjects: [...subjects],
        storage: StorageType.File,
        discard: DiscardPolicy.Old,
        max_age: nanos(maxAgeMillis),
        max_bytes: maxBytes,
        duplicate_window: dedupe
      }
      await manager.streams
        .add(config)
        .catch((error) => {
          if (!(error instanceof JetStreamApiError) || error.code !== streamExists) throw error
          return manager.streams.update(name, config)
        })
        .catch((error) => {
          throw withRemedy(error, name, maxBytes)
        })
      ensured.set(name, definition)
    })

  // After a restart the server may have lost its store, so the streams must be created again.
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
            NatsBucket.untilExists(kvm, name),
            NatsBucket.make(() => NatsBucket.openExisting(kvm, name), onReconnect)
          )
      return Effect.tap(opened, (made) => Effect.sync(() => buckets.set(name, made)))
    })

  // Many consumers start at once; the first one opens the bucket for all.
  const oneAtATime = Semaphore.makeUnsafe(1)
  const positions = NatsPositions.make(manager, oneAtATime.withPermit(Effect.suspend(() => bucket(positionBucket))))
  const saver = yield* NatsConsumer.saver

  const consume = <E, R>(
    options: ConsumeOptions,
    handle: (batch: ReadonlyArray<Incoming>) => Effect.Effect<void, E, R>
  ) =>
    NatsConsumer.take({ positions, readerOf, saver }, options, (messages, failures) =>
      handle(messages.map((message) => incoming(message, failures)))
    )

  const backlog: EventBus["Service"]["backlog"] = ({ stream, consumers }) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const { state } = yield* ask(() => manager.streams.info(stream))
        const left = yield* Effect.forEach(
          consumers,
          ({ durable, filter }) =>
            Effect.map(positions.of({ stream, durable }), ({ sequence }) => ({
              after: Math.max(sequence, positions.live({ stream, durable })),
              matches: matcher(filter)
            })),
          { concurrency: "unbounded" }
        )
        const first = Math.min(...left.map(({ after }) => after)) + 1
        // Messages leave a stream from the start, so if any is left, the last one is.
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
