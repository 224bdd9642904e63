/** The last 30 days of all monitors in figures, and the last outage. */
import { Link } from "@tanstack/react-router"
import { useMonitorName } from "../../live/names.ts"
import { day, duration } from "../../locales/time.ts"
import { t } from "../../locales/text.ts"
import { useNow } from "../../browser/now.ts"
import { Duration, Figure, NoFigure, Quantity } from "../../ui/Quantity.tsx"
import { Ago } from "../../ui/Time.tsx"
import type { OverviewRecord } from "./queries.ts"

const wholeMonth = 29 * 86_400_000

type Outage = NonNullable<OverviewRecord["lastOutage"]>

const LastOutage = ({ endedAt, monitorId, startedAt }: Outage) => {
  const name = useMonitorName(monitorId)
  return (
    <Figure
      className="max-sm:col-span-2"
      label={
        <>
          {t("Last outage")}:{" "}
          <Link
            to="/monitors/$id"
            params={{ id: monitorId }}
            search={{ view: "outages" }}
            className="text-ink underline underline-offset-3 pointer-coarse:inline-flex pointer-coarse:min-h-11 pointer-coarse:items-center"
          >
            <bdi>{name}</bdi>
          </Link>
          {endedAt !== null && <>, {duration((Date.parse(endedAt) - Date.parse(startedAt)) / 1000)}</>}
        </>
      }
    >
      {endedAt === null ? t("Now") : <Ago at={endedAt} />}
    </Figure>
  )
}

export const Month = ({ overview: { lastOutage, month } }: { readonly overview: OverviewRecord }) => {
  const now = useNow()
  const period =
    month === null || now - Date.parse(month.since) >= wholeMonth
      ? t("30 days")
      : t("since {date}", { date: day(month.since) })
  return (
    <dl
      aria-label={t("All monitors together")}
      className="grid grid-cols-2 items-start gap-x-6 gap-y-4 sm:grid-cols-[auto_auto_minmax(0,1fr)] sm:gap-x-10"
    >
      <Figure label={`${t("Uptime")}, ${period}`}>
        {month?.uptime == null ? (
          <NoFigure>{t("No data yet")}</NoFigure>
        ) : (
          <Quantity as="percent" value={month.uptime} />
        )}
      </Figure>
      <Figure label={`${t("Downtime of all monitors")}, ${period}`}>
        {month?.uptime == null ? (
          <NoFigure>{t("No data yet")}</NoFigure>
        ) : month.downSeconds === 0 ? (
          t("No downtime")
        ) : (
          <Duration seconds={month.downSeconds} />
        )}
      </Figure>
      {lastOutage === null ? (
        <Figure label={t("Last outage")}>
          <NoFigure>{t("No outage so far")}</NoFigure>
        </Figure>
      ) : (
        <LastOutage {...lastOutage} />
      )}
    </dl>
  )
}
