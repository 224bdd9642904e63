/** `/alerts` */
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { AlertList } from "../features/alerts/AlertList.tsx"
import { useKeptPlaces } from "../features/alerts/places.ts"
import { useAlerts } from "../features/alerts/queries.ts"
import { alertFilters, filterWord } from "../features/alerts/words.ts"
import { useMonitorName } from "../live/names.ts"
import { useProjectData } from "../live/ProjectData.tsx"
import { severities, severityWord } from "../locales/severities.ts"
import { t } from "../locales/text.ts"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { useHeld } from "../ui/held.ts"
import { EmptyState, Notice } from "../ui/Notice.tsx"
import { PageFrame } from "../ui/PageFrame.tsx"
import { More } from "../ui/PagedList.tsx"

const chip =
  "inline-flex min-h-8 pointer-coarse:min-h-11 items-center rounded-lg border border-transparent px-2.5 md:max-lg:px-2 text-sm no-underline text-soft hover:text-ink hover:bg-ink/5 aria-[current=page]:border-line aria-[current=page]:bg-surface aria-[current=page]:text-ink aria-[current=page]:font-medium"

const Alerts = () => {
  const search = useSearch({ from: "/shell/alerts" })
  const navigate = useNavigate({ from: "/alerts" })
  const project = useProjectData()
  const { monitor: monitorId, severity, state = "active" } = search
  const name = useMonitorName(monitorId ?? "")
  const query = useAlerts(state, { monitorId, ...(severity === undefined ? {} : { severity: [severity] }) })
  const { data, error, isPlaceholderData, refetch } = query
  const placed = useKeptPlaces(data?.pages.flatMap((page) => page.alerts) ?? [])
  // With the next page the list is longer because the reader asked for it.
  const held = useHeld(
    data === undefined ? undefined : placed,
    `${state} ${severity ?? ""} ${monitorId ?? ""} ${isPlaceholderData} ${data?.pages.length ?? 0}`
  )
  return (
    <PageFrame title={t("Alerts")}>
      <div className="flex flex-wrap items-center justify-between gap-x-1 gap-y-2">
        <nav aria-label={t("By state")} className="flex flex-wrap gap-1">
          {alertFilters.map((filter) => (
            <Link
              key={filter}
              to="/alerts"
              search={{ ...search, state: filter === "active" ? undefined : filter }}
              activeOptions={{ exact: true, explicitUndefined: true }}
              // The router compares search parameters, and one that is left out is not one that is undefined.
              {...(filter === state ? { "aria-current": "page" as const } : {})}
              replace
              className={chip}
            >
              {filterWord(filter)}
            </Link>
          ))}
        </nav>
        <nav aria-label={t("By severity")} className="-mx-1 flex flex-wrap gap-1">
          {[undefined, ...severities].map((each) => (
            <Link
              key={each ?? "any"}
              to="/alerts"
              search={{ ...search, severity: each }}
              activeOptions={{ exact: true, explicitUndefined: true }}
              {...(each === severity ? { "aria-current": "page" as const } : {})}
              replace
              className={chip}
            >
              {each === undefined ? t("Any severity") : severityWord(each)}
            </Link>
          ))}
        </nav>
        <Link to="/silences" className={chip}>
          {t("Silences")}
        </Link>
      </div>
      {monitorId !== undefined && (
        <p className="flex flex-wrap items-center gap-2 text-sm">
          <span className="text-soft">{t("Monitor")}:</span>
          <bdi className="font-medium">{name}</bdi>
          <Button kind="quiet" onPress={() => void navigate({ search: { ...search, monitor: undefined } })}>
            <Icon name="close" />
            {t("Show all")}
          </Button>
        </p>
      )}
      {data === undefined || project.state === "loading" ? (
        // Nothing is shown that the names of the monitors would push down.
        error !== null && (
          <Notice actions={<Button onPress={() => void refetch()}>{t("Try again")}</Button>}>{error.message}</Notice>
        )
      ) : held.rows.length === 0 && !isPlaceholderData ? (
        <EmptyState
          title={state === "active" && severity === undefined ? t("No alert is open") : t("No alert matches")}
        >
          {state === "active" &&
            t("An alert opens when a rule's condition holds, and it resolves when the condition ends.")}
        </EmptyState>
      ) : (
        <>
          <AlertList held={held} label={t("Alerts")} />
          <More query={query} />
        </>
      )}
    </PageFrame>
  )
}

export default Alerts
