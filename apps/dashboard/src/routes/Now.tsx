/** `/`: what needs attention now. */
import { Link } from "@tanstack/react-router"
import { AlertList } from "../features/alerts/AlertList.tsx"
import { useAlerts } from "../features/alerts/queries.ts"
import { useOverview } from "../features/now/queries.ts"
import { Communicated, Doubts, Sentence } from "../features/now/Summary.tsx"
import { t } from "../locales/text.ts"
import { Button, RouteLink } from "../ui/Button.tsx"
import { EmptyState, Notice } from "../ui/Notice.tsx"

/** More are on the page of alerts. */
const maxShown = 20
const maxRecent = 5

const more = "flex w-fit items-center text-sm text-accent underline underline-offset-3 pointer-coarse:min-h-11"

const Now = () => {
  const { data: overview, error, refetch } = useOverview()
  const { data: active } = useAlerts("active")
  const { data: past } = useAlerts("resolved")
  const open = active?.pages.flatMap(({ alerts }) => alerts) ?? []
  const recent = past?.pages.flatMap(({ alerts }) => alerts).slice(0, maxRecent) ?? []
  return (
    <div className="mx-auto flex max-w-5xl flex-col gap-5">
      <title>{`${t("Now")} · Kanmon`}</title>
      <h1>{t("Now")}</h1>
      {overview === undefined ? (
        error !== null && (
          <Notice actions={<Button onPress={() => void refetch()}>{t("Try again")}</Button>}>{error.message}</Notice>
        )
      ) : overview.monitors === 0 ? (
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
          <Sentence overview={overview} />
          <Doubts overview={overview} />
          {open.length > 0 && (
            <section className="flex flex-col gap-2">
              <h2>{t("Open alerts")}</h2>
              <AlertList alerts={open.slice(0, maxShown)} label={t("Open alerts")} />
              {open.length > maxShown && (
                <Link to="/alerts" className={more}>
                  {t("Show all {count}", { count: open.length })}
                </Link>
              )}
            </section>
          )}
          <Communicated overview={overview} />
          {recent.length > 0 && (
            <section className="flex flex-col gap-2">
              <h2>{t("Resolved lately")}</h2>
              <AlertList alerts={recent} label={t("Resolved lately")} />
              <Link to="/alerts" search={{ state: "resolved" }} className={more}>
                {t("All past alerts")}
              </Link>
            </section>
          )}
        </>
      )}
    </div>
  )
}

export default Now
