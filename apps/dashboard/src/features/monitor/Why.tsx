/** Why a monitor is down: the newest failing check with what the target answered. */
import { useQuery } from "@tanstack/react-query"
import type { MonitorRecord } from "../../live/MonitorStore.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { Section } from "../../ui/Section.tsx"
import { Capture } from "./Capture.tsx"
import { failingQuery } from "./queries.ts"
import { Stages } from "../../ui/Stages.tsx"

/** The newest failing check while the monitor is down. */
export const useFailing = ({ createdAt, id, lastFailure, status }: MonitorRecord) => {
  const { project } = useProjectData()
  const failing = status === "down" && lastFailure !== null
  const { data, isLoading } = useQuery({
    ...failingQuery(project, id, lastFailure ?? { at: createdAt, region: "" }),
    enabled: failing,
    // The answer before stays until the next one is here.
    placeholderData: (before) => before
  })
  return { check: failing ? (data ?? null) : null, isLoading }
}

export const Why = ({ check }: Pick<ReturnType<typeof useFailing>, "check">) => {
  if (check === null || (check.capture === null && Object.keys(check.timing).length === 0)) return null
  return (
    <Section title={t("Response of the target")}>
      <Stages timing={check.timing} />
      {check.capture !== null && <Capture capture={check.capture} />}
    </Section>
  )
}
