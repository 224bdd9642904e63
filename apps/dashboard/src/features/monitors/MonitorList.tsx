/** The list of monitors: counts, search and filters above it, and what can be done with those that are selected below it. */
import { useNavigate, useSearch } from "@tanstack/react-router"
import { lazy, Suspense, useDeferredValue, useEffect, useMemo, useRef, useState } from "react"
import { useMay } from "../../api/permissions.ts"
import { useVersion } from "../../live/MonitorStore.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { formatLocale, t } from "../../locales/text.ts"
import { IconButton, RouteLink } from "../../ui/Button.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { EmptyState, Notice } from "../../ui/Notice.tsx"
import { useHeldBy } from "../../ui/held.ts"
import { Menu } from "../../ui/Menu.tsx"
import { type Shortcut, useShortcuts } from "../../ui/shortcuts.ts"
import { Refusal, Toast } from "../../ui/Toast.tsx"
import type * as Actions from "./writes.ts"
import { Counts } from "./Counts.tsx"
import { ActiveFilters, Filters } from "./Filters.tsx"
import { type Density, Grid } from "./Grid.tsx"
import { isFiltered, type ListSearch } from "./listSearch.ts"
import { isTexts, useStored } from "./preferences.ts"
import { useRemoval } from "./removal.ts"
import { SearchBox } from "./SearchBox.tsx"
import { select } from "./select.ts"
import { useAllPicked, usePicked } from "./selection.ts"
import { flat, inGroups, type Item } from "./tree.ts"
import { Waiting } from "../../ui/Waiting.tsx"
import { Views } from "./Views.tsx"

const BulkBar = lazy(() => import("./BulkBar.tsx"))
const OperationBars = lazy(() => import("./OperationBars.tsx"))
const RemovalToast = lazy(() => import("./RemovalToast.tsx"))

/** Loaded with the first of them. */
const loadActions = () => import("./writes.ts")

/** How long the answer of a check is shown. */
const messageMillis = 6000

/** From so many on, rows are compact unless the reader chose otherwise. */
const manyMonitors = 50

const isDensity = (value: unknown): value is Density => value === "comfortable" || value === "compact"

const keyOf = ({ key }: Item): string => key

export const MonitorList = () => {
  const { project, reload, store } = useProjectData()
  const version = useVersion(store)
  const search = useSearch({ from: "/shell/monitors" })
  const navigate = useNavigate({ from: "/monitors" })
  const deferred = useDeferredValue(search)
  const [chosenDensity, setDensity] = useStored<Density | undefined>("kanmon.list.density", undefined, isDensity)
  const [closed, setClosed] = useStored("kanmon.list.closed", [], isTexts)
  const active = useRef<string | undefined>(undefined)
  const [isPicking, setPicking] = useState(false)
  const [message, setMessage] = useState<string | undefined>(undefined)
  const [reasons, setReasons] = useState<ReadonlyArray<string>>([])
  const onError = async (error: unknown) => {
    const { reasonsOf } = await loadActions()
    setReasons(reasonsOf(error))
  }
  const removal = useRemoval((error) => void onError(error))

  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the version says when the store changed
  const known = useMemo(() => [...store.monitors.values()], [store, version])
  const all = useMemo(
    () => (removal.ids.size === 0 ? known : known.filter(({ id }) => !removal.ids.has(id))),
    [known, removal.ids]
  )
  const density = chosenDensity ?? (all.length < manyMonitors ? "comfortable" : "compact")
  const { counts, monitors } = useMemo(() => select(all, deferred), [all, deferred])
  const given = useMemo(
    () => (deferred.by === "group" ? inGroups(monitors, new Set(closed), t("No group")) : flat(monitors)),
    [monitors, deferred.by, closed]
  )
  const allPicked = useAllPicked()
  const held = useHeldBy(given, keyOf, {
    // A request of the reader is shown immediately.
    reset: JSON.stringify([deferred, closed, [...removal.ids], store.monitors.size === 0]),
    isSelecting: (keys) => allPicked[0].size > 0 && keys.some((key) => allPicked[0].has(key))
  })
  const items = held.rows
  const shown = useMemo(() => items.flatMap((item) => (item.kind === "monitor" ? [item.id] : [])), [items])
  const picked = usePicked(shown, allPicked)

  const chosen = useMemo(() => monitors.filter(({ id }) => picked.ids.has(id)), [monitors, picked.ids])

  const change = (part: Partial<ListSearch>) =>
    void navigate({ search: (known) => ({ ...known, ...part }), replace: true, resetScroll: false })

  useEffect(() => {
    if (message === undefined) return
    const timer = setTimeout(() => setMessage(undefined), messageMillis)
    return () => clearTimeout(timer)
  }, [message])

  const attempt = async (act: (loaded: typeof Actions) => Promise<void>) => {
    try {
      await act(await loadActions())
    } catch (error) {
      setMessage(undefined)
      await onError(error)
    }
  }
  const check = (id: string) =>
    attempt(async ({ checkNow }) => {
      setMessage(t("Checking {name}…", { name: store.monitors.get(id)?.name ?? "" }))
      setMessage(await checkNow(project, store, id))
      reload()
    })
  const togglePause = (ids: ReadonlyArray<string>) => attempt((actions) => actions.togglePause(project, store, ids))
  const onActive = (act: (id: string) => unknown) => () =>
    active.current === undefined ? false : void act(active.current)
  const remove = (ids: ReadonlyArray<string>) => {
    picked.set([])
    removal.start(ids)
  }

  const mayWrite = useMay("monitors.write")
  const mayCheck = useMay("checks.run")
  const writing: ReadonlyArray<Shortcut> = [
    { keys: "n", label: t("New monitor"), run: () => void navigate({ to: "/monitors/new", search: {} }) },
    { keys: "x", label: t("Select the monitor"), run: onActive((id) => picked.toggle(id, false)) },
    {
      keys: "e",
      label: t("Edit the monitor"),
      run: onActive((id) => navigate({ to: "/monitors/$id/edit", params: { id } }))
    },
    {
      keys: "d",
      label: t("Duplicate the monitor"),
      run: onActive((id) => navigate({ to: "/monitors/new", search: { clone: id } }))
    },
    {
      keys: "p",
      label: t("Pause or resume what is selected, else the monitor"),
      run: () => {
        if (picked.ids.size > 0) void togglePause([...picked.ids])
        else return onActive((id) => togglePause([id]))()
      }
    },
    {
      keys: "Escape",
      label: t("Clear the selection"),
      run: () => (picked.ids.size === 0 ? false : picked.set([]))
    }
  ]
  useShortcuts([
    ...(mayWrite ? writing : []),
    ...(mayCheck ? [{ keys: "c", label: t("Check the monitor now"), run: onActive(check) }] : [])
  ])

  return (
    <>
      <Counts counts={counts} search={search} />
      <div className="flex flex-wrap gap-2">
        <SearchBox value={search.q ?? ""} onChange={(q) => change({ q: q === "" ? undefined : q })} />
        <Filters monitors={all} search={search} onChange={change} />
        <Views search={search} />
        <Menu
          label={t("Display")}
          button={
            <IconButton kind="plain" aria-label={t("Display")}>
              <Icon name="settings" />
            </IconButton>
          }
          groups={[
            [
              {
                id: "comfortable",
                label: t("Comfortable rows"),
                checked: density === "comfortable",
                onAction: () => setDensity("comfortable")
              },
              {
                id: "compact",
                label: t("Compact rows"),
                checked: density === "compact",
                onAction: () => setDensity("compact")
              }
            ],
            [
              {
                id: "groups",
                label: t("Show groups"),
                checked: search.by === "group",
                onAction: () => change({ by: search.by === "group" ? undefined : "group" })
              },
              ...(mayWrite
                ? [
                    {
                      id: "picking",
                      label: t("Select monitors"),
                      checked: isPicking,
                      onAction: () => {
                        picked.set([])
                        setPicking(!isPicking)
                      }
                    }
                  ]
                : [])
            ]
          ]}
        />
      </div>
      <ActiveFilters search={search} onChange={change} />
      {store.total > known.length && (
        <Notice tone="degraded">
          {t("The newest {count} of {total} monitors are listed.", {
            count: known.length.toLocaleString(formatLocale()),
            total: store.total.toLocaleString(formatLocale())
          })}
        </Notice>
      )}
      <p role="status" className="sr-only">
        {t("{count, plural, one {# monitor is down.} other {# monitors are down.}}", { count: counts.down })}
      </p>
      {reasons.length > 0 && <Refusal onClose={() => setReasons([])}>{reasons.join(" ")}</Refusal>}
      <Waiting held={held}>{(count) => t("{count, plural, one {# new row} other {# new rows}}", { count })}</Waiting>
      {items.length === 0 ? (
        <EmptyState
          title={t("No monitor matches")}
          actions={
            isFiltered(search) && (
              <RouteLink kind="plain" to="/monitors" search={{}} replace>
                {t("Show all")}
              </RouteLink>
            )
          }
        />
      ) : (
        <Grid
          store={store}
          items={items}
          gone={held.gone}
          monitorIds={shown}
          sort={search.sort}
          onSort={(sort) => change({ sort })}
          onToggle={(key) => setClosed(closed.includes(key) ? closed.filter((each) => each !== key) : [...closed, key])}
          picked={picked}
          isPicking={isPicking || picked.ids.size > 0}
          density={density}
          activeRef={active}
        />
      )}
      {chosen.length > 0 && mayWrite && (
        <Suspense>
          <BulkBar
            monitors={chosen}
            shownCount={monitors.length}
            onSelectAll={() => picked.set(monitors.map(({ id }) => id))}
            onClear={() => picked.set([])}
            onDelete={remove}
            onError={(error) => void onError(error)}
          />
        </Suspense>
      )}
      <Suspense>
        <OperationBars />
      </Suspense>
      {removal.seconds === undefined ? (
        message !== undefined && <Toast>{message}</Toast>
      ) : (
        <Suspense>
          <RemovalToast removal={removal} />
        </Suspense>
      )}
    </>
  )
}
