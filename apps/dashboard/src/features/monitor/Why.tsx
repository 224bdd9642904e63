/** Why a monitor is down: the newest failing check with what the target answered. */
import { useQuery } from "@tanstack/react-query"
import type { MonitorRecord } from "../../live/MonitorStore.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { Section } from "../../ui/Section.tsx"
import { Capture } from "./Capture.tsx"
import { failingQuery } from "./queries.ts"
import { Stages } from "../../ui/Stages.tsx"

export const Why = ({ monitor }: { readonly monitor: MonitorRecord }) => {
  const { project } = useProjectData()
  const { id, lastFailure, status } = monitor
  const failing = status === "down" && lastFailure !== null
  const { data } = useQuery({
    ...failingQuery(project, id, lastFailure ?? { at: monitor.createdAt, region: "" }),
    enabled: failing,
    // The answer before stays until the next one is here.
    placeholderData: (before) => before
  })
  if (!failing || data == null || (data.capture === null && Object.keys(data.timing).length === 0)) return null
  return (
    <Section title={t("What the target answered")}>
      <Stages timing={data.timing} />
      {data.capture !== null && <Capture capture={data.capture} />}
    </Section>
  )
}
