/** `/incidents` */
import { useMay } from "../api/permissions.ts"
import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { Link, useSearch } from "@tanstack/react-router"
import { Calendar } from "../features/incidents/Calendar.tsx"
import { IncidentList } from "../features/incidents/IncidentList.tsx"
import { incidentStates, type View, windowStates } from "../features/incidents/incidentSearch.ts"
import { incidentsQuery, openQuery, useIncidentEvents } from "../features/incidents/queries.ts"
import { phaseOf } from "../features/incidents/words.ts"
import { useProjectData } from "../live/ProjectData.tsx"
import { t } from "../locales/text.ts"
import { Button, RouteLink } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { useHeld } from "../ui/held.ts"
import { EmptyState, Notice } from "../ui/Notice.tsx"
import { useNow } from "../browser/now.ts"
import { PageFrame } from "../ui/PageFrame.tsx"
import { More } from "../ui/PagedList.tsx"

const chip =
  "inline-flex min-h-8 pointer-coarse:min-h-11 items-center rounded-lg border border-transparent px-2.5 text-sm no-underline text-soft hover:text-ink hover:bg-ink/5 aria-[current=page]:border-line aria-[current=page]:bg-surface aria-[current=page]:text-ink aria-[current=page]:font-medium"

const current = (isCurrent: boolean) => (isCurrent ? { "aria-current": "page" as const } : {})

const Listed = ({ state, view }: { readonly view: "incidents" | "maintenance"; readonly state: string }) => {
  const { project, state: monitors } = useProjectData()
  const now = useNow()
  const maintenance = view === "maintenance"
  const isOpen = state === "open" || state === "now" || state === "next"
  const open = useQuery({ ...openQuery(project), enabled: isOpen })
  const pages = useInfiniteQuery({
    ...incidentsQuery(project, maintenance, state === "all" ? undefined : "resolved"),
    enabled: !isOpen
  })
  const { error, refetch } = isOpen ? open : pages
  const wanted = { now: "in_progress", next: "scheduled" }[state]
  const found = isOpen
    ? open.data?.filter(
        (incident) =>
          incident.maintenance === maintenance && (wanted === undefined || phaseOf(incident, now) === wanted)
      )
    : pages.data?.pages.flatMap(({ items }) => items)
  // The next window comes first.
  const incidents = state === "next" ? found?.toReversed() : found
  const held = useHeld(incidents, String(pages.data?.pages.length ?? 0))
  // Each incident names its monitors: with names that come later, the rows below would move.
  if (incidents === undefined || monitors === "loading")
    return error === null ? null : (
      <Notice actions={<Button onPress={() => void refetch()}>{t("Try again")}</Button>}>{error.message}</Notice>
    )
  if (held.rows.length === 0)
    return maintenance ? (
      <EmptyState
        title={
          state === "now"
            ? t("No maintenance is in progress")
            : state === "next"
              ? t("No maintenance is scheduled")
              : t("No maintenance so far")
        }
      >
        {t("A maintenance window announces work to your visitors and keeps alerts back meanwhile.")}
      </EmptyState>
    ) : (
      <EmptyState title={state === "open" ? t("No incident is open") : t("No incident matches")}>
        {t("An incident tells the visitors of your status pages what is wrong and what you do about it.")}
      </EmptyState>
    )
  return (
    <>
      <IncidentList held={held} label={maintenance ? t("Maintenance") : t("Incidents")} />
      {!isOpen && <More query={pages} />}
    </>
  )
}

const Incidents = () => {
  const mayWrite = useMay("incidents.write")
  const search = useSearch({ from: "/shell/incidents" })
  useIncidentEvents()
  const view: "incidents" | "maintenance" = search.view === "maintenance" ? "maintenance" : "incidents"
  const states: ReadonlyArray<string> = view === "maintenance" ? windowStates : incidentStates
  const state = search.state !== undefined && states.includes(search.state) ? search.state : states[0]!
  const tabs: ReadonlyArray<readonly [View, string]> = [
    ["incidents", t("Incidents")],
    ["maintenance", t("Maintenance")],
    ["calendar", t("Calendar")]
  ]
  const words = {
    open: t("Open"),
    resolved: t("Resolved"),
    all: t("All"),
    now: t("Now"),
    next: t("Next"),
    past: t("Past")
  }
  const filters = view === "maintenance" ? (["now", "next", "past"] as const) : (["open", "resolved", "all"] as const)
  return (
    <PageFrame
      title={t("Incidents")}
      actions={
        mayWrite && (
          <>
            <RouteLink to="/incidents/new" search={{ type: "maintenance" }} kind="plain">
              <Icon name="plus" />
              {t("Maintenance")}
            </RouteLink>
            <RouteLink to="/incidents/new" kind="primary">
              <Icon name="plus" />
              {t("New incident")}
            </RouteLink>
          </>
        )
      }
    >
      <nav aria-label={t("By kind")} className="flex flex-wrap gap-1 border-b border-line pb-2">
        {tabs.map(([id, label]) => (
          <Link
            key={id}
            to="/incidents"
            search={id === "incidents" ? {} : { view: id }}
            activeOptions={{ exact: true }}
            className={chip}
            {...current(id === (search.view ?? "incidents"))}
          >
            {label}
          </Link>
        ))}
      </nav>
      {search.view === "calendar" && <Calendar day={search.day} span={search.span ?? "month"} />}
      {search.view !== "calendar" && (
        <nav aria-label={t("By state")} className="-my-1 flex flex-wrap gap-1">
          {filters.map((filter) => (
            <Link
              key={filter}
              to="/incidents"
              search={{
                ...(view === "maintenance" ? { view } : {}),
                ...(filter === "open" || filter === "now" ? {} : { state: filter })
              }}
              activeOptions={{ exact: true }}
              replace
              className={chip}
              {...current(filter === state)}
            >
              {words[filter]}
            </Link>
          ))}
        </nav>
      )}
      {search.view !== "calendar" && <Listed key={`${view} ${state}`} view={view} state={state} />}
    </PageFrame>
  )
}

export default Incidents
