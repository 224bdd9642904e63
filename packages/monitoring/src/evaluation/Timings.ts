/**
 * Response times by phase, over windows of any length: closed hours and days as sketches that can be merged, the rest from
 * observations. Filling is idempotent, and goes back for observations that arrive late.
 */
import type { MonitorId } from "@kanmon/domain/Ids"
import { merge, type Sketch } from "@kanmon/domain/Sketch"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { Transaction } from "@kanmon/platform/Transaction"
import { hourMillis } from "./Buckets.ts"
import { type Phase, phases, TimingRepository, type TimingRow } from "./TimingRepository.ts"

/** A period is closed this long after its end: late observations have arrived by then. */
const graceMillis = 300_000
/** Hours that are filled at a time, each in a transaction of its own. After an upgrade, the past follows bit by bit. */
const hoursAtOnce = 24
/** How far back hours are filled, and how long they are kept. Days are computed from hours, so hours are kept for longer. */
const filledDays = 31
const keptHourDays = 33
const keptDays = 401
/** Windows up to this long are read by the hour. */
const hourlyDays = 14
/** Hours that are read from observations, if they are not filled yet. */
const openHours = 3

interface TimingReport {
  readonly from: EpochMillis
  readonly to: EpochMillis
  readonly resolution: "hour" | "day"
  readonly overall: Readonly<Record<Phase, Sketch>>
  readonly points: ReadonlyArray<{ readonly at: EpochMillis; readonly sketches: Readonly<Record<Phase, Sketch>> }>
}

export class Timings extends Context.Service<Timings>()("@kanmon/monitoring/evaluation/Timings", {
  make: Effect.gen(function* () {
    const repository = yield* TimingRepository
    const transaction = yield* Transaction

    const fillHour = Effect.fnUntraced(function* (now: EpochMillis) {
      if (!(yield* repository.tryLock)) return false
      const begun = (yield* repository.progress("timing_hour")) ?? (yield* repository.findFirstObservation)
      if (begun === undefined) return false
      const hour = floor(Math.max(begun, now - filledDays * dayMillis), hourMillis)
      if (hour + hourMillis > now - graceMillis) return false
      yield* repository.fillHours(hour, hour + hourMillis)
      yield* repository.saveProgress("timing_hour", hour + hourMillis)
      return true
    })

    const fillDay = Effect.fnUntraced(function* (now: EpochMillis) {
      if (!(yield* repository.tryLock)) return false
      const hours = yield* repository.progress("timing_hour")
      const begun = (yield* repository.progress("timing_day")) ?? (yield* repository.findFirstObservation)
      if (hours === undefined || begun === undefined) return false
      const day = floor(Math.max(begun, now - filledDays * dayMillis), dayMillis)
      if (day + dayMillis > hours) return false
      yield* repository.fillDay(day, day + dayMillis)
      yield* repository.saveProgress("timing_day", day + dayMillis)
      return true
    })

    /** Fills closed hours and days; returns how many. One process at a time. */
    const fill = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      let hours = 0
      while (hours < hoursAtOnce && (yield* transaction.run(fillHour(now)))) hours++
      let days = 0
      while (days <= filledDays && (yield* transaction.run(fillDay(now)))) days++
      return { hours, days }
    }).pipe(Effect.withSpan("Timings.fill"))

    /** The whole hours or days that touch `[from, to)`, optionally for one region. */
    const read = Effect.fn("Timings.read")(function* (
      id: MonitorId,
      from: EpochMillis,
      to: EpochMillis,
      region: string | undefined
    ) {
      const now = yield* Clock.currentTimeMillis
      const isHourly = to - from <= hourlyDays * dayMillis && from >= now - filledDays * dayMillis
      const width = isHourly ? hourMillis : dayMillis
      const begin = floor(from, width)
      const end = Math.max(begin + width, Math.ceil(Math.min(to, now) / width) * width)
      const hoursUntil = floor((yield* repository.progress("timing_hour")) ?? 0, hourMillis)
      const daysUntil = isHourly
        ? begin
        : Math.max(begin, floor((yield* repository.progress("timing_day")) ?? 0, dayMillis))
      const open = Math.max(begin, hoursUntil, floor(now, hourMillis) - openHours * hourMillis)
      const parts = [
        ...(begin < daysUntil ? [repository.days({ id, region, from: begin, to: Math.min(end, daysUntil) })] : []),
        ...(daysUntil < Math.min(end, hoursUntil)
          ? [repository.hours({ id, region, from: daysUntil, to: Math.min(end, hoursUntil) })]
          : []),
        ...(open < end ? [repository.observed({ id, region, from: open, to: end })] : [])
      ]
      const rows = (yield* Effect.all(parts)).flat()
      const byPeriod = Map.groupBy(rows, ({ at }) => floor(at, width))
      const report: TimingReport = {
        from: begin,
        to: end,
        resolution: isHourly ? "hour" : "day",
        overall: merged(rows),
        points: [...byPeriod].map(([at, own]) => ({ at, sketches: merged(own) }))
      }
      return report
    })

    /** Deletes what is older than any window that can be asked for. */
    const expire = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      repository.deleteBefore(now - keptHourDays * dayMillis, now - keptDays * dayMillis)
    )

    return { fill, read, expire }
  })
}) {
  static readonly layer = Layer.effect(Timings, Timings.make).pipe(Layer.provide(TimingRepository.layer))
}

const floor = (at: EpochMillis, width: number): EpochMillis => Math.floor(at / width) * width

const merged = (rows: ReadonlyArray<TimingRow>): Readonly<Record<Phase, Sketch>> => {
  const of = (phase: Phase): Sketch => merge(rows.flatMap(({ sketches }) => sketches[phase] ?? []))
  const [responseTime, dns, connect, tls, firstByte, download] = phases
  return {
    responseTime: of(responseTime),
    dns: of(dns),
    connect: of(connect),
    tls: of(tls),
    firstByte: of(firstByte),
    download: of(download)
  }
}
