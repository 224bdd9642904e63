/** The alert rules of a project, and who they would notify about a monitor. */
import type { AlertRule } from "@kanmon/domain/AlertRule"
import type { ChannelRecord } from "@kanmon/protocol/ChannelBody"
import type { RulePreview } from "@kanmon/protocol/RuleBody"
import { useQuery } from "@tanstack/react-query"
import type { Policy } from "../../api/policies.ts"
import { request } from "../../api/request.ts"
import { rulesQuery } from "../../api/rules.ts"
import { useProjectData } from "../../live/ProjectData.tsx"

export type Rule = typeof AlertRule.Encoded
export type Preview = typeof RulePreview.Encoded
/** The fields of a channel that rules need. */
export type ChannelName = Pick<typeof ChannelRecord.Encoded, "id" | "name" | "type">

/** The fields of an escalation policy that rules need. */
export type PolicyName = Pick<Policy, "id" | "name">

export const useRules = () => useQuery(rulesQuery(useProjectData().project))

/** The recipients of notifications about a monitor. */
export const usePreview = (monitorId: string | undefined) => {
  const { project } = useProjectData()
  return useQuery({
    queryKey: ["rules", project.id, "preview", monitorId],
    queryFn: ({ signal }) =>
      request("GET /alert-rules/preview", { query: { monitorId: monitorId ?? "" }, project: project.headers, signal }),
    enabled: monitorId !== undefined,
    staleTime: 0
  })
}
