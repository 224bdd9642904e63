/** A bucket of the in-process bus. Removed and expired values keep their revision, as on NATS. */
import type { Bucket, BucketEntry, BucketValue } from "@kanmon/core/EventBus"
import { Clock, Effect, Queue, Stream } from "effect"

interface Value {
  /** Undefined when it was removed or has expired; the revision is kept. */
  readonly text: string | undefined
  readonly revision: number
  readonly at: number
  readonly expires: number
}

export const make = (ttlMillis: number | undefined): Bucket => {
  const values = new Map<string, Value>()
  const watchers = new Set<Queue.Queue<BucketEntry>>()
  let revision = 0

  const present = Effect.map(Clock.currentTimeMillis, (now) => {
    for (const [key, value] of values) {
      if (value.expires <= now && value.text !== undefined) values.set(key, { ...value, text: undefined })
    }
    return values
  })
  const tell = (entry: BucketEntry): void => {
    for (const watcher of watchers) Queue.offerUnsafe(watcher, entry)
  }
  const put = (key: string, value: string): Effect.Effect<number> =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      revision++
      values.delete(key)
      const expires = ttlMillis === undefined ? Number.POSITIVE_INFINITY : now + ttlMillis
      values.set(key, { text: value, revision, at: now, expires })
      tell({ _tag: "Put", key, value, revision })
      return revision
    })
  const get = (key: string): Effect.Effect<BucketValue> =>
    Effect.map(present, (all) => {
      const found = all.get(key)
      return { value: found?.text, revision: found?.revision ?? 0, at: found?.at ?? null }
    })
  const remove = (key: string): Effect.Effect<void> =>
    Effect.zipWith(get(key), Clock.currentTimeMillis, ({ value }, at) => {
      if (value === undefined) return
      revision++
      values.set(key, { text: undefined, revision, at, expires: Number.POSITIVE_INFINITY })
      tell({ _tag: "Delete", key, revision })
    })

  return {
    put,
    get,
    remove,
    replace: (key, value, since) =>
      Effect.flatMap(get(key), (now) => {
        if (now.revision !== since) return Effect.succeed(false)
        return Effect.as<boolean>(true)(value === undefined ? remove(key) : put(key, value))
      }),
    keys: Effect.map(present, (all) => [...all].flatMap(([key, { text }]) => (text === undefined ? [] : [key]))),
    watch: Stream.unwrap(
      Effect.gen(function* () {
        const all = yield* present
        const queue = yield* Effect.acquireRelease(Queue.unbounded<BucketEntry>(), (queue) =>
          Effect.andThen(
            Effect.sync(() => watchers.delete(queue)),
            Queue.shutdown(queue)
          )
        )
        for (const [key, { revision, text }] of all) {
          if (text !== undefined) Queue.offerUnsafe(queue, { _tag: "Put", key, value: text, revision })
        }
        Queue.offerUnsafe(queue, { _tag: "Current" })
        watchers.add(queue)
        return Stream.fromQueue(queue)
      })
    )
  }
}
