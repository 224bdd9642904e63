/** Keeps the probes' specs current: single changes from the outbox, and whole regions when they appear or fall behind. */
import { Cause, Effect, Layer, Schedule, Stream } from "effect"
import { SpecUpdates } from "@kanmon/platform/outbox/SpecUpdates"
import { Regions } from "../regions/index.ts"
import { SpecBuckets } from "./SpecBuckets.ts"

/** Writes changed specs to the buckets of all regions. */
export const layerUpdates = Layer.effect(
  SpecUpdates,
  Effect.gen(function* () {
    const regions = yield* Regions
    const buckets = yield* SpecBuckets
    return (ids) => Effect.flatMap(regions.current, ({ labels }) => buckets.update(ids, labels))
  })
)

/** Writes the whole bucket of every region at the start, and of each region that appears. A failing one does not delay others. */
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

/** Follows the regions. */
export const layer: Layer.Layer<never, never, Regions | SpecBuckets> = Layer.effectDiscard(Effect.forkScoped(follow))
