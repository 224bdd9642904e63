/** Shifts on days, as a picture; the list of shifts beside it has the same content as text. */
import { classes } from "../../ui/classes.ts"
import { personSurface, toneClass } from "./Badge.tsx"
import type { Gap, Shift } from "./queries.ts"
import { type Badge, placed, positionOf, spanOf } from "./timeline.ts"

interface Days {
  /** The midnights that begin the days, and the one that ends the last. */
  readonly edges: ReadonlyArray<number>
  readonly now: number
}

/** Per cent of two weeks in which initials have room. */
const narrowest = 3.2
const narrowestOnPhone = 9

const isWeekend = (at: number): boolean => [0, 6].includes(new Date(at).getDay())

const columnsOf = ({ edges, now }: Days) =>
  edges.slice(0, -1).map((from, index) => ({ from, isToday: now >= from && now < edges[index + 1]! }))

/** The names of the days above the tracks. */
export const DayHeads = ({
  edges,
  format,
  now
}: Days & {
  /** Undefined where the weekdays stand above already. */
  readonly format: Intl.DateTimeFormat | undefined
}) => (
  <div className="grid auto-cols-fr grid-flow-col">
    {columnsOf({ edges, now }).map(({ from, isToday }) => (
      <div
        key={from}
        className={classes(
          "flex min-w-0 flex-col items-center border-s border-line py-1 text-xs first:border-s-0",
          isToday ? "font-semibold text-accent" : "text-soft"
        )}
      >
        {format !== undefined && <span className="truncate">{format.format(from)}</span>}
        <span className="text-small tabular-nums">{new Date(from).getDate()}</span>
      </div>
    ))}
  </div>
)

const none: ReadonlyArray<Gap> = []

const gapClass =
  "is-degraded border border-dashed border-(--tone) bg-[repeating-linear-gradient(135deg,color-mix(in_srgb,var(--tone)_28%,transparent)_0_4px,transparent_4px_8px)]"

/** One row of shifts. */
export const Track = ({
  badges,
  edges,
  gaps = none,
  isMain = false,
  nameOf,
  now,
  shifts
}: Days & {
  readonly shifts: ReadonlyArray<Shift>
  readonly gaps?: ReadonlyArray<Gap>
  readonly badges: ReadonlyMap<string, Badge>
  readonly nameOf: (userId: string) => string
  /** The row that counts: higher, and with names. */
  readonly isMain?: boolean
}) => {
  const span = spanOf(edges)
  const line = positionOf(now, span)
  return (
    <div className={classes("relative overflow-hidden", isMain ? "h-11" : "h-7")}>
      <div className="absolute inset-0 grid auto-cols-fr grid-flow-col">
        {columnsOf({ edges, now }).map(({ from, isToday }) => (
          <div
            key={from}
            className={classes(
              "border-s border-line first:border-s-0",
              isToday ? "bg-accent/8" : isWeekend(from) && "bg-ink/3"
            )}
          />
        ))}
      </div>
      {placed(gaps, span).map(({ item, start, width }) => (
        <div
          key={item.from}
          data-gap
          className={classes("absolute inset-y-1 rounded-sm", gapClass)}
          style={{ insetInlineStart: `${start}%`, width: `${width}%` }}
        />
      ))}
      {placed(shifts, span).map(({ isCutAfter, isCutBefore, item, start, width }) => {
        const badge = item.userId === null ? undefined : badges.get(item.userId)
        if (item.userId === null || badge === undefined) return null
        return (
          <div
            key={item.from}
            className={classes(
              "absolute inset-y-1 flex items-center gap-1.5 overflow-hidden border-s-3 border-(--tone) px-1.5 text-xs whitespace-nowrap",
              toneClass(badge),
              personSurface,
              !isCutAfter && "rounded-e-sm",
              isCutBefore && "border-s-0",
              item.overrideId !== null && "border-y-2 border-e-2 border-dashed",
              Date.parse(item.to) <= now && "opacity-60"
            )}
            style={{ insetInlineStart: `calc(${start}% + 1px)`, width: `calc(${width}% - 2px)` }}
          >
            {width >= narrowest && (
              <>
                <span className={classes("font-semibold", width < narrowestOnPhone && "max-sm:hidden")}>
                  {badge.initials}
                </span>
                {isMain && <span className="truncate max-sm:hidden">{nameOf(item.userId)}</span>}
              </>
            )}
          </div>
        )
      })}
      {line !== undefined && (
        <div className="absolute inset-y-0 w-px bg-accent" style={{ insetInlineStart: `${line}%` }} />
      )}
    </div>
  )
}
