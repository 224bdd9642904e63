/** `/on-call/drills`: alerts for practice that run, are scheduled, or have ended. */
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { drillsKey, drillsQuery } from "../api/drills.ts"
import { useMay } from "../api/permissions.ts"
import { usePolicies } from "../api/policies.ts"
import { rulesQuery } from "../api/rules.ts"
import { DrillForm } from "../features/drills/DrillForm.tsx"
import { DrillList } from "../features/drills/DrillList.tsx"
import { useProjectData } from "../live/ProjectData.tsx"
import { useRefresh } from "../live/refresh.ts"
import { t } from "../locales/text.ts"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { EmptyState } from "../ui/Notice.tsx"
import { Dialog } from "../ui/Overlay.tsx"
import { BackLink, PageFrame } from "../ui/PageFrame.tsx"
import { Section } from "../ui/Section.tsx"
import { PageError } from "./Failures.tsx"

const Drills = () => {
  const { project, store } = useProjectData()
  const navigate = useNavigate()
  useRefresh(drillsKey(project), ({ type }) => type.startsWith("kanmon.drill."))
  const drills = useQuery(drillsQuery(project))
  const { data: rules = [] } = useQuery(rulesQuery(project))
  const { data: policies = [] } = usePolicies()
  const mayWrite = useMay("alertRules.write")
  const [isOpen, setOpen] = useState(false)
  if (drills.data === undefined)
    return drills.error === null ? null : <PageError error={drills.error} reset={() => void drills.refetch()} />
  const coming = drills.data.filter(({ endedAt }) => endedAt === null)
  const past = drills.data.filter(({ endedAt }) => endedAt !== null)
  const create = mayWrite && (
    <Button kind="primary" onPress={() => setOpen(true)}>
      <Icon name="plus" />
      {t("New drill")}
    </Button>
  )
  const isEmpty = drills.data.length === 0
  return (
    <PageFrame
      title={t("Drills")}
      width="text"
      back={<BackLink to="/on-call">{t("On-call")}</BackLink>}
      actions={!isEmpty && create}
    >
      {isEmpty && (
        <EmptyState title={t("No drill yet")} actions={create}>
          {t(
            "A drill pages the people of a policy for practice, and reports who was reached after how long, by what, and what failed."
          )}
        </EmptyState>
      )}
      {coming.length > 0 && (
        <Section title={t("Running and scheduled")}>
          <DrillList label={t("Running and scheduled")} drills={coming} />
        </Section>
      )}
      {past.length > 0 && (
        <Section title={t("Past")}>
          <DrillList label={t("Past")} drills={past} />
        </Section>
      )}
      <Dialog title={t("New drill")} isOpen={isOpen} onOpenChange={setOpen}>
        <DrillForm
          targets={{
            policies,
            rules: rules.filter(({ escalationPolicyId }) => escalationPolicyId !== null),
            monitors: [...store.monitors.values()]
          }}
          onClose={() => setOpen(false)}
          onCreated={({ id, status }) => {
            setOpen(false)
            if (status === "running") void navigate({ to: "/on-call/drills/$id", params: { id } })
          }}
        />
      </Dialog>
    </PageFrame>
  )
}

export default Drills
