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
    const known = new Map(data?.map((day) => [day.date, day]))
    const today = Date.now()
    return Array.from({ length: shownDays }, (_, index) => {
      const date = new Date(today - (shownDays - 1 - index) * dayMillis).toISOString().slice(0, 10)
      return known.get(date) ?? { date, uptime: null, downtime: 0 }
    })
  }, [data])
  const known = days.filter(({ uptime }) => uptime !== null).length
  const hurt = days.filter(({ downtime }) => downtime > 0).length
  return (
    <Section title={t("Last 90 days")}>
      <DayBars days={days} label={t("Uptime by day, last 90 days")} />
      <div className="flex justify-between gap-4 text-small text-soft">
        <span>{t("90 days ago")}</span>
        <span className="text-center">
          {data !== undefined &&
            (known === 0
              ? t("No data yet")
              : t("Downtime on {hurt} of {known, plural, one {# day with data} other {# days with data}}", {
                  hurt,
                  known
                }))}
        </span>
        <span>{t("Today")}</span>
      </div>
    </Section>
  )
}
