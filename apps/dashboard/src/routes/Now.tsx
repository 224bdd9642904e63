/** `/`: the monitors that need attention now. */
import { useMay } from "../api/permissions.ts"
import { formErrors } from "../api/problem.ts"
import { Link } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { AlertList } from "../features/alerts/AlertList.tsx"
import { useKeptPlaces } from "../features/alerts/places.ts"
import { useAlerts } from "../features/alerts/queries.ts"
import { Glance } from "../features/now/Glance.tsx"
import { OnCallOfHome, useHomeOnCall } from "../features/on-call/Home.tsx"
import { Month } from "../features/now/Month.tsx"
import { Failing } from "../features/now/Failing.tsx"
import { useOverview } from "../features/now/queries.ts"
import { Communicated, Sentence } from "../features/now/Summary.tsx"
import { useProjectData } from "../live/ProjectData.tsx"
import { t } from "../locales/text.ts"
import { Button } from "../ui/Button.tsx"
import { useHeld } from "../ui/held.ts"
import { Notice } from "../ui/Notice.tsx"
import { PageFrame } from "../ui/PageFrame.tsx"

/** More are on the page of alerts. */
const maxShown = 20
const maxRecent = 5
/** Those after them are rows. */
const maxCards = 5

const more = "flex w-fit items-center text-sm text-accent underline underline-offset-3 pointer-coarse:min-h-11"

/** Loaded when nothing is watched. */
const FirstMonitor = lazy(async () => ({ default: (await import("./Welcome.tsx")).FirstMonitor }))

/** As it was at an instant of the past. */
const PastNow = () => {
  const { state } = useProjectData()
  const { data: overview, error } = useOverview()
  return (
    <PageFrame title={t("Now")} heading={t("Then")}>
      {error !== null ? (
        <Notice>{formErrors(error, ["at"]).fields["at"] ?? error.message}</Notice>
      ) : (
        overview !== undefined &&
        state === "ready" && (
          <>
            <Sentence overview={overview} />
            <div className="grid min-w-0 items-start gap-x-10 gap-y-8 pt-2 xl:grid-cols-[minmax(0,1fr)_20rem]">
              <div className="flex min-w-0 flex-col gap-8">
                <Failing count={overview.openAlerts} />
                <Communicated overview={overview} />
              </div>
              <div className="flex min-w-0 flex-col gap-6">
                <Glance />
              </div>
            </div>
          </>
        )
      )}
    </PageFrame>
  )
}

const Now = () => (useProjectData().at === undefined ? <PresentNow /> : <PastNow />)

const PresentNow = () => {
  const { state } = useProjectData()
  const { data: overview, error, refetch } = useOverview()
  const { data: active, isLoading } = useAlerts("active")
  const { data: past } = useAlerts("resolved")
  const onCall = useHomeOnCall()
  const [isBegun, setBegun] = useState(false)
  // A started onboarding stays, although its monitor may exist before it is finished.
  const mayWrite = useMay("monitors.write")
  const isWelcome = overview?.monitors === 0 || isBegun
  const placed = useKeptPlaces(active?.pages.flatMap(({ alerts }) => alerts) ?? [])
  const open = useHeld(active === undefined ? undefined : placed)
  const recent = useHeld(past?.pages.flatMap(({ alerts }) => alerts).slice(0, maxRecent))
  return (
    <PageFrame title={t("Now")} heading={isWelcome ? t("Nothing is watched yet") : t("Now")}>
      {overview === undefined || isLoading || state === "loading" || onCall === undefined ? (
        // Nothing is shown that alerts, or the names of their monitors, would push down.
        error !== null && (
          <Notice actions={<Button onPress={() => void refetch()}>{t("Try again")}</Button>}>{error.message}</Notice>
        )
      ) : isWelcome && !mayWrite ? (
        <p className="text-soft">{t("Editors of the project can add monitors.")}</p>
      ) : isWelcome ? (
        <Suspense>
          <p className="text-soft">
            {t("A monitor checks a website, a server or a job, and tells you when it fails.")}
          </p>
          <FirstMonitor onBegin={() => setBegun(true)} />
        </Suspense>
      ) : (
        <>
          <Sentence overview={overview} />
          {onCall !== null && <OnCallOfHome shown={onCall} />}
          <div className="grid min-w-0 items-start gap-x-10 gap-y-8 pt-2 xl:grid-cols-[minmax(0,1fr)_20rem]">
            <div className="flex min-w-0 flex-col gap-8">
              {open.rows.length > 0 && (
                <section className="flex flex-col gap-2">
                  <h2 className="flex min-h-8 items-center">{t("Active alerts")}</h2>
                  <AlertList
                    cards={maxCards}
                    held={{ ...open, rows: open.rows.slice(0, maxShown) }}
                    label={t("Active alerts")}
                    withResults
                  />
                  {open.rows.length > maxShown && (
                    <Link to="/alerts" className={more}>
                      {t("Show all {count}", { count: open.rows.length })}
                    </Link>
                  )}
                </section>
              )}
              <Month overview={overview} />
              <Communicated overview={overview} />
              {past !== undefined && (
                <section className="flex flex-col gap-2">
                  <h2 className="flex min-h-8 items-center">{t("Resolved lately")}</h2>
                  {recent.rows.length === 0 ? (
                    <p className="text-sm text-soft">{t("No alert was resolved so far.")}</p>
                  ) : (
                    <>
                      <AlertList held={recent} label={t("Resolved lately")} />
                      <Link to="/alerts" search={{ state: "resolved" }} className={more}>
                        {t("All past alerts")}
                      </Link>
                    </>
                  )}
                </section>
              )}
            </div>
            <div className="flex min-w-0 flex-col gap-6">
              <Glance />
            </div>
          </div>
        </>
      )}
    </PageFrame>
  )
}

export default Now
