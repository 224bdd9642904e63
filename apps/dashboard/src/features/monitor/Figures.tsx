/** Uptime and response time of one monitor in figures. */
import { useQuery } from "@tanstack/react-query"
import type { MonitorRecord } from "../../live/MonitorStore.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t, type Text } from "../../locales/text.ts"
import { duration } from "../../locales/time.ts"
import { useNow } from "../../browser/now.ts"
import { Figure, NoFigure, Quantity } from "../../ui/Quantity.tsx"
import { statsQuery } from "./queries.ts"

const windows = [
  { name: "uptime24h", days: 1, text: "24 hours" },
  { name: "uptime7d", days: 7, text: "7 days" },
  { name: "uptime30d", days: 30, text: "30 days" }
] as const satisfies ReadonlyArray<{ readonly name: string; readonly days: number; readonly text: Text }>

export const Figures = ({ monitor: { createdAt, id } }: { readonly monitor: MonitorRecord }) => {
  const { project } = useProjectData()
  const { data } = useQuery(statsQuery(project, id))
  const age = (useNow() - Date.parse(createdAt)) / 1000
  // A monitor that is younger than a period has only its own age to show.
  const periodOf = (days: number, text: Text): string =>
    age < days * 86_400 ? t("since it was created {duration} ago", { duration: duration(age) }) : t(text)
  return (
    <dl className="grid grid-cols-2 items-start gap-x-6 gap-y-4 border-t border-line pt-5 sm:flex sm:flex-wrap sm:gap-x-12">
      {windows.map(({ days, name, text }) => (
        <Figure key={name} label={`${t("Uptime")}, ${periodOf(days, text)}`}>
          {data?.[name] === null ? (
            <NoFigure>{t("No data yet")}</NoFigure>
          ) : (
            <Quantity as="percent" value={data?.[name]} />
          )}
        </Figure>
      ))}
      <Figure label={`${t("Response time")}, ${periodOf(1, "24 hours")}`}>
        <Quantity as="millis" value={data?.avgResponseTime} />
      </Figure>
    </dl>
  )
}
