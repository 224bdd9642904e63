/**
 * Keeps each region's bucket equal to what the store says its probes are to watch: change by change from the outbox, and
 * as a whole when this process starts or a region appears.
 */
import { type Bucket, type BucketEntry, type BusUnavailable, EventBus } from "@kanmon/core/EventBus"
import type { MonitorId } from "@kanmon/domain/Ids"
import { MonitorSpec } from "@kanmon/domain/Monitor"
import { specBucket } from "@kanmon/domain/Subjects"
import type { PlacedSpec } from "@kanmon/store/monitors/MonitorRow"
import { Monitors } from "@kanmon/store/monitors/Monitors"
import { Context, Effect, Layer, Schema, Semaphore, Stream } from "effect"

/** Puts under way at once: enough to hide the bus's latency. */
const concurrency = 64
const pageSize = 1000

export class SpecBuckets extends Context.Service<
  SpecBuckets,
  {
    /** Brings these monitors' entries up to date in these regions. */
    readonly update: (
      ids: ReadonlyArray<MonitorId>,
      regions: ReadonlyArray<string>
    ) => Effect.Effect<void, BusUnavailable>
    /** Brings a whole region's bucket up to date; returns how many entries it had to change. */
    readonly reconcile: (region: string) => Effect.Effect<number, BusUnavailable>
  }
>()("@kanmon/engine/SpecBuckets") {
  static readonly layer = Layer.effect(
    SpecBuckets,
    Effect.gen(function* () {
      const bus = yield* EventBus
      const monitors = yield* Monitors
      // One writer at a time: what one read from the store must not overwrite what another has put since.
      const writing = yield* Semaphore.make(1)

      const update = Effect.fn("SpecBuckets.update")(function* (
        ids: ReadonlyArray<MonitorId>,
        regions: ReadonlyArray<string>
      ) {
        const specs = new Map((yield* monitors.specs(ids)).map((placed) => [placed.spec.id, placed]))
        for (const region of regions) {
          const bucket = yield* bus.bucket(specBucket(region))
          yield* Effect.forEach(
            ids,
            (id) => {
              const placed = specs.get(id)
              return placed !== undefined && belongs(placed, region)
                ? bucket.put(id, encode(placed.spec))
                : bucket.remove(id)
            },
            { concurrency, discard: true }
          )
        }
      }, writing.withPermits(1))

      const reconcile = Effect.fn("SpecBuckets.reconcile")(function* (region: string) {
        const bucket = yield* bus.bucket(specBucket(region))
        const present = yield* snapshot(bucket)
        let changed = 0
        let after: MonitorId | undefined
        do {
          const page = yield* monitors.allSpecs(after, pageSize)
          const stale = page.filter(
            (placed) => belongs(placed, region) && present.get(placed.spec.id) !== encode(placed.spec)
          )
          for (const placed of page) if (belongs(placed, region)) present.delete(placed.spec.id)
          yield* Effect.forEach(stale, ({ spec }) => bucket.put(spec.id, encode(spec)), { concurrency, discard: true })
          changed += stale.length
          after = page.length < pageSize ? undefined : page.at(-1)!.spec.id
        } while (after !== undefined)
        // What is left belongs to monitors that are gone, paused or moved.
        yield* Effect.forEach(present.keys(), (id) => bucket.remove(id), { concurrency, discard: true })
        return changed + present.size
      }, writing.withPermits(1))

      return SpecBuckets.of({ update, reconcile })
    })
  )
}

const belongs = ({ regions }: PlacedSpec, region: string): boolean => regions.length === 0 || regions.includes(region)

const encodeSpec = Schema.encodeSync(MonitorSpec)
const encode = (spec: MonitorSpec): string => JSON.stringify(encodeSpec(spec))

const snapshot = (bucket: Bucket): Effect.Effect<Map<string, string>, BusUnavailable> =>
  bucket.watch.pipe(
    Stream.takeWhile((entry) => entry._tag !== "Current"),
    Stream.runFold(
      () => new Map<string, string>(),
      (values, entry: BucketEntry) => {
        if (entry._tag === "Put") values.set(entry.key, entry.value)
        else if (entry._tag === "Delete") values.delete(entry.key)
        return values
      }
    )
  )
