/** `/monitors` */
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useDeferredValue, useEffect, useMemo, useRef } from "react"
import { Input, SearchField } from "react-aria-components"
import { Grid } from "../features/monitors/Grid.tsx"
import type { ListSearch } from "../features/monitors/listSearch.ts"
import { placeByName, select } from "../features/monitors/select.ts"
import { useVersion } from "../live/MonitorStore.ts"
import { useProjectData } from "../live/ProjectData.tsx"
import { t } from "../locales/text.ts"
import { formatLocale } from "../locales/text.ts"
import { Button, RouteLink } from "../ui/Button.tsx"
import { classes, inputClass } from "../ui/classes.ts"
import { Icon } from "../ui/Icon.tsx"
import { EmptyState, Notice } from "../ui/Notice.tsx"
import { order, Shape, toneOf, wordOf } from "../ui/Status.tsx"

const chip =
  "inline-flex min-h-8 pointer-coarse:min-h-11 items-center gap-1.5 rounded-lg border border-transparent px-2.5 text-sm no-underline text-soft hover:text-ink hover:bg-ink/5 data-[on=true]:border-line data-[on=true]:bg-surface data-[on=true]:text-ink data-[on=true]:font-medium"

const Monitors = () => {
  const { reload, state, store } = useProjectData()
  const version = useVersion(store)
  const search = useSearch({ from: "/shell/monitors" })
  const navigate = useNavigate({ from: "/monitors" })
  const deferred = useDeferredValue(search)
  const input = useRef<HTMLInputElement>(null)

  const all = useMemo(() => {
    const monitors = [...store.monitors.values()]
    placeByName(monitors)
    return monitors
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the version says when the store changed
  }, [store, version])
  const { counts, monitors } = useMemo(() => select(all, deferred), [all, deferred])
  const ids = useMemo(() => monitors.map(({ id }) => id), [monitors])

  const change = (part: Partial<ListSearch>) =>
    void navigate({ search: (known) => ({ ...known, ...part }), replace: true, resetScroll: false })

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const typing = event.target instanceof HTMLElement && /^(INPUT|TEXTAREA)$/.test(event.target.tagName)
      if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      input.current?.focus()
    }
    window.addEventListener("keydown", onKey)
    return () => window.removeEventListener("keydown", onKey)
  }, [])

  const isFiltered = [search.q, search.status, search.type, search.tag, search.group].some((each) => each !== undefined)
  const number = (count: number) => count.toLocaleString(formatLocale())

  return (
    <>
      <title>{`${t("Monitors")} · Kanmon`}</title>
      <div className="mb-4 flex min-h-9 items-center justify-between gap-3">
        <h1>{t("Monitors")}</h1>
        {store.monitors.size > 0 && (
          <RouteLink kind="primary" to="/monitors/new">
            <Icon name="plus" />
            {t("New monitor")}
          </RouteLink>
        )}
      </div>
      {state instanceof Error ? (
        <Notice actions={<Button onPress={reload}>{t("Try again")}</Button>}>{state.message}</Notice>
      ) : state === "loading" ? null : store.monitors.size === 0 ? (
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
        <>
          <div className="mb-3 flex flex-col gap-3 lg:flex-row lg:items-center lg:justify-between">
            <nav aria-label={t("By status")} className="-mx-1 flex flex-wrap gap-1">
              <Link
                to="/monitors"
                search={{ ...search, status: undefined }}
                replace
                data-on={search.status === undefined}
                className={chip}
              >
                {t("All")} <span>{number(counts.all)}</span>
              </Link>
              {order.map((status) =>
                counts[status] === 0 && search.status !== status ? null : (
                  <Link
                    key={status}
                    to="/monitors"
                    search={{ ...search, status }}
                    replace
                    data-on={search.status === status}
                    className={chip}
                  >
                    <Shape tone={toneOf(status)} />
                    {wordOf(status)} <span>{number(counts[status])}</span>
                  </Link>
                )
              )}
            </nav>
            <SearchField
              aria-label={t("Search monitors")}
              value={search.q ?? ""}
              onChange={(q) => change({ q: q === "" ? undefined : q })}
              className="group relative w-full lg:w-72"
            >
              <Icon name="search" className="pointer-events-none absolute start-2.5 top-0 bottom-0 my-auto text-soft" />
              <Input
                ref={input}
                placeholder={t("Search")}
                className={classes(inputClass, "ps-9 [&::-webkit-search-cancel-button]:hidden")}
              />
              <kbd className="pointer-events-none absolute end-2.5 top-0 bottom-0 my-auto grid h-5 w-5 place-items-center rounded border border-line text-xs text-soft group-focus-within:hidden pointer-coarse:hidden">
                /
              </kbd>
            </SearchField>
          </div>
          {ids.length === 0 ? (
            <EmptyState
              title={t("No monitor matches")}
              actions={
                isFiltered && (
                  <RouteLink kind="plain" to="/monitors" search={{}} replace>
                    {t("Show all")}
                  </RouteLink>
                )
              }
            />
          ) : (
            <Grid store={store} ids={ids} sort={search.sort} onSort={(sort) => change({ sort })} />
          )}
        </>
      )}
    </>
  )
}

export default Monitors
