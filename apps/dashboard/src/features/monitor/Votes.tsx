/** The newest result of each region. A result that is older than two intervals does not vote. */
import { useQuery } from "@tanstack/react-query"
import type { MonitorRecord } from "../../live/MonitorStore.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { regionName } from "../../locales/regionName.ts"
import { reasonText } from "../../locales/reasons.ts"
import { t } from "../../locales/text.ts"
import { byName } from "../../ui/collation.ts"
import { useHeldBy } from "../../ui/held.ts"
import { Quantity } from "../../ui/Quantity.tsx"
import { Section } from "../../ui/Section.tsx"
import { Shape } from "../../ui/Status.tsx"
import { Ago } from "../../ui/Time.tsx"
import { newestQuery } from "./queries.ts"
import { toneOfResult, wordOfResult } from "./results.ts"

/** Checks that are under way when the page asks. */
const slack = 30

/** The newest results, newest first. None are asked for of a monitor that waits for signals. */
export const useNewest = ({ heartbeatUrl, id, interval, timeout }: MonitorRecord) => {
  const { project } = useProjectData()
  return useQuery({
    ...newestQuery(project, id, 2 * interval + timeout + slack),
    enabled: heartbeatUrl === undefined,
    refetchInterval: Math.max(interval, 10) * 1000
  })
}

const regionOf = ({ region }: { readonly region: string }): string => region

export const Votes = ({ checks }: { readonly checks: ReturnType<typeof useNewest>["data"] }) => {
  const newest = new Map(checks?.toReversed().map((check) => [check.region, check]))
  const held = useHeldBy(
    [...newest.values()].toSorted((one, other) => byName(one.region, other.region)),
    regionOf
  )
  const votes = held.rows
  if (votes.length === 0) return null
  const up = votes.filter(({ status }) => status === "up" || status === "degraded").length
  return (
    <Section
      title={t("Regions")}
      actions={
        <p className="text-sm text-soft">
          {t("Up in {up} of {count, plural, one {# region} other {# regions}}", { up, count: votes.length })}
        </p>
      }
    >
      <ul className="flex flex-col gap-2.5 text-sm">
        {votes.map(({ checkedAt, failure, region, responseTime, status }) => (
          <li key={region} className="flex min-w-0 items-start gap-2.5">
            <Shape tone={toneOfResult(status)} className="mt-0.5" />
            <div className="min-w-0">
              <p>
                <span className="font-medium">{regionName(region)}</span> · {wordOfResult(status)}
                {responseTime !== null && (
                  <>
                    {" · "}
                    <Quantity as="millis" value={responseTime} />
                  </>
                )}
              </p>
              <p className="text-small text-soft">
                {failure !== null && (
                  <>
                    <bdi>{reasonText(failure)}</bdi> ·{" "}
                  </>
                )}
                <Ago at={checkedAt} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  )
}
