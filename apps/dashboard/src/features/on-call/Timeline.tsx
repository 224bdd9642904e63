/** Two weeks of a schedule: the final shifts and each layer. A picture; the list of shifts says the same. */
import { formatLocale, t } from "../../locales/text.ts"
import type { Shifts } from "./queries.ts"
import type { Badge } from "./timeline.ts"
import { DayHeads, Track } from "./Track.tsx"

const labelClass = "truncate pe-3 text-small max-sm:col-span-2 max-sm:pt-1.5"

export const Timeline = ({
  badges,
  edges,
  nameOf,
  now,
  shifts
}: {
  readonly shifts: Shifts
  readonly edges: ReadonlyArray<number>
  readonly now: number
  readonly badges: ReadonlyMap<string, Badge>
  readonly nameOf: (userId: string) => string
}) => {
  const days = { edges, now, badges, nameOf }
  const format = new Intl.DateTimeFormat(formatLocale(), { weekday: "narrow" })
  return (
    <div
      aria-hidden="true"
      className="grid grid-cols-[8.5rem_minmax(0,1fr)] items-center max-sm:grid-cols-1"
      data-timeline
    >
      <span className="max-sm:hidden" />
      <div className="border-b border-line">
        <DayHeads edges={edges} now={now} format={format} />
      </div>
      <span className={`${labelClass} font-medium`}>{t("On call")}</span>
      <Track {...days} shifts={shifts.shifts} gaps={shifts.gaps} isMain />
      {shifts.layers.toReversed().map(({ name, shifts }) => (
        <div key={name} className="contents">
          <span className={`${labelClass} text-soft`}>{name}</span>
          <div className="border-t border-line">
            <Track {...days} shifts={shifts} />
          </div>
        </div>
      ))}
    </div>
  )
}

/** The final shifts of a month, week by week. A picture as well. */
export const Month = ({
  badges,
  nameOf,
  now,
  shifts,
  weeks
}: {
  readonly shifts: Shifts
  readonly weeks: ReadonlyArray<ReadonlyArray<number>>
  readonly now: number
  readonly badges: ReadonlyMap<string, Badge>
  readonly nameOf: (userId: string) => string
}) => (
  <div aria-hidden="true" className="flex flex-col" data-month>
    {weeks.map((edges, week) => (
      <div key={edges[0]} className="border-b border-line pb-1">
        <DayHeads
          edges={edges}
          now={now}
          format={week === 0 ? new Intl.DateTimeFormat(formatLocale(), { weekday: "short" }) : undefined}
        />
        <Track
          edges={edges}
          now={now}
          badges={badges}
          nameOf={nameOf}
          shifts={shifts.shifts}
          gaps={shifts.gaps}
          isMain
        />
      </div>
    ))}
  </div>
)
