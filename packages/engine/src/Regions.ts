/**
 * Which regions there are: those the settings name, and those whose probes are alive. A region that appears gets its
 * monitors; one that goes keeps its bucket, for the next probe that comes.
 */
import { type BucketEntry, type BusUnavailable, EventBus } from "@kanmon/core/EventBus"
import { probeBucket } from "@kanmon/domain/Subjects"
import { Context, Effect, Layer, Schedule, Stream, SubscriptionRef } from "effect"

/**
 * How long an announcement of a probe lasts, in milliseconds. It is within this time that the monitors of a dead probe are taken over;
 * one that is thought dead too early costs no more than checks that are made twice.
 */
export const announcementTtl = 5000

export interface KnownRegions {
  /** Labels, sorted. */
  readonly labels: ReadonlyArray<string>
  /** Probes alive in each region. */
  readonly probes: Readonly<Record<string, number>>
  /** Their ids, sorted, by region. */
  readonly probeIds: Readonly<Record<string, ReadonlyArray<string>>>
}

export class Regions extends Context.Service<
  Regions,
  {
    readonly current: Effect.Effect<KnownRegions>
    /** The present state, then each change. */
    readonly changes: Stream.Stream<KnownRegions>
  }
>()("@kanmon/engine/Regions") {
  /** `configured` are accepted whether or not a probe of theirs is alive. */
  static readonly layer = (configured: ReadonlyArray<string>): Layer.Layer<Regions, BusUnavailable, EventBus> =>
    Layer.effect(
      Regions,
      Effect.gen(function* () {
        const bus = yield* EventBus
        const bucket = yield* bus.bucket(probeBucket, { ttlMillis: announcementTtl })
        const alive = new Set<string>()
        const state = yield* SubscriptionRef.make(describe(configured, alive))

        const apply = (entry: BucketEntry) => {
          if (entry._tag === "Current") return Effect.void
          if (entry._tag === "Put") alive.add(entry.key)
          else alive.delete(entry.key)
          return SubscriptionRef.set(state, describe(configured, alive))
        }
        // A value that expires sends no message, so the keys are also read again now and then.
        const refresh = bucket.keys.pipe(
          Effect.flatMap((keys) => {
            alive.clear()
            for (const key of keys) alive.add(key)
            return SubscriptionRef.set(state, describe(configured, alive))
          }),
          Effect.ignore,
          Effect.repeat(Schedule.spaced("10 seconds"))
        )
        yield* bucket.watch.pipe(Stream.runForEach(apply), Effect.retry(Schedule.spaced("1 second")), Effect.forkScoped)
        yield* Effect.forkScoped(refresh)

        return Regions.of({
          current: SubscriptionRef.get(state),
          changes: Stream.changesWith(
            SubscriptionRef.changes(state),
            (left, right) => JSON.stringify(left) === JSON.stringify(right)
          )
        })
      })
    )
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
