/** `/integrations`: other software that sends its alerts. */
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { integrationsQuery } from "../api/integrations.ts"
import { useMay } from "../api/permissions.ts"
import { rulesQuery } from "../api/rules.ts"
import { IntegrationForm } from "../features/integrations/IntegrationForm.tsx"
import { Address, IntegrationList } from "../features/integrations/IntegrationList.tsx"
import { isExternal } from "../features/rules/sentence.tsx"
import { useProjectData } from "../live/ProjectData.tsx"
import { t } from "../locales/text.ts"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { EmptyState } from "../ui/Notice.tsx"
import { Dialog } from "../ui/Overlay.tsx"
import { BackLink, PageFrame } from "../ui/PageFrame.tsx"
import { PageError } from "./Failures.tsx"

const Integrations = () => {
  const { project } = useProjectData()
  const integrations = useQuery({ ...integrationsQuery(project), refetchInterval: 30_000 })
  const rules = useQuery(rulesQuery(project))
  const mayWrite = useMay("alertRules.write")
  const [isOpen, setOpen] = useState(false)
  const [address, setAddress] = useState<string | undefined>(undefined)
  const close = () => {
    setOpen(false)
    setAddress(undefined)
  }
  const error = integrations.error ?? rules.error
  if (integrations.data === undefined || rules.data === undefined)
    return error === null ? null : (
      <PageError
        error={error}
        reset={() => {
          void integrations.refetch()
          void rules.refetch()
        }}
      />
    )
  return (
    <PageFrame
      title={t("Integrations")}
      width="text"
      back={<BackLink to="/channels">{t("Channels and rules")}</BackLink>}
      actions={
        mayWrite && (
          <Button kind="primary" onPress={() => setOpen(true)}>
            <Icon name="plus" />
            {t("New integration")}
          </Button>
        )
      }
    >
      {integrations.data.length === 0 ? (
        <EmptyState title={t("No integrations")}>
          {t(
            "Alertmanager, Grafana or any program that posts JSON can send its alerts here: they notify and escalate as those of monitors do."
          )}
        </EmptyState>
      ) : (
        <IntegrationList
          integrations={integrations.data}
          ruleNames={new Map(rules.data.map(({ id, name }) => [id, name]))}
        />
      )}
      <Dialog
        title={address === undefined ? t("New integration") : t("The address of the integration")}
        isOpen={isOpen}
        dismissable={address === undefined}
        onOpenChange={close}
      >
        {address === undefined ? (
          <IntegrationForm
            rules={rules.data.filter(isExternal)}
            onClose={close}
            onCreated={(created) => setAddress(created.address)}
          />
        ) : (
          <>
            <Address address={address} />
            <div className="flex justify-end">
              <Button kind="primary" onPress={close}>
                {t("Done")}
              </Button>
            </div>
          </>
        )}
      </Dialog>
    </PageFrame>
  )
}

export default Integrations
