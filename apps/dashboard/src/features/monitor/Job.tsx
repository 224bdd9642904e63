/** The promise of a job, the time of its next expected signal, and its newest signals. */
import { Link } from "@tanstack/react-router"
import { useInfiniteQuery } from "@tanstack/react-query"
import type { MonitorRecord } from "../../live/MonitorStore.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { Fact } from "../../ui/Fact.tsx"
import { Duration } from "../../ui/Quantity.tsx"
import { Section } from "../../ui/Section.tsx"
import { Ago, Moment } from "../../ui/Time.tsx"
import { expectationOf } from "./expectation.ts"
import { signalsQuery } from "./queries.ts"
import { SignalRow } from "./SignalLog.tsx"

const shownSignals = 5
const unknown = <span className="text-soft">–</span>

/** The newest signals of a job; nothing is asked for other monitors. */
export const useSignals = ({ heartbeatUrl, id }: MonitorRecord) => {
  const { project } = useProjectData()
  const { data, isLoading } = useInfiniteQuery({
    ...signalsQuery(project, id, undefined),
    enabled: heartbeatUrl !== undefined
  })
  return { isLoading, signals: data?.pages[0]?.items }
}

/** The rhythm of a job, for the facts of its monitor. */
export const JobFacts = ({ monitor }: { readonly monitor: MonitorRecord }) => {
  const { interval } = monitor
  const { signals } = useSignals(monitor)
  const { grace, nextAt, schedule, timezone } = expectationOf(monitor, signals ?? [])
  const newest = signals?.[0]
  return (
    <>
      {schedule === undefined ? (
        <Fact label={t("Expected every")}>
          <Duration seconds={interval} />
        </Fact>
      ) : (
        <Fact label={t("Schedule")}>
          <code>{schedule}</code> {timezone}
        </Fact>
      )}
      <Fact label={t("Grace")}>
        <Duration seconds={grace} />
      </Fact>
      <Fact label={t("Last signal")}>{newest === undefined ? unknown : <Ago at={newest.at} />}</Fact>
      {schedule === undefined && (
        <Fact label={t("Next signal")}>
          {nextAt === undefined ? unknown : <Moment at={new Date(nextAt).toISOString()} />}
        </Fact>
      )}
    </>
  )
}

export const NewestSignals = ({ monitor }: { readonly monitor: MonitorRecord }) => {
  const { signals } = useSignals(monitor)
  if (signals === undefined || signals.length === 0) return null
  return (
    <Section
      title={t("Newest signals")}
      actions={
        <Link
          to="/monitors/$id"
          params={{ id: monitor.id }}
          search={{ view: "signals" }}
          className="text-sm text-accent underline underline-offset-3"
        >
          {t("All signals")}
        </Link>
      }
    >
      <ul className="flex flex-col divide-y divide-line">
        {signals.slice(0, shownSignals).map((signal) => (
          <li key={signal.id}>
            <SignalRow signal={signal} id={monitor.id} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
