/** The daily partitions of observations: made ahead of time, dropped whole when retention has passed. */
import { dayMillis, type EpochMillis, floorDay, utcDay } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { Transaction } from "@kanmon/platform/Transaction"
import { beginOf, PartitionRepository } from "./PartitionRepository.ts"
import { ResultBlockRepository } from "./ResultBlockRepository.ts"

const daysAhead = 2
const daysBehind = 1
/** A day is closed this long after its end: most late results have arrived by then. Its results move into blocks. */
export const closedAfterMillis = 7_200_000

export class Partitions extends Context.Service<Partitions>()("@kanmon/monitoring/evaluation/Partitions", {
  make: Effect.gen(function* () {
    const repository = yield* PartitionRepository
    const blocks = yield* ResultBlockRepository
    const transaction = yield* Transaction

    /** Makes the partitions of these days, where they are missing. */
    const makeDays = Effect.fnUntraced(function* (wanted: ReadonlyArray<string>) {
      const present = new Set(yield* repository.days)
      for (const day of wanted) if (!present.has(day)) yield* repository.create(day)
    })

    /** Makes the partitions of the next days and drops those past retention. One process at a time. */
    const keep = Effect.fnUntraced(
      function* (retentionDays: number) {
        const now = yield* Clock.currentTimeMillis
        yield* repository.lock
        const present = yield* repository.days
        const wanted = nextDays(now).filter((day) => !present.includes(day))
        for (const day of wanted) yield* repository.create(day)

        const oldest = now - retentionDays * dayMillis
        const expired = present.filter((day) => day < dayOf(oldest))
        for (const day of expired) yield* repository.drop(day)
        yield* repository.deleteDefaultBefore(oldest)
        yield* blocks.deleteBefore(oldest)
        return { made: wanted.length, dropped: expired.length }
      },
      (effect) => transaction.run(effect)
    )

    return {
      keep,
      /** The beginnings of the days before an instant that have a partition. */
      closed: (before: EpochMillis) =>
        Effect.map(repository.days, (days) => days.map(beginOf).filter((begin) => begin + dayMillis <= before)),
      /** Drops the partition of a day that ended, if it is empty. It stays while that would make others wait. */
      dropEmpty: (day: EpochMillis) => repository.dropEmpty(dayOf(day)),
      /** The days that have a partition, as `YYYYMMDD`, oldest first. */
      days: repository.days,
      makeDays
    }
  })
}) {
  /** Needs nothing but the database, for exports and imports, which run without the other services. */
  static readonly layer = Layer.effect(Partitions, Partitions.make).pipe(
    Layer.provide([PartitionRepository.layer, ResultBlockRepository.layer, Transaction.layer])
  )
}

const dayOf = (at: EpochMillis): string => utcDay(at).replaceAll("-", "")

const nextDays = (now: EpochMillis): ReadonlyArray<string> =>
  Array.from({ length: daysBehind + daysAhead + 1 }, (_, index) => now + (index - daysBehind) * dayMillis)
    // The partition of a closed day is dropped once it is empty.
    .filter((at) => floorDay(at) + dayMillis > now - closedAfterMillis)
    .map(dayOf)
