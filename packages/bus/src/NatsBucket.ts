/**
 * A bucket on NATS. If the server or the connection is lost, the bucket is created again and watchers are brought up to
 * date.
 */
import { type Bucket, type BucketEntry, BusUnavailable } from "@kanmon/core/EventBus"
import { JetStreamApiCodes, JetStreamApiError } from "@nats-io/jetstream"
import type { KV, Kvm, KvWatchEntry } from "@nats-io/kv"
import { Cause, Effect, Queue, Schedule, Stream } from "effect"
import { ask, unavailable } from "./NatsConnection.ts"

/** Calls the listener after each reconnect, until the returned function is called. */
export type OnReconnect = (listener: () => void) => () => void

/** `open` creates the bucket if it is missing. */
export const make = Effect.fnUntraced(function* (open: () => Promise<KV>, onReconnect: OnReconnect) {
  let kv = yield* ask(open)

  const call = <A>(body: (kv: KV) => Promise<A>): Effect.Effect<A, BusUnavailable> =>
    ask(() => body(kv)).pipe(
      // The server may have lost the bucket with its store: create it again, once.
      Effect.catch(() =>
        ask(async () => {
          kv = await open()
          return body(kv)
        })
      )
    )

  const bucket: Bucket = {
    put: (key, value) => call((it) => it.put(key, value)),
    get: (key) =>
      Effect.map(
        call((it) => it.get(key)),
        (entry) => ({
          value: entry?.operation === "PUT" ? entry.string() : undefined,
          revision: entry?.revision ?? 0,
          at: entry?.created.getTime() ?? null
        })
      ),
    remove: (key) =>
      call(async (it) => {
        // Skips the removal of a missing key, which would only add a marker to the bucket.
        const entry = await it.get(key)
        if (entry?.operation === "PUT") await it.delete(key)
      }),
    replace: (key, value, revision) =>
      call(async (it) => {
        try {
          if (value !== undefined) await it.put(key, value, { previousSeq: revision })
          else await it.delete(key, { previousSeq: revision })
          return true
        } catch (error) {
          if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamWrongLastSequence)
            return false
          throw error
        }
      }),
    keys: call(async (it) => {
      const keys: Array<string> = []
      for await (const key of await it.keys()) keys.push(key)
      return keys
    }),
    watch: Stream.suspend(() => {
      const told: Told = { keys: new Set(), current: false }
      return Stream.unwrap(watching(open, onReconnect, told)).pipe(Stream.retry(Schedule.spaced("1 second")))
    })
  }
  return bucket
})

/** The updates that a watcher has received, across its connections. */
interface Told {
  readonly keys: Set<string>
  current: boolean
}

/** One watch, until a reconnect, after which it may be a different bucket. */
const watching = Effect.fnUntraced(function* (open: () => Promise<KV>, onReconnect: OnReconnect, told: Told) {
  const queue = yield* Effect.acquireRelease(Queue.unbounded<BucketEntry, BusUnavailable>(), Queue.shutdown)
  const present = new Set<string>()
  let seen = 0
  let last = Number.POSITIVE_INFINITY
  let complete = false

  const settle = (): void => {
    if (complete || seen < last) return
    complete = true
    for (const key of [...told.keys].filter((one) => !present.has(one))) {
      told.keys.delete(key)
      Queue.offerUnsafe(queue, { _tag: "Delete", key, revision: last })
    }
    if (!told.current) Queue.offerUnsafe(queue, { _tag: "Current" })
    told.current = true
  }

  const tell = (entry: KvWatchEntry): void => {
    const { key, operation, revision } = entry
    seen = revision
    if (operation === "PUT") {
      present.add(key)
      told.keys.add(key)
      Queue.offerUnsafe(queue, { _tag: "Put", key, value: entry.string(), revision })
    } else {
      present.delete(key)
      if (told.keys.delete(key)) Queue.offerUnsafe(queue, { _tag: "Delete", key, revision })
    }
    settle()
  }

  const end = (detail: string): void => void Queue.failCauseUnsafe(queue, Cause.fail(new BusUnavailable({ detail })))

  yield* Effect.acquireRelease(
    Effect.sync(() => onReconnect(() => end("The connection was lost"))),
    (forget) => Effect.sync(forget)
  )
  const kv = yield* ask(open)
  const entries = yield* Effect.acquireRelease(
    ask(() => kv.watch()),
    (iterator) => Effect.sync(() => iterator.stop())
  )
  const follow = async (): Promise<void> => {
    for await (const entry of entries) tell(entry)
  }
  void follow().then(
    () => end("The watch ended"),
    (cause) => end(unavailable(cause).detail)
  )
  // Repeated, because the newest value may expire before it is delivered.
  const mark = Effect.map(
    ask(() => kv.status()),
    ({ streamInfo: { state } }) => {
      last = state.messages === 0 ? 0 : state.last_seq
      settle()
    }
  )
  yield* Effect.forkScoped(
    mark.pipe(Effect.ignore, Effect.andThen(Effect.sleep("200 millis")), Effect.repeat({ until: () => complete }))
  )
  return Stream.fromQueue(queue)
})

/** Server error code: no such stream, and so no such bucket. */
const streamNotFound = 10_059

/** Fails when the bucket does not exist; the client would notice only at the first request. */
export const openExisting = async (kvm: Kvm, name: string): Promise<KV> => {
  // The engine's buckets allow direct reads; without reading the bucket's settings the client would not use them.
  const kv = await kvm.open(name, { allow_direct: true })
  await kv.status()
  return kv
}

/** Waits only while the bucket is missing: a refusal would not go away. */
export const untilExists = (kvm: Kvm, name: string): Effect.Effect<void, BusUnavailable> =>
  Effect.suspend(() => {
    let said = false
    return Effect.tryPromise({ try: () => openExisting(kvm, name), catch: (cause) => cause }).pipe(
      Effect.tapError((cause) => {
        if (said || !isMissing(cause)) return Effect.void
        said = true
        return Effect.logInfo(`Waiting for the engine to create the bucket ${name}`)
      }),
      Effect.retry({ while: isMissing, schedule: Schedule.spaced("1 second") }),
      Effect.mapError(unavailable),
      Effect.tap(() => (said ? Effect.logInfo(`The bucket ${name} exists`) : Effect.void))
    )
  })

const isMissing = (cause: unknown): boolean => cause instanceof JetStreamApiError && cause.code === streamNotFound
