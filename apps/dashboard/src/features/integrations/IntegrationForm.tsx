/** The form of a new integration. Its rule is one for the alerts of integrations. */
import { useState } from "react"
import { type IntegrationRecord, useCreateIntegration } from "../../api/integrations.ts"
import { useSubmit } from "../../api/useSubmit.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { RouteLink } from "../../ui/Button.tsx"
import { Select } from "../../ui/Choice.tsx"
import { DialogForm } from "../../ui/DialogForm.tsx"
import { TextField } from "../../ui/Field.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { NumberField } from "../../ui/NumberField.tsx"
import { types, typeWord } from "./words.ts"

/** 0 is none. */
const minutes = (value: number): number | null => (value === 0 ? null : value)

export const IntegrationForm = ({
  onClose,
  onCreated,
  rules
}: {
  readonly rules: ReadonlyArray<{ readonly id: string; readonly name: string }>
  readonly onClose: () => void
  readonly onCreated: (created: IntegrationRecord & { readonly address: string }) => void
}) => {
  const { project } = useProjectData()
  const { mutateAsync: create } = useCreateIntegration(project)
  const [name, setName] = useState("")
  const [type, setType] = useState<IntegrationRecord["type"]>("alertmanager")
  const [ruleId, setRuleId] = useState(rules[0]?.id ?? "")
  const [resolveAfter, setResolveAfter] = useState(0)
  const [quietAfter, setQuietAfter] = useState(0)
  const { errors, isBusy, submit } = useSubmit(["name", "type", "ruleId", "resolveAfterMinutes", "quietAfterMinutes"])
  const send = () =>
    submit(async () => {
      const body = {
        name,
        type,
        ruleId,
        resolveAfterMinutes: minutes(resolveAfter),
        quietAfterMinutes: minutes(quietAfter)
      }
      onCreated(await create(body))
    })
  if (rules.length === 0)
    return (
      <div className="flex flex-col gap-4">
        <Notice tone="degraded">
          {t("An integration needs a rule for alerts of integrations, which says whom they notify. There is none yet.")}
        </Notice>
        <div>
          <RouteLink to="/rules/new" kind="primary">
            {t("New rule")}
          </RouteLink>
        </div>
      </div>
    )
  return (
    <DialogForm
      action={t("Create integration")}
      errors={errors}
      isBusy={isBusy}
      isReady={name.trim() !== ""}
      onClose={onClose}
      onSend={send}
    >
      <TextField
        label={t("Name")}
        value={name}
        onChange={setName}
        error={errors.fields["name"]}
        isRequired
        autoComplete="off"
        placeholder="Prometheus"
      />
      <Select
        label={t("Sender")}
        value={type}
        onChange={setType}
        options={types.map((id) => ({ id, label: typeWord(id) }))}
        error={errors.fields["type"]}
      />
      <Select
        label={t("Rule")}
        value={ruleId}
        onChange={setRuleId}
        options={rules.map(({ id, name }) => ({ id, label: name }))}
        error={errors.fields["ruleId"]}
      />
      <NumberField
        label={t("Resolve an alert that is not sent any more after")}
        help={t("0: it stays open until its sender or somebody resolves it.")}
        unit={t("minutes")}
        value={resolveAfter}
        onChange={setResolveAfter}
        minValue={0}
        maxValue={43_200}
        error={errors.fields["resolveAfterMinutes"]}
      />
      <NumberField
        label={t("Alert when nothing has come for")}
        help={t("0: never. The sender may be down, or cannot reach Kanmon.")}
        unit={t("minutes")}
        value={quietAfter}
        onChange={setQuietAfter}
        minValue={0}
        maxValue={43_200}
        error={errors.fields["quietAfterMinutes"]}
      />
    </DialogForm>
  )
}
