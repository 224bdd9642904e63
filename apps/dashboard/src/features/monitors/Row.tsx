/** One monitor of the list. It subscribes to its own monitor, so that a change of another one does not render it. */
import { Link } from "@tanstack/react-router"
import { memo, useEffect, useRef } from "react"
import { type MonitorStore, type MonitorSummary, useSummary } from "../../live/MonitorStore.ts"
import { kindOf } from "../../live/target.ts"
import { t } from "../../locales/text.ts"
import { Beats } from "../../ui/Beats.tsx"
import { classes } from "../../ui/classes.ts"
import { Quantity } from "../../ui/Quantity.tsx"
import { Shape, toneOf, wordOf } from "../../ui/Status.tsx"
import { ShortAgo } from "../../ui/Time.tsx"

/** The columns for each width of a list. Narrow lists drop columns; name and results stay. */
export const columns = classes(
  "grid gap-x-3 grid-cols-[minmax(0,1fr)_5.5rem] group-data-[picking=true]/grid:grid-cols-[1.5rem_minmax(0,1fr)_5.5rem]",
  "@2xl:gap-x-4 @2xl:grid-cols-[1.25rem_8.25rem_minmax(0,1fr)_8rem_5rem]! @4xl:grid-cols-[1.25rem_8.25rem_minmax(0,1fr)_10rem_5rem_5rem_5rem]!"
)

/** How far a row is below its group: less in narrow lists. */
export const indentOf = (depth: number): string => `min(${depth * 1.25}rem, ${depth * 2}cqi)`

/** Cells that need room. */
export const wide = "@max-2xl:hidden"
export const widest = "@max-4xl:hidden"

const Tags = ({ tags }: { readonly tags: ReadonlyArray<string> }) =>
  tags.slice(0, 3).map((tag) => (
    <bdi key={tag} className="max-w-32 shrink-0 truncate rounded-lg bg-ink/6 px-1.5">
      {tag}
    </bdi>
  ))

/** What kind of monitor it is, and why it fails, else what is checked, with tags. */
const Below = ({ dense, monitor }: { readonly monitor: MonitorSummary; readonly dense: boolean }) => {
  const { failure, status, tags, target } = monitor
  return (
    <>
      <span className="shrink-0 font-medium @max-2xl:hidden">{kindOf(monitor)}</span>
      {failure === null ? (
        target !== null && <bdi className="truncate">{target}</bdi>
      ) : (
        <bdi className={classes("truncate", `is-${toneOf(status)}`, "text-(--tone)")}>{failure}</bdi>
      )}
      <span className={classes("flex gap-1.5", dense ? "@max-5xl:hidden" : "@max-2xl:hidden")}>
        <Tags tags={tags} />
      </span>
    </>
  )
}

export const SelectBox = ({
  isMixed = false,
  isSelected,
  label,
  onToggle,
  tabIndex = -1
}: {
  readonly label: string
  readonly isSelected: boolean
  readonly isMixed?: boolean
  readonly tabIndex?: 0 | -1
  readonly onToggle: (toHere: boolean) => void
}) => (
  <label className="-m-3 grid size-11 place-items-center">
    <input
      type="checkbox"
      aria-label={label}
      checked={isSelected}
      ref={(input) => {
        if (input !== null) input.indeterminate = isMixed
      }}
      tabIndex={tabIndex}
      onChange={(event) => onToggle(event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey)}
      className="size-4.5 accent-accent"
    />
  </label>
)

interface RowProps {
  readonly store: MonitorStore
  readonly id: string
  readonly depth: number
  readonly dense: boolean
  readonly isPicked: boolean
  readonly onPick: (id: string, toHere: boolean) => void
}

export const Row = memo(({ dense, depth, id, isPicked, onPick, store }: RowProps) => {
  const now = useSummary(store, id)
  // A row that is gone stays in its place for a moment.
  const last = useRef(now)
  useEffect(() => {
    last.current = now ?? last.current
  })
  const monitor = now ?? last.current
  if (monitor === undefined) return null
  const { name, responseTime, results, since, stale, status, uptime } = monitor
  return (
    <>
      <div role="gridcell" className="self-center @max-2xl:hidden group-data-[picking=true]/grid:block">
        <SelectBox
          label={t("Select {name}", { name })}
          isSelected={isPicked}
          onToggle={(toHere) => onPick(id, toHere)}
        />
      </div>
      <div
        role="gridcell"
        className={classes("flex min-w-0 items-center gap-2 text-sm font-medium", wide, `is-${toneOf(status)}`)}
      >
        <Shape tone={toneOf(status)} />
        <span className="min-w-0">
          <span className="block truncate text-(--tone)">{wordOf(status)}</span>
          {stale && <span className="block truncate text-xs text-degraded">{t("Overdue")}</span>}
        </span>
      </div>
      <div role="gridcell" className="flex min-w-0 items-center gap-3" style={{ paddingInlineStart: indentOf(depth) }}>
        <span className={classes("flex shrink-0 items-center @2xl:hidden", `is-${toneOf(status)}`)}>
          <Shape tone={toneOf(status)} className="size-4.5" />
        </span>
        <span className={classes("flex min-w-0", dense ? "items-baseline gap-3" : "flex-col")}>
          <Link
            to="/monitors/$id"
            params={{ id }}
            tabIndex={-1}
            // The end of a name is what is cut off, in its own direction.
            dir="auto"
            className={classes(
              "truncate text-left rtl:text-right font-medium text-ink no-underline hover:underline",
              dense && "shrink-0 max-w-2/3"
            )}
          >
            {name}
          </Link>
          <span
            className={classes("flex min-w-0 gap-2 overflow-hidden text-small text-soft", dense && "@max-2xl:hidden")}
          >
            <span className={classes("shrink-0 font-medium text-(--tone) @2xl:hidden", `is-${toneOf(status)}`)}>
              {wordOf(status)}
            </span>
            <Below dense={dense} monitor={monitor} />
          </span>
        </span>
      </div>
      <div role="gridcell" className="flex items-center">
        <Beats results={results} className={classes("w-full", dense ? "h-4" : "h-6")} />
      </div>
      <div role="gridcell" className={classes("self-center text-end text-sm", wide)}>
        <Quantity as="percent" value={uptime} />
      </div>
      <div role="gridcell" className={classes("self-center text-end text-sm", widest)}>
        <Quantity as="millis" value={responseTime} />
      </div>
      <div role="gridcell" className={classes("self-center text-end text-sm text-soft", widest)}>
        <ShortAgo at={since * 1000} />
      </div>
    </>
  )
})
