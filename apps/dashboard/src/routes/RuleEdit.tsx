/** `/rules/new` and `/rules/$id` */
import { useParams } from "@tanstack/react-router"
import { usePolicies } from "../api/policies.ts"
import { useChannels } from "../features/channels/queries.ts"
import { useRules } from "../features/rules/queries.ts"
import { RuleForm } from "../features/rules/RuleForm.tsx"
import { useProjectData } from "../live/ProjectData.tsx"
import { t } from "../locales/text.ts"
import { useKept } from "../ui/held.ts"
import { NotFound, PageError } from "./Failures.tsx"
import { restricted } from "./restricted.tsx"
import { BackLink, PageFrame } from "../ui/PageFrame.tsx"

const RuleEdit = () => {
  const { id } = useParams({ strict: false })
  const { state } = useProjectData()
  const rules = useRules()
  const channels = useChannels()
  const policies = usePolicies()
  const rule = useKept(rules.data, id)
  const error = rules.error ?? channels.error
  if (error !== null && (rules.data === undefined || channels.data === undefined))
    return (
      <PageError
        error={error}
        reset={() => {
          void rules.refetch()
          void channels.refetch()
        }}
      />
    )
  if (rules.data === undefined || channels.data === undefined || policies.isLoading || state === "loading") return null
  if (id !== undefined && rule === undefined) return <NotFound />
  const title = rule?.name ?? t("New rule")
  return (
    <PageFrame title={title} width="form" back={<BackLink to="/channels">{t("Channels and rules")}</BackLink>}>
      <RuleForm
        key={id ?? "new"}
        channels={channels.data}
        policies={policies.data ?? []}
        {...(rule === undefined ? {} : { rule })}
      />
    </PageFrame>
  )
}

export default restricted("alertRules.write", RuleEdit)
