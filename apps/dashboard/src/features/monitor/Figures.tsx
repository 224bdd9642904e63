/** Uptime and response time of one monitor in figures. */
import { useQuery } from "@tanstack/react-query"
import { useProjectData } from "../../live/ProjectData.tsx"
import { millis, percent } from "../../locales/time.ts"
import { t } from "../../locales/text.ts"
import { cardClass } from "../../ui/Section.tsx"
import { statsQuery } from "./queries.ts"

export const Figure = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <div className="flex flex-col">
    <dt className="text-[0.8125rem] text-soft">{label}</dt>
    <dd className="text-lg font-semibold">{value}</dd>
  </div>
)

export const Figures = ({ id }: { readonly id: string }) => {
  const { project } = useProjectData()
  const { data } = useQuery(statsQuery(project, id))
  const uptime = (value: number | null | undefined) => (value == null ? "–" : percent(value))
  return (
    <div className={cardClass}>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4 md:grid-cols-2 lg:grid-cols-4">
        <Figure label={`${t("Uptime")}, ${t("24 hours")}`} value={uptime(data?.uptime24h)} />
        <Figure label={`${t("Uptime")}, ${t("7 days")}`} value={uptime(data?.uptime7d)} />
        <Figure label={`${t("Uptime")}, ${t("30 days")}`} value={uptime(data?.uptime30d)} />
        <Figure
          label={`${t("Response time")}, ${t("24 hours")}`}
          value={data?.avgResponseTime == null ? "–" : millis(data.avgResponseTime)}
        />
      </dl>
    </div>
  )
}
