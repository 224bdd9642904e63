/**
 * How probes learn of monitors, in order: a change names its monitors in its transaction; after the commit, the relay of the
 * outbox has their specs written to the buckets of their regions, which the probes follow; regions that appear or fell behind
 * get their whole bucket.
 */
import { Cause, Context, Effect, Layer, Schedule, Stream } from "effect"
import { Outbox } from "@kanmon/platform/outbox/Outbox"
import { SpecPublisher } from "@kanmon/platform/outbox/SpecPublisher"
import { Regions } from "../regions/index.ts"
import { SpecBuckets } from "./SpecBuckets.ts"

export class SpecUpdates extends Context.Service<SpecUpdates>()("@kanmon/monitoring/specs/SpecUpdates", {
  make: Effect.map(Outbox, ({ appendSpecs }) => ({
    /**
     * Sends the specs of these monitors to the probes, once the transaction is committed. The probes get them as they are then:
     * monitors that are paused or deleted leave the buckets. Belongs to every change of what `SpecRepository` reads.
     */
    append: appendSpecs
  }))
}) {
  /** 1. In the transaction of a change. */
  static readonly layer = Layer.effect(SpecUpdates, SpecUpdates.make)

  /** 2. After the commit, called by the relay of the outbox: at least once, in the order of the changes of each monitor. */
  static readonly layerPublisher = Layer.effect(
    SpecPublisher,
    Effect.gen(function* () {
      const regions = yield* Regions
      const buckets = yield* SpecBuckets
      return (ids) => Effect.flatMap(regions.current, ({ labels }) => buckets.update(ids, labels))
    })
  )

  /** 3. Beside the changes: regions that appear or fell behind. */
  static readonly layerRegions: Layer.Layer<never, never, Regions | SpecBuckets> = Layer.effectDiscard(
    Effect.suspend(() => Effect.forkScoped(follow))
  )
}

/**
 * Writes the whole bucket of every region at the start, of each region that appears, and of those that fell behind. A region
 * that fails does not delay others.
 */
const follow = Effect.gen(function* () {
  const regions = yield* Regions
  const buckets = yield* SpecBuckets
  const begun = new Set<string>()
  const bring = (region: string) => {
    let reported = ""
    return buckets.reconcile(region).pipe(
      Effect.tap((changed) => Effect.logDebug("Region reconciled").pipe(Effect.annotateLogs({ region, changed }))),
      Effect.sandbox,
      Effect.tapError((cause) => {
        const reason = String(Cause.squash(cause))
        if (reason === reported) return Effect.void
        reported = reason
        return Effect.annotateLogs(Effect.logWarning("The specs of a region could not be updated; it is tried again"), {
          region,
          reason
        })
      }),
      Effect.retry(patience)
    )
  }
  yield* Effect.forkScoped(
    Effect.forever(
      Effect.andThen(
        Effect.sleep("10 seconds"),
        buckets.behind.pipe(
          Effect.flatMap((all) =>
            Effect.forEach(all, (region) => Effect.ignoreCause(buckets.reconcile(region)), { discard: true })
          ),
          Effect.ignoreCause
        )
      )
    )
  )
  return yield* Stream.runForEach(regions.changes, ({ labels }) => {
    // A closed region misses changes, so it is reconciled when it comes back.
    for (const region of begun) if (!labels.includes(region)) begun.delete(region)
    return Effect.forEach(
      labels.filter((label) => !begun.has(label)),
      (region) => {
        begun.add(region)
        return Effect.forkScoped(bring(region))
      },
      { discard: true }
    )
  })
})

const patience = Schedule.min([Schedule.exponential("2 seconds"), Schedule.spaced("30 seconds")])
