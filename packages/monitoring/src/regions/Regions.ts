/**
 * The known regions: regions in the settings, and those that had a probe and were not closed since. Regions outlive
 * their probes: monitors keep them, and their buckets stay current for the next probe.
 */
import { type BucketEntry, type BusUnavailable, EventBus } from "@kanmon/core/EventBus"
import { probeBucket } from "@kanmon/domain/Subjects"
import { ProbeRegionRepository } from "./ProbeRegionRepository.ts"
import { Context, Effect, Layer, Queue, Schedule, Stream, SubscriptionRef } from "effect"

/**
 * How long an announcement of a probe is valid, in milliseconds. Other probes take over the monitors of a dead probe within
 * this time; a probe that is considered dead too early only causes duplicate checks.
 */
export const announcementTtl = 5000

interface KnownRegions {
  /** Labels, sorted. */
  readonly labels: ReadonlyArray<string>
  /** Probes alive in each region. */
  readonly probes: Readonly<Record<string, number>>
  /** Their ids, sorted, by region. */
  readonly probeIds: Readonly<Record<string, ReadonlyArray<string>>>
}

export class Regions extends Context.Service<Regions>()("@kanmon/monitoring/regions/Regions", {
  make: (configured: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const bus = yield* EventBus
      const bucket = yield* bus.bucket(probeBucket, { ttlMillis: announcementTtl })
      const known = yield* ProbeRegionRepository
      const alive = new Set<string>()
      let remembered = yield* known.seen([])
      const present = () => describe([...configured, ...remembered], alive)
      const state = yield* SubscriptionRef.make(present())
      const tell = Effect.suspend(() => SubscriptionRef.set(state, present()))

      const arrived = yield* Queue.sliding<void>(1)
      const apply = Effect.fnUntraced(function* (entry: BucketEntry) {
        if (entry._tag === "Current") return
        if (entry._tag === "Put") alive.add(entry.key)
        else alive.delete(entry.key)
        yield* tell
        if (Object.keys(present().probes).some((label) => !remembered.includes(label)))
          yield* Queue.offer(arrived, undefined)
      })
      // Expired values send no message, so the keys are also polled.
      const refresh = Effect.gen(function* () {
        const keys = yield* bucket.keys
        alive.clear()
        for (const key of keys) alive.add(key)
        yield* tell
        remembered = yield* known.seen(Object.keys(present().probes))
        yield* tell
      })
      yield* bucket.watch.pipe(Stream.runForEach(apply), Effect.retry(Schedule.spaced("1 second")), Effect.forkScoped)
      // A failure of the bus or the database is retried in the next round.
      yield* Effect.ignoreCause(refresh).pipe(
        Effect.andThen(Effect.raceFirst(Queue.take(arrived), Effect.sleep("10 seconds"))),
        Effect.forever,
        Effect.forkScoped
      )

      return {
        current: SubscriptionRef.get(state),
        /** The current state, then each change. */
        changes: Stream.changesWith(
          SubscriptionRef.changes(state),
          (left, right) => JSON.stringify(left) === JSON.stringify(right)
        )
      }
    })
}) {
  /** `configured` are accepted whether or not they ever had a probe. */
  static readonly layer = (
    configured: ReadonlyArray<string>
  ): Layer.Layer<Regions, BusUnavailable, EventBus | ProbeRegionRepository> =>
    Layer.effect(Regions, Regions.make(configured))
}

const describe = (configured: ReadonlyArray<string>, alive: ReadonlySet<string>): KnownRegions => {
  const probes: Record<string, number> = {}
  const probeIds: Record<string, Array<string>> = {}
  for (const key of [...alive].sort()) {
    const end = key.indexOf(".")
    const region = key.slice(0, end)
    probes[region] = (probes[region] ?? 0) + 1
    ;(probeIds[region] ??= []).push(key.slice(end + 1))
  }
  return { labels: [...new Set([...configured, ...Object.keys(probes)])].sort(), probes, probeIds }
}
