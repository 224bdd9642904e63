/**
 * Follows the region's bucket of specs and keeps the supervisor at what falls to this probe: a change reaches its actor as it
 * comes, and after every (re)connection the bucket tells what is gone.
 */
import { type Bucket, type BucketEntry, BusUnavailable } from "@kanmon/core/EventBus"
import type { Supervisor } from "@kanmon/core/Supervisor"
import type { MonitorId } from "@kanmon/domain/Ids"
import { MonitorSpec } from "@kanmon/domain/Monitor"
import type { Share } from "@kanmon/domain/Share"
import { Effect, Latch, Result, Schema, Semaphore, Stream } from "effect"

export interface Specs {
  /** Runs until interrupted. */
  readonly follow: (bucket: Bucket) => Effect.Effect<never>
  /** Takes on what has fallen to this probe, and lets go of what has not any more. */
  readonly share: (share: Share) => Effect.Effect<void>
  /** Waits until what the bucket holds has been read once. */
  readonly read: Effect.Effect<void>
  /** Monitors whose spec cannot be read: they are watched as they were before, or not at all. */
  readonly unreadable: () => number
}

/** Nothing else is changed while the bucket is asked, so it is not waited for without an end. */
const within = <A>(asked: Effect.Effect<A, BusUnavailable>): Effect.Effect<A, BusUnavailable> =>
  Effect.timeoutOrElse(asked, {
    duration: "10 seconds",
    orElse: () => Effect.fail(new BusUnavailable({ detail: "the bucket of monitors did not answer within 10 seconds" }))
  })

const decodeSpec = Schema.decodeUnknownResult(Schema.fromJsonString(MonitorSpec))

export const make = (supervisor: Supervisor["Service"]): Specs => {
  const known = new Map<string, MonitorSpec>()
  const unreadable = new Set<string>()
  // The bucket and the other probes speak at the same time; what they change is one thing.
  const turn = Semaphore.makeUnsafe(1)
  let isMine: Share = () => true
  const read = Latch.makeUnsafe(false)

  const settle = (spec: MonitorSpec): Effect.Effect<void> =>
    isMine(spec.id)
      ? supervisor.configure(spec)
      : // The check in flight may be the only one of its slot; nobody here waits for its end.
        Effect.asVoid(Effect.forkDetach(supervisor.release(spec.id), { startImmediately: true }))

  const forget = (key: string): Effect.Effect<void> => {
    known.delete(key)
    unreadable.delete(key)
    // A check that takes its time to end keeps no other monitor's change waiting.
    return Effect.asVoid(Effect.forkDetach(supervisor.remove(key as MonitorId), { startImmediately: true }))
  }

  const apply = (bucket: Bucket, entry: BucketEntry): Effect.Effect<void, BusUnavailable> => {
    switch (entry._tag) {
      case "Put": {
        const spec = decodeSpec(entry.value)
        if (Result.isFailure(spec)) {
          unreadable.add(entry.key)
          return Effect.logWarning("A monitor's spec cannot be read").pipe(
            Effect.annotateLogs({ monitorId: entry.key, problem: spec.failure.message })
          )
        }
        unreadable.delete(entry.key)
        known.set(entry.key, spec.success)
        return settle(spec.success)
      }
      case "Delete":
        return forget(entry.key)
      case "Current":
        // What was removed while nobody listened is in no message; the bucket's keys tell.
        return Effect.flatMap(within(bucket.keys), (keys) => {
          const present = new Set(keys)
          return Effect.forEach(
            [...known.keys(), ...unreadable].filter((key) => !present.has(key)),
            forget,
            { discard: true }
          )
        }).pipe(Effect.andThen(read.open))
    }
  }

  return {
    read: read.await,
    unreadable: () => unreadable.size,
    follow: (bucket) =>
      bucket.watch.pipe(
        Stream.runForEach((entry) => turn.withPermit(Effect.suspend(() => apply(bucket, entry)))),
        Effect.catchCause((cause) => Effect.logWarning("The bus is away; monitors go on as they are", cause)),
        Effect.andThen(Effect.sleep("1 second")),
        Effect.forever
      ),
    share: (share) =>
      turn.withPermit(
        Effect.suspend(() => {
          isMine = share
          return Effect.forEach([...known.values()], settle, { discard: true })
        })
      )
  }
}
