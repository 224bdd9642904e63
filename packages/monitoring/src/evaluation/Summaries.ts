/** The last 24 hours of every monitor, measured now and then, so that lists can be sorted by them without reading histories. */
import type { MonitorId } from "@kanmon/domain/Ids"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { percent } from "@kanmon/domain/Uptime"
import { Clock, Context, Effect, Layer } from "effect"
import { RollupRepository } from "./RollupRepository.ts"
import { StatusHistory } from "./StatusHistory.ts"
import { SummaryRepository } from "./SummaryRepository.ts"

const pageSize = 500

export class Summaries extends Context.Service<Summaries>()("@kanmon/monitoring/evaluation/Summaries", {
  make: Effect.gen(function* () {
    const repository = yield* SummaryRepository
    const rollups = yield* RollupRepository
    const statusHistory = yield* StatusHistory

    /** Percent of the day before an instant; monitors without data have null, and unknown ones are missing. */
    const uptimes = Effect.fnUntraced(function* (ids: ReadonlyArray<MonitorId>, at: EpochMillis) {
      const monitors = yield* rollups.findMonitors(ids)
      const found = yield* statusHistory.upDown(monitors, at - dayMillis, at)
      return new Map(monitors.map(({ id }) => [id, percent(found.get(id)!)]))
    })

    /** Measures all monitors; returns how many. */
    const measure = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      let after = ""
      let count = 0
      for (;;) {
        const ids = yield* rollups.findMonitorIds(after, pageSize)
        if (ids.length === 0) return count
        const found = yield* uptimes(ids, now)
        yield* repository.save(
          Array.from(found, ([id, uptime]) => ({ id, uptime })),
          now
        )
        count += found.size
        after = ids.at(-1)!
      }
    }).pipe(Effect.withSpan("Summaries.measure"))

    return { measure, uptimes }
  })
}) {
  static readonly layer = Layer.effect(Summaries, Summaries.make)
}
