/** Uptime and response time of one monitor in figures. */
import { useQuery } from "@tanstack/react-query"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { Figure, Quantity } from "../../ui/Quantity.tsx"
import { statsQuery } from "./queries.ts"

export const Figures = ({ id }: { readonly id: string }) => {
  const { project } = useProjectData()
  const { data } = useQuery(statsQuery(project, id))
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 border-t border-line pt-5 sm:grid-cols-4">
      <Figure label={`${t("Uptime")}, ${t("24 hours")}`}>
        <Quantity as="percent" value={data?.uptime24h} />
      </Figure>
      <Figure label={`${t("Uptime")}, ${t("7 days")}`}>
        <Quantity as="percent" value={data?.uptime7d} />
      </Figure>
      <Figure label={`${t("Uptime")}, ${t("30 days")}`}>
        <Quantity as="percent" value={data?.uptime30d} />
      </Figure>
      <Figure label={`${t("Response time")}, ${t("24 hours")}`}>
        <Quantity as="millis" value={data?.avgResponseTime} />
      </Figure>
    </dl>
  )
}
