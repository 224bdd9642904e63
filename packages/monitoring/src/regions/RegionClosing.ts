/** Closing a region that has no probes any more. */
import { Clock, Data, Effect } from "effect"
import { ProbeRegionRepository } from "./ProbeRegionRepository.ts"

/** The region stays open; the message says why. */
class RegionNotClosed extends Data.TaggedError("RegionNotClosed")<{ readonly message: string }> {}

/** Longer than a dead probe can still seem alive. */
const quietMillis = 60_000
const maxNamed = 10

const refuse = (message: string) => new RegionNotClosed({ message })

/** Refuses a region with a live probe and, without `force`, one that some monitors are checked from alone. */
export const close = Effect.fn("RegionClosing.close")(function* (label: string, force: boolean) {
  const regions = yield* ProbeRegionRepository
  const region = (yield* regions.list).find((one) => one.label === label)
  if (region === undefined) return yield* refuse(`There is no region ${label}; kanmon region list shows them`)
  const silence = (yield* Clock.currentTimeMillis) - region.lastSeenAt
  if (silence < quietMillis)
    return yield* refuse(
      `A probe of ${label} was alive ${Math.round(silence / 1000)} s ago. Stop its probes and try again in a minute`
    )
  const bound = yield* regions.bound(label, maxNamed)
  if (bound.length > 0 && !force) {
    const named = bound.map(({ id, projectId }) => `${id} (${projectId})`).join(", ")
    const more = bound.length === maxNamed ? " and perhaps others" : ""
    return yield* refuse(
      `Monitors are checked from ${label} alone: ${named}${more}. Give them other regions, or close it with --force, which ends their checks`
    )
  }
  yield* regions.close(label)
})
