/** Uptime by day of the last 90 days. */
import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { DayBars } from "../../ui/DayBars.tsx"
import { Section } from "../../ui/Section.tsx"
import { dailyQuery } from "./queries.ts"

const dayMillis = 86_400_000
const shownDays = 90

export const Daily = ({ id }: { readonly id: string }) => {
  const { project } = useProjectData()
  const { data } = useQuery(dailyQuery(project, id))
  const days = useMemo(() => {
    const known = new Map(data?.map(({ date, uptime }) => [date, uptime]))
    const today = Date.now()
    return Array.from({ length: shownDays }, (_, index) => {
      const date = new Date(today - (shownDays - 1 - index) * dayMillis).toISOString().slice(0, 10)
      return { date, uptime: known.get(date) }
    })
  }, [data])
  return (
    <Section title={t("Last 90 days")}>
      <DayBars days={days} label={t("Last 90 days")} />
      <div className="flex justify-between text-small text-soft">
        <span>{t("90 days ago")}</span>
        <span>{t("Today")}</span>
      </div>
    </Section>
  )
}
