/** The last 30 days of all monitors in figures, and the last outage. */
import { Link } from "@tanstack/react-router"
import { useMonitorName } from "../../live/names.ts"
import { day, duration } from "../../locales/time.ts"
import { t } from "../../locales/text.ts"
import { useNow } from "../../browser/now.ts"
import { Duration, Figure, Quantity } from "../../ui/Quantity.tsx"
import { Ago } from "../../ui/Time.tsx"
import type { OverviewRecord } from "./queries.ts"

const wholeMonth = 29 * 86_400_000

/** Where there is no figure. */
const small = (text: string) => <span className="text-base font-normal text-soft">{text}</span>

type Outage = NonNullable<OverviewRecord["lastOutage"]>

const LastOutage = ({ endedAt, monitorId, startedAt }: Outage) => {
  const name = useMonitorName(monitorId)
  return (
    <div className="flex min-w-0 flex-col-reverse justify-end max-sm:col-span-2">
      <dt className="text-small text-soft">
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
      </dt>
      <dd className="text-xl leading-tight font-semibold">{endedAt === null ? t("Now") : <Ago at={endedAt} />}</dd>
    </div>
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
        {month?.uptime == null ? small(t("No data yet")) : <Quantity as="percent" value={month.uptime} />}
      </Figure>
      <Figure label={`${t("Downtime of all monitors")}, ${period}`}>
        {month?.uptime == null ? (
          small(t("No data yet"))
        ) : month.downSeconds === 0 ? (
          t("No downtime")
        ) : (
          <Duration seconds={month.downSeconds} />
        )}
      </Figure>
      {lastOutage === null ? (
        <Figure label={t("Last outage")}>{small(t("No outage so far"))}</Figure>
      ) : (
        <LastOutage {...lastOutage} />
      )}
    </dl>
  )
}
