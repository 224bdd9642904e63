/** Windows and incidents on a calendar, by week with hours or by month. Open windows are moved by dragging or with arrow keys. */
import { useMay } from "../../api/permissions.ts"
import { useSubmit } from "../../api/useSubmit.ts"
import { Link, useNavigate } from "@tanstack/react-router"
import { useEffect, useRef } from "react"
import { formatLocale, t } from "../../locales/text.ts"
import { ownZone } from "../../locales/time.ts"
import { Button, RouteLink } from "../../ui/Button.tsx"
import { classes } from "../../ui/classes.ts"
import { useHeldBy } from "../../ui/held.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Shape } from "../../ui/Status.tsx"
import { daysOf, type Entry, partsOn, rangeOf, type Span, turned } from "./calendar.ts"
import { useEntries } from "./calendarEntries.ts"
import type { IncidentSearch } from "./incidentSearch.ts"
import { type Move, useMoving } from "./useMoving.ts"
import { windowWords } from "./words.ts"
import { incidentFields, useUpdateIncident } from "./writes.ts"
import { dayOf, wallOf } from "./zone.ts"

const hourHeight = 40
const hours = Array.from({ length: 24 }, (_, hour) => hour)

const dateFormat = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(formatLocale(), { ...options, timeZone: "UTC" })
  return { of: (day: string) => format.format(new Date(`${day}T00:00Z`)), range: format.formatRange.bind(format) }
}

const titleOf = (days: ReadonlyArray<string>, day: string, span: Span): string =>
  span === "month"
    ? dateFormat({ month: "long", year: "numeric" }).of(day)
    : dateFormat({ day: "numeric", month: "long", year: "numeric" }).range(
        new Date(`${days[0]!}T00:00Z`),
        new Date(`${days.at(-1)!}T00:00Z`)
      )

const chipClass = (entry: Entry, isMoved: boolean): string =>
  classes(
    `is-${entry.tone}`,
    "flex cursor-default flex-col items-stretch justify-start overflow-hidden rounded-lg border px-1.5 py-0.5 text-start text-xs leading-tight text-ink select-none border-[color-mix(in_srgb,var(--tone)_45%,var(--surface))] bg-[color-mix(in_srgb,var(--tone)_16%,var(--surface))]",
    entry.isAhead && "border-dashed",
    entry.isMovable && "touch-none",
    isMoved && "z-10 outline-2 outline-accent"
  )

const keyOf = ({ key }: Entry): string => key

export const Calendar = ({ day: wanted, span }: { readonly day: string | undefined; readonly span: Span }) => {
  const navigate = useNavigate()
  const mayWrite = useMay("incidents.write")
  const zone = ownZone()
  const today = dayOf(wallOf(Date.now(), zone))
  const day = wanted ?? today
  const days = daysOf(day, span)
  const { from, to } = rangeOf(days, zone)
  const { entries: given, error, records } = useEntries(from, to)
  const { rows: all } = useHeldBy(given, keyOf, { reset: `${from} ${to} ${records === undefined}` })
  const entries = mayWrite ? all : all.map((entry) => ({ ...entry, isMovable: false }))
  const { mutateAsync: change } = useUpdateIncident()
  const { errors, isBusy, submit } = useSubmit(incidentFields)
  const scroller = useRef<HTMLDivElement>(null)

  const save = async ({ end, entry, start }: Move) => {
    const incident = records?.find(({ id }) => id === entry.id)
    if (incident === undefined) return
    const body = { scheduledStart: new Date(start).toISOString(), scheduledEnd: new Date(end).toISOString() }
    if (await submit(() => change({ incident, body, expected: body }))) discard()
  }
  const { discard, handlers, move, timesOf } = useMoving({
    minuteHeight: span === "week" ? hourHeight / 60 : 0,
    zone,
    onOpen: ({ id }) => void navigate({ to: "/incidents/$id", params: { id } }),
    onSave: (move) => void save(move)
  })
  const shown = entries.map((entry) => ({ ...entry, ...timesOf(entry) }))
  const partsByDay = new Map(days.map((each) => [each, partsOn(shown, each, zone)]))
  const fieldErrors = Object.values(errors.fields)
  const problem = errors.general ?? fieldErrors[0] ?? error?.message

  // Working hours are seen first.
  useEffect(() => {
    scroller.current?.scrollTo({ top: 7 * hourHeight })
  }, [span])

  const time = new Intl.DateTimeFormat(formatLocale(), { hour: "2-digit", minute: "2-digit" })
  const labelOf = (entry: Entry): string =>
    `${time.format(entry.start)} ${entry.title}, ${windowWords(entry.start, entry.end)}${entry.isAhead ? `, ${t("planned by its series")}` : ""}`
  const search = (change: IncidentSearch): IncidentSearch => ({
    view: "calendar",
    ...(span === "week" ? { span } : {}),
    ...(wanted === undefined ? {} : { day: wanted }),
    ...change
  })

  const chip = (entry: Entry, each: string, style?: React.CSSProperties) => (
    <button
      key={`${entry.key} ${each}`}
      type="button"
      aria-label={labelOf(entry)}
      data-entry={entry.key}
      {...(entry.isMovable ? { "aria-describedby": "calendar-keys" } : {})}
      className={classes(chipClass(entry, move?.entry.key === entry.key), style === undefined ? "w-full" : "absolute")}
      {...(style === undefined ? {} : { style })}
      {...handlers(entry, each)}
    >
      <span className={style === undefined ? "block truncate" : "line-clamp-3"} dir="auto">
        {time.format(entry.start)} {entry.title}
      </span>
      {style !== undefined && entry.isMovable && dayOf(wallOf(entry.end - 1, zone)) === each && (
        <span data-resize className="absolute inset-x-0 bottom-0 h-2 cursor-ns-resize" />
      )}
    </button>
  )

  const weekday = dateFormat({ weekday: "short" })
  const heading = (each: string) => (
    <span className={classes("font-medium", each === today ? "text-accent" : "text-soft")}>
      {weekday.of(each)} {Number(each.slice(8))}
    </span>
  )

  return (
    <section aria-label={t("Calendar")} className="flex min-w-0 flex-col gap-3 pt-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 aria-live="polite">{titleOf(days, day, span)}</h2>
        <div className="flex flex-wrap gap-1">
          <RouteLink
            to="/incidents"
            search={search({ day: turned(day, span, -1) })}
            kind="plain"
            aria-label={t("Earlier")}
          >
            <Icon name="back" className="rtl:-scale-x-100" />
          </RouteLink>
          <RouteLink to="/incidents" search={search({ day: undefined })} kind="plain">
            {t("Today")}
          </RouteLink>
          <RouteLink
            to="/incidents"
            search={search({ day: turned(day, span, 1) })}
            kind="plain"
            aria-label={t("Later")}
          >
            <Icon name="back" className="-scale-x-100 rtl:scale-x-100" />
          </RouteLink>
          <RouteLink to="/incidents" search={search({ span: span === "week" ? undefined : "week" })} kind="plain">
            {span === "week" ? t("Show the month") : t("Show the week")}
          </RouteLink>
        </div>
      </div>
      {problem !== undefined && <Notice>{problem}</Notice>}
      <p id="calendar-keys" className="text-small text-soft max-md:hidden">
        {span === "week"
          ? t(
              "Drag a scheduled window, or move it with the arrow keys; with Shift they change its length. Times in {zone}.",
              { zone }
            )
          : t("Drag a scheduled window to another day, or move it with the arrow keys. Times in {zone}.", { zone })}
      </p>
      {span === "week" ? (
        <div
          ref={scroller}
          className="max-h-[38rem] overflow-auto rounded-xl border border-line bg-surface max-md:hidden"
          tabIndex={0}
          role="group"
          aria-label={t("Hours of the week")}
        >
          <div className="sticky top-0 z-20 grid grid-cols-[3rem_repeat(7,minmax(0,1fr))] border-b border-line bg-surface text-sm">
            <span />
            {days.map((each) => (
              <span key={each} className="border-s border-line px-2 py-1.5">
                {heading(each)}
              </span>
            ))}
          </div>
          <div className="grid grid-cols-[3rem_repeat(7,minmax(0,1fr))]">
            <div aria-hidden="true">
              {hours.map((hour) => (
                <div key={hour} style={{ height: hourHeight }} className="pe-1.5 text-end text-xs text-soft">
                  {String(hour).padStart(2, "0")}
                </div>
              ))}
            </div>
            {days.map((each) => (
              <div
                key={each}
                data-day={each}
                className="relative border-s border-line"
                style={{ height: 24 * hourHeight }}
              >
                {hours.slice(1).map((hour) => (
                  <div
                    key={hour}
                    className="absolute inset-x-0 border-t border-line/60"
                    style={{ top: hour * hourHeight }}
                  />
                ))}
                {partsByDay.get(each)!.map(({ entry, from, lane, lanes, to }) =>
                  chip(entry, each, {
                    top: (from / 60) * hourHeight,
                    height: Math.max(18, ((to - from) / 60) * hourHeight - 1),
                    insetInlineStart: `calc(${(lane / lanes) * 100}% + 1px)`,
                    width: `calc(${100 / lanes}% - 3px)`
                  })
                )}
              </div>
            ))}
          </div>
        </div>
      ) : (
        <div className="grid grid-cols-7 gap-px overflow-hidden rounded-xl border border-line bg-line max-md:hidden">
          {days.map((each) => (
            <div
              key={each}
              data-day={each}
              className={classes(
                "flex min-h-24 min-w-0 flex-col gap-0.5 p-1 text-sm",
                each.slice(0, 7) === day.slice(0, 7) ? "bg-surface" : "bg-ground"
              )}
            >
              {heading(each)}
              {partsByDay.get(each)!.map(({ entry }) => chip(entry, each))}
            </div>
          ))}
        </div>
      )}
      <div role="status" aria-live="polite" className="sticky bottom-3 z-30 max-md:bottom-20">
        {move !== undefined && (
          <div className="flex flex-wrap items-center gap-2 rounded-xl border border-accent/40 bg-surface px-4 py-2.5 text-sm shadow-[0_8px_30px_rgb(0_0_0/.16)]">
            <p className="min-w-0 flex-1 basis-64">
              <bdi className="font-medium">{move.entry.title}</bdi>: {windowWords(move.start, move.end)}
              {move.entry.isSeries && (
                <span className="block text-soft">{t("Only this window is moved; the series after it stays.")}</span>
              )}
            </p>
            <Button onPress={discard}>{t("Discard")}</Button>
            <Button kind="primary" onPress={() => void save(move)} isDisabled={isBusy}>
              {t("Save")}
            </Button>
          </div>
        )}
      </div>
      <Agenda days={days} partsByDay={partsByDay} label={t("Calendar")} />
    </section>
  )
}

/** The same by day, for narrow screens. */
const Agenda = ({
  days,
  label,
  partsByDay
}: {
  readonly days: ReadonlyArray<string>
  readonly label: string
  readonly partsByDay: ReadonlyMap<string, ReturnType<typeof partsOn>>
}) => {
  const busy = days.filter((each) => partsByDay.get(each)!.length > 0)
  const date = dateFormat({ weekday: "long", day: "numeric", month: "long" })
  const time = new Intl.DateTimeFormat(formatLocale(), { hour: "2-digit", minute: "2-digit" })
  if (busy.length === 0)
    return <p className="py-8 text-center text-sm text-soft md:hidden">{t("Nothing on these days")}</p>
  return (
    <ul aria-label={label} className="flex flex-col gap-4 md:hidden">
      {busy.map((each) => (
        <li key={each}>
          <h3 className="mb-1 text-sm font-medium text-soft">{date.of(each)}</h3>
          <ul className="divide-y divide-line rounded-xl border border-line bg-surface">
            {partsByDay.get(each)!.map(({ entry }) => (
              <li key={entry.key} className="flex items-start gap-3 px-4 py-2.5">
                <Shape tone={entry.tone} className="mt-1" />
                <div className="min-w-0">
                  <Link
                    to="/incidents/$id"
                    params={{ id: entry.id }}
                    className="inline-flex max-w-full items-center no-underline hover:underline pointer-coarse:min-h-11"
                  >
                    <bdi className="line-clamp-2">{entry.title}</bdi>
                  </Link>
                  <p className="text-sm text-soft">
                    {time.formatRange(entry.start, entry.end)}
                    {entry.isAhead && ` · ${t("planned by its series")}`}
                  </p>
                </div>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}
