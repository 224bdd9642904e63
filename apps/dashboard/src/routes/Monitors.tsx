/** `/monitors` */
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useDeferredValue, useMemo, useRef } from "react"
import { Counts } from "../features/monitors/Counts.tsx"
import { ActiveFilters, Filters } from "../features/monitors/Filters.tsx"
import { type Density, Grid } from "../features/monitors/Grid.tsx"
import { isFiltered, type ListSearch } from "../features/monitors/listSearch.ts"
import { isTexts, useStored } from "../features/monitors/preferences.ts"
import { SearchBox } from "../features/monitors/SearchBox.tsx"
import { select } from "../features/monitors/select.ts"
import { usePicked } from "../features/monitors/selection.ts"
import { flat, inGroups } from "../features/monitors/tree.ts"
import { useVersion } from "../live/MonitorStore.ts"
import { useProjectData } from "../live/ProjectData.tsx"
import { formatLocale, t } from "../locales/text.ts"
import { Button, IconButton, RouteLink } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { EmptyState, Notice } from "../ui/Notice.tsx"
import { Menu } from "../ui/Overlay.tsx"
import { useShortcuts } from "../ui/shortcuts.ts"

const isDensity = (value: unknown): value is Density => value === "comfortable" || value === "compact"

const List = () => {
  const { store } = useProjectData()
  const version = useVersion(store)
  const search = useSearch({ from: "/shell/monitors" })
  const navigate = useNavigate({ from: "/monitors" })
  const deferred = useDeferredValue(search)
  const [density, setDensity] = useStored<Density>("kanmon.list.density", "comfortable", isDensity)
  const [closed, setClosed] = useStored("kanmon.list.closed", [], isTexts)
  const active = useRef<string | undefined>(undefined)

  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the version says when the store changed
  const all = useMemo(() => [...store.monitors.values()], [store, version])
  const { counts, monitors } = useMemo(() => select(all, deferred), [all, deferred])
  const items = useMemo(
    () => (deferred.by === "group" ? inGroups(monitors, new Set(closed), t("No group")) : flat(monitors)),
    [monitors, deferred.by, closed]
  )
  const shown = useMemo(() => items.flatMap((item) => (item.kind === "monitor" ? [item.id] : [])), [items])
  const picked = usePicked(shown)

  const change = (part: Partial<ListSearch>) =>
    void navigate({ search: (known) => ({ ...known, ...part }), replace: true, resetScroll: false })

  useShortcuts([
    { keys: "n", label: t("New monitor"), run: () => void navigate({ to: "/monitors/new", search: {} }) },
    {
      keys: "x",
      label: t("Select the monitor"),
      run: () => (active.current === undefined ? false : picked.toggle(active.current, false))
    },
    {
      keys: "e",
      label: t("Edit the monitor"),
      run: () =>
        active.current === undefined
          ? false
          : void navigate({ to: "/monitors/$id/edit", params: { id: active.current } })
    }
  ])

  return (
    <>
      <Counts counts={counts} search={search} />
      <div className="mb-3 flex flex-wrap gap-2">
        <SearchBox value={search.q ?? ""} onChange={(q) => change({ q: q === "" ? undefined : q })} />
        <Filters monitors={all} search={search} onChange={change} />
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
              }
            ]
          ]}
        />
      </div>
      <ActiveFilters search={search} onChange={change} />
      {store.total > all.length && (
        <Notice tone="degraded" className="mb-3">
          {t("The newest {count} of {total} monitors are listed.", {
            count: all.length.toLocaleString(formatLocale()),
            total: store.total.toLocaleString(formatLocale())
          })}
        </Notice>
      )}
      <p role="status" className="sr-only">
        {t("{count, plural, one {# monitor is down.} other {# monitors are down.}}", { count: counts.down })}
      </p>
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
          sort={search.sort}
          onSort={(sort) => change({ sort })}
          onToggle={(key) => setClosed(closed.includes(key) ? closed.filter((each) => each !== key) : [...closed, key])}
          picked={picked}
          isPicking={false}
          density={density}
          activeRef={active}
        />
      )}
    </>
  )
}

const Monitors = () => {
  const { reload, state, store } = useProjectData()
  useVersion(store)
  const isEmpty = store.monitors.size === 0
  return (
    <>
      <title>{`${t("Monitors")} · Kanmon`}</title>
      <div className="mb-4 flex min-h-9 items-center justify-between gap-3">
        <h1>{t("Monitors")}</h1>
        {!isEmpty && (
          <RouteLink kind="primary" to="/monitors/new">
            <Icon name="plus" />
            {t("New monitor")}
          </RouteLink>
        )}
      </div>
      {state instanceof Error ? (
        <Notice actions={<Button onPress={reload}>{t("Try again")}</Button>}>{state.message}</Notice>
      ) : state === "loading" && isEmpty ? null : isEmpty ? (
        <EmptyState
          title={t("Nothing is watched yet")}
          actions={
            <RouteLink kind="primary" to="/monitors/new">
              {t("Create the first monitor")}
            </RouteLink>
          }
        >
          {t("A monitor checks a website, a server or a job, and tells you when it fails.")}
        </EmptyState>
      ) : (
        <List />
      )}
    </>
  )
}

export default Monitors
