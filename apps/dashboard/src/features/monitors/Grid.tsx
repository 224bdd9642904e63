/**
 * The list of monitors as a grid of which only the visible rows exist. Every row subscribes to its own monitor. One row is in
 * the tab order; arrow keys, `j` and `k` move the focus.
 */
import { Link, useNavigate } from "@tanstack/react-router"
import { useWindowVirtualizer } from "@tanstack/react-virtual"
import { type KeyboardEvent, memo, useEffect, useLayoutEffect, useRef, useState } from "react"
import { type MonitorStore, useMonitor } from "../../live/MonitorStore.ts"
import { t, type Text } from "../../locales/text.ts"
import { classes } from "../../ui/classes.ts"
import { Shape, toneOf, wordOf } from "../../ui/Status.tsx"
import { Ago } from "../../ui/Time.tsx"
import { targetOf } from "./describe.ts"
import type { ListSearch, SortKey } from "./listSearch.ts"

const rowHeight = 56

const columns = "grid grid-cols-[minmax(0,1fr)] gap-x-4 md:grid-cols-[minmax(0,5fr)_minmax(0,5fr)_6rem_9rem]"

const Row = memo(({ id, store }: { readonly store: MonitorStore; readonly id: string }) => {
  const monitor = useMonitor(store, id)
  if (monitor === undefined) return null
  const { group, lastCheckedAt, lastFailure, name, stale, status, tags, type } = monitor
  const failing = (status === "down" || status === "degraded") && lastFailure !== null
  const target = targetOf(monitor)
  return (
    <>
      <div role="gridcell" className="flex min-w-0 items-center gap-3">
        <span className={classes("flex shrink-0 items-center", `is-${toneOf(status)}`)} title={wordOf(status)}>
          <Shape tone={toneOf(status)} className="size-4.5" />
          <span className="sr-only">{wordOf(status)}</span>
        </span>
        <span className="flex min-w-0 flex-col">
          <Link
            to="/monitors/$id"
            params={{ id }}
            tabIndex={-1}
            className="truncate font-medium text-ink no-underline hover:underline"
          >
            <bdi>{name}</bdi>
          </Link>
          <span className="flex min-w-0 gap-1.5 truncate text-[0.8125rem] text-soft md:hidden">
            {failing ? (
              <span className="truncate text-down">{lastFailure.message}</span>
            ) : (
              <bdi className="truncate">{target || type}</bdi>
            )}
          </span>
          {(group !== null || tags.length > 0) && (
            <span className="hidden min-w-0 gap-2 truncate text-[0.8125rem] text-soft md:flex">
              {group !== null && <bdi className="truncate">{group}</bdi>}
              {tags.slice(0, 3).map((tag) => (
                <span key={tag} className="shrink-0 rounded bg-ink/6 px-1.5">
                  {tag}
                </span>
              ))}
            </span>
          )}
        </span>
      </div>
      <div role="gridcell" className="hidden min-w-0 self-center text-[0.8125rem] text-soft md:block">
        {failing ? (
          <span className={classes("line-clamp-2 leading-snug", `is-${toneOf(status)}`, "text-(--tone)")}>
            {lastFailure.message}
          </span>
        ) : (
          <bdi className="block truncate">{target}</bdi>
        )}
      </div>
      <div role="gridcell" className="hidden self-center text-[0.8125rem] text-soft md:block">
        {type}
      </div>
      <div role="gridcell" className="hidden self-center text-[0.8125rem] text-soft md:block">
        {lastCheckedAt === null ? t("Not yet") : <Ago at={lastCheckedAt} />}
        {stale && <span className="block font-medium text-degraded">{t("Results are overdue")}</span>}
      </div>
    </>
  )
})

const headings: ReadonlyArray<readonly [SortKey | undefined, Text]> = [
  ["name", "Name"],
  [undefined, "Target"],
  ["type", "Type"],
  ["checked", "Last check"]
]

const Heading = ({
  label,
  onSort,
  sort,
  sortKey
}: {
  readonly label: string
  readonly sortKey: SortKey | undefined
  readonly sort: ListSearch["sort"]
  readonly onSort: (sort: ListSearch["sort"]) => void
}) => {
  const direction = sort === sortKey ? "ascending" : sort === `-${sortKey}` ? "descending" : "none"
  if (sortKey === undefined)
    return (
      <div role="columnheader" className="self-center">
        {label}
      </div>
    )
  return (
    <div role="columnheader" aria-sort={direction} className="self-center">
      <button
        type="button"
        className="-mx-1 rounded px-1 py-0.5 hover:text-ink"
        onClick={() =>
          onSort(direction === "ascending" ? `-${sortKey}` : direction === "descending" ? undefined : sortKey)
        }
      >
        {label}
        <span aria-hidden="true">{direction === "ascending" ? " ↑" : direction === "descending" ? " ↓" : ""}</span>
      </button>
    </div>
  )
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

export const Grid = ({
  ids,
  onSort,
  sort,
  store
}: {
  readonly store: MonitorStore
  readonly ids: ReadonlyArray<string>
  readonly sort: ListSearch["sort"]
  readonly onSort: (sort: ListSearch["sort"]) => void
}) => {
  const navigate = useNavigate()
  const container = useRef<HTMLDivElement>(null)
  const [margin, setMargin] = useState(0)
  const [active, setActive] = useState<string | undefined>(undefined)
  const wanted = useRef<string | undefined>(undefined)

  useLayoutEffect(() => {
    const measure = () => setMargin((container.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])

  const virtualizer = useWindowVirtualizer({
    count: ids.length,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin: margin,
    getItemKey: (index) => ids[index]!
  })
  const items = virtualizer.getVirtualItems()
  const activeId = active !== undefined && ids.includes(active) ? active : ids[0]

  // A row that was scrolled to exists only after the next render.
  useEffect(() => {
    if (wanted.current === undefined) return
    const row = container.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(wanted.current)}"]`)
    if (row == null) return
    wanted.current = undefined
    row.focus({ preventScroll: true })
  })

  const focusRow = (index: number) => {
    const id = ids[Math.min(Math.max(index, 0), ids.length - 1)]
    if (id === undefined) return
    wanted.current = id
    setActive(id)
    virtualizer.scrollToIndex(ids.indexOf(id), { align: "auto" })
  }

  const page = () => Math.max(1, Math.floor(window.innerHeight / rowHeight) - 3)
  const step = (key: string): number | undefined => {
    const at = activeId === undefined ? 0 : ids.indexOf(activeId)
    const isFocused = container.current?.contains(document.activeElement) === true
    switch (key) {
      case "ArrowDown":
      case "j":
        return isFocused ? at + 1 : at
      case "ArrowUp":
      case "k":
        return isFocused ? at - 1 : at
      case "PageDown":
        return at + page()
      case "PageUp":
        return at - page()
      case "Home":
        return 0
      case "End":
        return ids.length - 1
      default:
        return undefined
    }
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || activeId === undefined) return
    if (
      event.key === "Enter" &&
      event.target === event.currentTarget.querySelector(`[data-id="${CSS.escape(activeId)}"]`)
    ) {
      event.preventDefault()
      void navigate({ to: "/monitors/$id", params: { id: activeId } })
      return
    }
    const next = step(event.key)
    if (next === undefined) return
    event.preventDefault()
    focusRow(next)
  }

  const keys = useRef(focusRow)
  keys.current = focusRow
  const steps = useRef(step)
  steps.current = step
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isTyping(event.target)) return
      if (event.key !== "j" && event.key !== "k") return
      event.preventDefault()
      keys.current(steps.current(event.key)!)
    }
    window.addEventListener("keydown", onKey)
    return () => window.removeEventListener("keydown", onKey)
  }, [])

  return (
    <div
      role="grid"
      aria-label={t("Monitors")}
      aria-rowcount={ids.length + 1}
      onKeyDown={onKeyDown}
      className="rounded-xl border border-line bg-surface shadow-(--shadow)"
    >
      <div role="rowgroup" className="hidden border-b border-line md:block">
        <div role="row" aria-rowindex={1} className={classes(columns, "min-h-9 px-4 text-[0.8125rem] text-soft")}>
          {headings.map(([key, label]) => (
            <Heading key={label} sortKey={key} label={t(label)} sort={sort} onSort={onSort} />
          ))}
        </div>
      </div>
      <div role="rowgroup" ref={container} className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const id = ids[index]!
          return (
            <div
              key={id}
              role="row"
              aria-rowindex={index + 2}
              data-id={id}
              tabIndex={id === activeId ? 0 : -1}
              onFocus={() => setActive(id)}
              onClick={(event) => {
                if (event.target instanceof Element && event.target.closest("a,button") !== null) return
                void navigate({ to: "/monitors/$id", params: { id } })
              }}
              className={classes(
                columns,
                "absolute inset-x-0 top-0 cursor-default content-center px-4 hover:bg-ink/4 focus-visible:-outline-offset-2",
                index > 0 && "border-t border-line"
              )}
              style={{ height: rowHeight, transform: `translateY(${start - margin}px)` }}
            >
              <Row store={store} id={id} />
            </div>
          )
        })}
      </div>
    </div>
  )
}
