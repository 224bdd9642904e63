/**
 * Response times of a monitor over a window: raw when they are few, means of equal buckets when they are many. Windows that
 * begin before the oldest raw result are read from the hourly rollups.
 */
import type { MonitorId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer } from "effect"
import { hourMillis, wholeHours, withinHour } from "./Buckets.ts"
import { type ResponseTimePoint, ResponseTimeRepository, type ResponseTimeWindow } from "./ResponseTimeRepository.ts"

export class ResponseTimes extends Context.Service<
  ResponseTimes,
  {
    /** Points in `[from, to)`, oldest first, at most `limit` a region. */
    readonly read: (
      id: MonitorId,
      from: EpochMillis,
      to: EpochMillis,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ResponseTimePoint>>
  }
>()("@kanmon/monitoring/evaluation/ResponseTimes") {
  static readonly layer = Layer.effect(
    ResponseTimes,
    Effect.map(ResponseTimeRepository, (repository) => {
      const fromHours = Effect.fnUntraced(function* (window: ResponseTimeWindow, limit: number) {
        const widths = wholeHours(window.to - window.from, limit)
        const counts = yield* repository.countHourBuckets(window, widths)
        const width = widths[counts.findIndex((most) => most <= limit)] ?? widths.at(-1)!
        return yield* repository.hourMeans(window, width)
      })

      const read: ResponseTimes["Service"]["read"] = Effect.fnUntraced(function* (id, from, to, limit) {
        const window = { id, from, to }
        const { first, hours, most } = yield* repository.extent(window)
        const width = withinHour(hours ?? 0, limit)
        // An hour's mean says nothing of an instant.
        if (
          to - from >= hourMillis &&
          (width === undefined || (yield* repository.hasHoursBefore(id, from, first ?? to)))
        )
          return yield* fromHours(window, limit)
        return (most ?? 0) <= limit || width === undefined
          ? yield* repository.raw(window)
          : yield* repository.means(window, width)
      })

      return ResponseTimes.of({ read: (...window) => Effect.map(read(...window), (points) => points.map(rounded)) })
    })
  )
}

const rounded = (point: ResponseTimePoint): ResponseTimePoint => ({
  ...point,
  responseTime: Math.round(point.responseTime * 100) / 100
})
