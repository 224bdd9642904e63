/**
 * Follows the region's bucket of specs and configures the supervisor with the monitors assigned to this probe. A change
 * reaches its actor directly; after every (re)connection the bucket's keys reveal removed monitors.
 */
import { type Bucket, type BucketEntry, BusUnavailable } from "@kanmon/core/EventBus"
import type { Supervisor } from "@kanmon/core/Supervisor"
import type { MonitorId } from "@kanmon/domain/Ids"
import { MonitorSpec } from "@kanmon/domain/Monitor"
import type { Assignment } from "@kanmon/domain/Assignment"
import { Effect, Latch, Result, Schema, Semaphore, Stream } from "effect"

export interface Specs {
  /** Runs until interrupted. */
  readonly follow: (bucket: Bucket) => Effect.Effect<never>
  /** Applies a new assignment: takes over new monitors and releases the others. */
  readonly assignment: (assignment: Assignment) => Effect.Effect<void>
  /** Waits until the bucket has been read once. */
  readonly read: Effect.Effect<void>
  /** Monitors with an unreadable spec: they keep their old settings, or are not checked. */
  readonly unreadable: () => number
}

/** Other changes wait meanwhile, so requests to the bucket are limited in time. */
const within = <A>(asked: Effect.Effect<A, BusUnavailable>): Effect.Effect<A, BusUnavailable> =>
  Effect.timeoutOrElse(asked, {
    duration: "10 seconds",
    orElse: () => Effect.fail(new BusUnavailable({ detail: "the bucket of monitors did not answer within 10 seconds" }))
  })

const decodeSpec = Schema.decodeUnknownResult(Schema.fromJsonString(MonitorSpec))

export const make = (supervisor: Supervisor["Service"]): Specs => {
  const known = new Map<string, MonitorSpec>()
  const unreadable = new Set<string>()
  // Changes from the bucket and from the other probes are serialized.
  const turn = Semaphore.makeUnsafe(1)
  let isMine: Assignment = () => true
  const read = Latch.makeUnsafe(false)

  const settle = (spec: MonitorSpec): Effect.Effect<void> =>
    isMine(spec.id)
      ? supervisor.configure(spec)
      : // The running check may be the only one of its slot; its end is awaited in the background.
        Effect.asVoid(Effect.forkDetach(supervisor.release(spec.id), { startImmediately: true }))

  const forget = (key: string): Effect.Effect<void> => {
    known.delete(key)
    unreadable.delete(key)
    // A check that ends slowly must not delay changes of other monitors.
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
        // Removals that were missed while disconnected are found by comparing keys.
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
        Effect.catchCause((cause) => Effect.logWarning("The bus is down; monitors keep their settings", cause)),
        Effect.andThen(Effect.sleep("1 second")),
        Effect.forever
      ),
    assignment: (assignment) =>
      turn.withPermit(
        Effect.suspend(() => {
          isMine = assignment
          return Effect.forEach([...known.values()], settle, { discard: true })
        })
      )
  }
}
