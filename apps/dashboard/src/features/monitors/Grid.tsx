/**
 * The list of monitors as a grid of which only the visible rows exist. One row is in the tab order; arrow keys, `j` and `k` move
 * the focus.
 */
import { useNavigate } from "@tanstack/react-router"
import { useWindowVirtualizer } from "@tanstack/react-virtual"
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react"
import { isCoarse } from "../../browser/pointer.ts"
import type { MonitorStore } from "../../live/MonitorStore.ts"
import { t, type Text } from "../../locales/text.ts"
import { classes } from "../../ui/classes.ts"
import { goneClass } from "../../ui/held.ts"
import { shownResults } from "../../ui/Beats.tsx"
import { useShortcuts } from "../../ui/shortcuts.ts"
import { GroupRow } from "./GroupRow.tsx"
import type { ListSearch, SortKey } from "./listSearch.ts"
import { columns, Row, SelectBox, wide, widest } from "./Row.tsx"
import type { Picked } from "./selection.ts"
import type { Item } from "./tree.ts"

export type Density = "comfortable" | "compact"

/** The least height that a finger hits. */
const target = 44
const rowHeights: Readonly<Record<Density, number>> = { comfortable: 60, compact: isCoarse ? target : 40 }
const groupHeight = target

const headings: ReadonlyArray<{
  readonly key: SortKey | undefined
  readonly label: Text
  readonly period?: "24 h" | "last {count}"
  readonly className: string
}> = [
  { key: "status", label: "Status", className: wide },
  { key: "name", label: "Name", className: "" },
  { key: undefined, label: "Results", period: "last {count}", className: "" },
  { key: "uptime", label: "Uptime", period: "24 h", className: classes("text-end", wide) },
  { key: "response", label: "Response", period: "24 h", className: classes("text-end", widest) },
  { key: "changed", label: "Changed", className: classes("text-end", widest) }
]

const Heading = ({
  className,
  label,
  onSort,
  period,
  sort,
  sortKey
}: {
  readonly className: string
  readonly label: string
  /** The period that its figures are of. */
  readonly period: string | undefined
  readonly sortKey: SortKey | undefined
  readonly sort: NonNullable<ListSearch["sort"]>
  readonly onSort: (sort: ListSearch["sort"]) => void
}) => {
  const direction = sort === sortKey ? "ascending" : sort === `-${sortKey}` ? "descending" : "none"
  if (sortKey === undefined)
    return (
      <div role="columnheader" className={classes("self-center", className)}>
        {label}
        {period !== undefined && <span className="block text-xs font-normal">{period}</span>}
      </div>
    )
  return (
    <div role="columnheader" aria-sort={direction} className={classes("self-center", className)}>
      <button
        type="button"
        className="-mx-1 rounded-lg px-1 py-0.5 whitespace-nowrap hover:text-ink pointer-coarse:min-h-11"
        onClick={() =>
          onSort(direction === "ascending" ? `-${sortKey}` : direction === "descending" ? undefined : sortKey)
        }
      >
        {label}
        {period !== undefined && <span className="block text-xs font-normal">{period}</span>}
        <span aria-hidden="true">{direction === "ascending" ? " ↑" : direction === "descending" ? " ↓" : ""}</span>
      </button>
    </div>
  )
}

export const Grid = ({
  activeRef,
  density,
  gone,
  isPicking,
  items,
  monitorIds,
  onSort,
  onToggle,
  picked,
  sort,
  store
}: {
  readonly store: MonitorStore
  readonly items: ReadonlyArray<Item>
  /** Keys of rows that are shown although the list no longer has them. */
  readonly gone: ReadonlySet<string>
  /** The count of the monitors in `items`. */
  readonly monitorIds: ReadonlyArray<string>
  readonly sort: ListSearch["sort"]
  readonly onSort: (sort: ListSearch["sort"]) => void
  /** Opens or closes a group. */
  readonly onToggle: (key: string) => void
  readonly picked: Picked
  /** Boxes to select are shown in narrow windows too. */
  readonly isPicking: boolean
  readonly density: Density
  /** The monitor that has the focus, for keys of the page. */
  readonly activeRef: RefObject<string | undefined>
}) => {
  const navigate = useNavigate()
  const container = useRef<HTMLDivElement>(null)
  const [margin, setMargin] = useState(0)
  const [active, setActive] = useState<string | undefined>(undefined)
  const wanted = useRef<string | undefined>(undefined)
  const rowHeight = rowHeights[density]
  const isTree = items[0]?.kind === "group"

  useLayoutEffect(() => {
    const measure = () => setMargin((container.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])

  const heightOf = ({ kind }: Item) => (kind === "group" ? groupHeight : rowHeight)
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: (index) => heightOf(items[index]!),
    overscan: 8,
    // Keys stay the indexes: with the keys of items, every change of the order would measure all of them again.
    scrollMargin: margin
  })
  // Heights change with the density, and where groups are.
  const groupsAreIn = isTree ? items : undefined
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight, groupsAreIn])
  const activeAt = Math.max(0, active === undefined ? 0 : items.findIndex(({ key }) => key === active))
  const activeItem = items[activeAt]
  const activeKey = activeItem?.key

  // A row that was scrolled to exists only after the next render.
  useEffect(() => {
    if (wanted.current === undefined) return
    const row = container.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(wanted.current)}"]`)
    if (row == null) return
    wanted.current = undefined
    row.focus({ preventScroll: true })
  })

  const focusRow = (index: number) => {
    const at = Math.min(Math.max(index, 0), items.length - 1)
    const item = items[at]
    if (item === undefined) return
    wanted.current = item.key
    setActive(item.key)
    virtualizer.scrollToIndex(at, { align: "auto" })
  }

  const page = () => Math.max(1, Math.floor(window.innerHeight / rowHeight) - 3)
  const step = (key: string): number | undefined => {
    switch (key) {
      case "ArrowDown":
        return activeAt + 1
      case "ArrowUp":
        return activeAt - 1
      case "PageDown":
        return activeAt + page()
      case "PageUp":
        return activeAt - page()
      case "Home":
        return 0
      case "End":
        return items.length - 1
      default:
        return undefined
    }
  }

  const open = () => {
    if (activeItem?.kind === "monitor") void navigate({ to: "/monitors/$id", params: { id: activeItem.id } })
    else if (activeItem !== undefined) onToggle(activeItem.key)
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const isRow = event.target instanceof HTMLElement && event.target.dataset["key"] === activeKey
    if (event.altKey || event.ctrlKey || event.metaKey || !isRow || activeItem === undefined) return
    const next = step(event.key)
    if (next !== undefined) focusRow(next)
    else if (event.key === "Enter") open()
    else if (event.key === " " && activeItem.kind === "monitor") picked.toggle(activeItem.id, event.shiftKey)
    else if (activeItem.kind === "group" && event.key === (activeItem.isOpen ? "ArrowLeft" : "ArrowRight"))
      onToggle(activeItem.key)
    else return
    event.preventDefault()
  }

  const move = (by: number) => () => {
    const isFocused = container.current?.contains(document.activeElement) === true
    focusRow(isFocused ? activeAt + by : activeAt)
  }
  useShortcuts([
    { keys: "j", label: t("Next monitor"), run: move(1) },
    { keys: "k", label: t("Previous monitor"), run: move(-1) }
  ])

  // Selected monitors are always visible.
  const countPicked = picked.ids.size

  return (
    <div
      role={isTree ? "treegrid" : "grid"}
      aria-label={t("Monitors")}
      aria-rowcount={items.length + 1}
      aria-multiselectable="true"
      data-picking={isPicking}
      onKeyDown={onKeyDown}
      className="group/grid @container -mx-2 line-below"
    >
      <div role="rowgroup" className="line-below">
        <div role="row" aria-rowindex={1} className={classes(columns, "min-h-9 px-2 text-small text-soft")}>
          <div role="columnheader" className="self-center @max-2xl:hidden group-data-[picking=true]/grid:block">
            <SelectBox
              label={t("Select all")}
              isSelected={countPicked > 0 && countPicked === monitorIds.length}
              isMixed={countPicked > 0 && countPicked < monitorIds.length}
              tabIndex={0}
              onToggle={() => picked.set(countPicked === monitorIds.length ? [] : monitorIds)}
            />
          </div>
          {headings.map(({ className, key, label, period }) => (
            <Heading
              key={label}
              className={className}
              sortKey={key}
              label={t(label)}
              period={period && t(period, { count: shownResults })}
              sort={sort ?? "status"}
              onSort={onSort}
            />
          ))}
        </div>
      </div>
      <div role="rowgroup" ref={container} className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const item = items[index]!
          const { depth, key, kind } = item
          const isPicked = kind === "monitor" && picked.ids.has(item.id)
          return (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid handles the keys of its rows
            <div
              key={key}
              role="row"
              aria-rowindex={index + 2}
              {...(isTree ? { "aria-level": depth + 1 } : {})}
              {...(kind === "group" ? { "aria-expanded": item.isOpen } : { "aria-selected": isPicked })}
              data-key={key}
              tabIndex={key === activeKey ? 0 : -1}
              onFocus={() => {
                setActive(key)
                activeRef.current = kind === "monitor" ? item.id : undefined
              }}
              onBlur={() => {
                activeRef.current = undefined
              }}
              onClick={(event) => {
                if (event.target instanceof Element && event.target.closest("a,button,input,label") !== null) return
                if (kind === "group") onToggle(key)
                else if (event.shiftKey || event.ctrlKey || event.metaKey || isPicking)
                  picked.toggle(item.id, event.shiftKey)
                else void navigate({ to: "/monitors/$id", params: { id: item.id } })
              }}
              className={classes(
                kind === "monitor" ? columns : "flex items-center",
                "absolute inset-x-0 top-0 cursor-default content-center px-2 focus-visible:-outline-offset-2",
                gone.has(key) && goneClass,
                isPicked ? "bg-accent/6 shadow-[inset_2px_0_0_var(--accent)] hover:bg-accent/7" : "hover:bg-ink/4",
                index > 0 && "line-above"
              )}
              style={{ height: heightOf(item), transform: `translateY(${start - margin}px)` }}
            >
              {kind === "monitor" ? (
                <Row
                  store={store}
                  id={item.id}
                  depth={depth}
                  dense={density === "compact"}
                  isPicked={isPicked}
                  onPick={picked.toggle}
                />
              ) : (
                <GroupRow item={item} />
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}
