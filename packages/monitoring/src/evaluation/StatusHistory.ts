/** Reads a monitor's status history and measures it: closed days from their rollups, the rest entry by entry. Exact either way. */
import { knownUntil } from "@kanmon/domain/StatusEvaluation"
import type { MonitorState } from "@kanmon/domain/MonitorState"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { add, daysBetween, measure, none, overlay, type TimelineEntry, type UpDown } from "@kanmon/domain/Uptime"
import { Context, Effect, Layer } from "effect"
import { MaintenanceWindows } from "../maintenance/index.ts"
import { StatusHistoryRepository } from "./StatusHistoryRepository.ts"

/** The fields of a monitor that measuring needs. */
export interface MeasuredMonitor {
  readonly id: string
  /** For how long a result speaks. */
  readonly voteSeconds: number
  readonly regions: ReadonlyArray<string>
  readonly state: MonitorState
}

/** Up and down time of one UTC day. */
export interface MeasuredDay {
  /** `YYYY-MM-DD`. */
  readonly day: string
  readonly upDown: UpDown
}

export class StatusHistory extends Context.Service<
  StatusHistory,
  {
    /** The status histories over `[from, to)` with maintenance and unknown time distinguished. */
    readonly counted: (
      monitors: ReadonlyArray<MeasuredMonitor>,
      from: EpochMillis,
      to: EpochMillis
    ) => Effect.Effect<ReadonlyMap<string, ReadonlyArray<TimelineEntry>>>
    /** Up and down time of each UTC day that touches `[from, to)`, clipped to it. */
    readonly days: (
      monitors: ReadonlyArray<MeasuredMonitor>,
      from: EpochMillis,
      to: EpochMillis
    ) => Effect.Effect<ReadonlyMap<string, ReadonlyArray<MeasuredDay>>>
    /** Up and down time over `[from, to)`. */
    readonly upDown: (
      monitors: ReadonlyArray<MeasuredMonitor>,
      from: EpochMillis,
      to: EpochMillis
    ) => Effect.Effect<ReadonlyMap<string, UpDown>>
  }
>()("@kanmon/monitoring/evaluation/StatusHistory") {
  static readonly layer = Layer.effect(
    StatusHistory,
    Effect.gen(function* () {
      const repository = yield* StatusHistoryRepository
      const maintenance = yield* MaintenanceWindows

      const counted: StatusHistory["Service"]["counted"] = Effect.fnUntraced(function* (monitors, from, to) {
        const ids = monitors.map(({ id }) => id)
        const entries = yield* repository.entries(ids, from, to)
        const windows = yield* maintenance.between(ids, from, to)
        return new Map(
          monitors.map((monitor) => [
            monitor.id,
            overlay(entries.get(monitor.id) ?? [], knownUntilOf(monitor), windows.get(monitor.id))
          ])
        )
      })

      const days: StatusHistory["Service"]["days"] = Effect.fnUntraced(function* (monitors, from, to) {
        const spans = daysBetween(from, to)
        const ids = monitors.map(({ id }) => id)
        const rolled = yield* repository.rolledDays(ids, from, to)
        const isWhole = (id: string, day: (typeof spans)[number]): boolean =>
          day.to - day.from === dayMillis && day.from < (rolled.get(id)?.closedUntil ?? Number.NEGATIVE_INFINITY)
        const measured = new Map(ids.map((id) => [id, new Map<string, UpDown>()]))
        for (const { from: begin, to: end } of openRanges(spans, (day) => ids.some((id) => !isWhole(id, day)))) {
          const open = spans.filter((day) => day.from >= begin && day.to <= end)
          const unrolled = monitors.filter(({ id }) => open.some((day) => !isWhole(id, day)))
          const histories = yield* counted(unrolled, begin, end)
          for (const { id } of unrolled)
            for (const day of open)
              if (!isWhole(id, day)) measured.get(id)!.set(day.day, measure(histories.get(id) ?? [], day.from, day.to))
        }
        return new Map(
          ids.map((id) => [
            id,
            spans.map(({ day }) => ({ day, upDown: measured.get(id)!.get(day) ?? rolled.get(id)?.days[day] ?? none }))
          ])
        )
      })

      const upDown: StatusHistory["Service"]["upDown"] = (monitors, from, to) =>
        Effect.map(
          days(monitors, from, to),
          (found) =>
            new Map([...found].map(([id, own]) => [id, own.reduce<UpDown>((sum, day) => add(sum, day.upDown), none)]))
        )

      return StatusHistory.of({ counted, days, upDown })
    })
  )
}

/** Until when the newest vote speaks for the monitor. */
export const knownUntilOf = (monitor: MeasuredMonitor): EpochMillis =>
  knownUntil(monitor.state, { intervalMillis: monitor.voteSeconds * 1000, regions: monitor.regions })

/** The stretches of neighbouring spans that are open. */
const openRanges = <Span extends { readonly from: EpochMillis; readonly to: EpochMillis }>(
  spans: ReadonlyArray<Span>,
  isOpen: (span: Span) => boolean
): ReadonlyArray<{ readonly from: EpochMillis; readonly to: EpochMillis }> => {
  const ranges: Array<{ from: EpochMillis; to: EpochMillis }> = []
  for (const span of spans.filter(isOpen)) {
    const last = ranges.at(-1)
    if (last !== undefined && last.to === span.from) last.to = span.to
    else ranges.push({ from: span.from, to: span.to })
  }
  return ranges
}
