/** The integrations of a project: what each is heard of, its address when it is new, and what it could not read. */
import { useState } from "react"
import { type IntegrationRecord, useDeleteIntegration, useRotateIntegration } from "../../api/integrations.ts"
import { useMay } from "../../api/permissions.ts"
import { useSubmit } from "../../api/useSubmit.ts"
import { refusalOf } from "../../api/write.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Confirm } from "../../ui/Confirm.tsx"
import { CopyButton } from "../../ui/CopyButton.tsx"
import { DeletableList } from "../../ui/DeletableList.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Ago } from "../../ui/Time.tsx"
import { Bodies } from "./Bodies.tsx"
import { typeWord } from "./words.ts"

/** An address, which is shown once. */
export const Address = ({ address }: { readonly address: string }) => (
  <div className="flex flex-col gap-2" role="status">
    <code className="rounded-lg bg-ink/5 px-3 py-2 font-mono text-small break-all">{address}</code>
    <p className="text-small text-soft">
      {t("It is shown once. Give it to the sender: anyone who has it can open alerts.")}
    </p>
    <div>
      <CopyButton text={address} />
    </div>
  </div>
)

const Row = ({
  integration: { id, lastReceivedAt, name, openAlerts, quiet, rejected, type },
  onDelete,
  ruleName
}: {
  readonly integration: IntegrationRecord
  readonly onDelete: () => void
  readonly ruleName: string
}) => {
  const { project } = useProjectData()
  const { mutateAsync: rotate } = useRotateIntegration(project)
  const mayWrite = useMay("alertRules.write")
  const mayLook = useMay("secrets.read")
  const [address, setAddress] = useState<string | undefined>(undefined)
  const [isAsking, setAsking] = useState(false)
  const [isLooking, setLooking] = useState(false)
  const { errors, isBusy, submit } = useSubmit()
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-1 basis-60 flex-col gap-0.5">
          <p className="flex min-w-0 items-baseline gap-2">
            <bdi className="min-w-0 truncate font-medium">{name}</bdi>
            <span className="shrink-0 text-small text-soft">{typeWord(type)}</span>
          </p>
          <p className="text-small text-soft">
            {lastReceivedAt === null ? (
              t("Nothing has come yet")
            ) : (
              <>
                {t("Heard last")} <Ago at={lastReceivedAt} />
              </>
            )}{" "}
            · {t("{count, plural, one {# open alert} other {# open alerts}}", { count: openAlerts })} · {t("Rule")}:{" "}
            <bdi>{ruleName}</bdi>
          </p>
        </div>
        {mayWrite && (
          <div className="flex flex-wrap gap-1">
            <Button
              isDisabled={isBusy}
              onPress={() => setAsking(true)}
              aria-label={t("New address for {name}", { name })}
            >
              {t("New address")}
            </Button>
            <Button kind="quiet" onPress={onDelete} aria-label={t("Delete {name}", { name })}>
              {t("Delete")}
            </Button>
          </div>
        )}
      </div>
      {quiet && <Notice tone="degraded">{t("It is silent: an alert is open about that.")}</Notice>}
      {address !== undefined && <Address address={address} />}
      <FormProblem errors={errors} />
      {rejected > 0 && mayLook && (
        <div className="flex flex-col gap-3">
          <div>
            <Button kind="quiet" aria-expanded={isLooking} onPress={() => setLooking(!isLooking)}>
              {t("{count, plural, one {# body was not understood} other {# bodies were not understood}}", {
                count: rejected
              })}
            </Button>
          </div>
          {isLooking && <Bodies integrationId={id} />}
        </div>
      )}
      <Confirm
        title={t("Replace the address?")}
        action={t("Replace")}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false)
          void submit(async () => setAddress((await rotate(id)).address))
        }}
      >
        <p>{t("The present one stops working at once: the sender needs the new one.")}</p>
      </Confirm>
    </>
  )
}

export const IntegrationList = ({
  integrations,
  ruleNames
}: {
  readonly integrations: ReadonlyArray<IntegrationRecord>
  readonly ruleNames: ReadonlyMap<string, string>
}) => {
  const { project } = useProjectData()
  const { mutate: remove, ...attempt } = useDeleteIntegration(project)
  return (
    <DeletableList
      label={t("Integrations")}
      items={integrations}
      rowClass="flex flex-col gap-3 px-2 py-3.5"
      remove={remove}
      {...refusalOf([attempt])}
      question={t("Delete this integration?")}
      consequence={(doomed) =>
        t("{name} can send nothing any more, and its open alerts close without a notification.", {
          name: doomed?.name ?? ""
        })
      }
    >
      {(integration, onDelete) => (
        <Row integration={integration} onDelete={onDelete} ruleName={ruleNames.get(integration.ruleId) ?? "–"} />
      )}
    </DeletableList>
  )
}
