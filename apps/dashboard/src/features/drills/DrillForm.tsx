/** The form of a drill: what it tries, when it begins, and how often. */
import { useState } from "react"
import { type DrillRecord, useCreateDrill } from "../../api/drills.ts"
import { useSubmit } from "../../api/useSubmit.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { ownZone } from "../../locales/time.ts"
import { Select } from "../../ui/Choice.tsx"
import { ComboBox } from "../../ui/ComboBox.tsx"
import { DialogForm } from "../../ui/DialogForm.tsx"
import { FieldProblem, TextField } from "../../ui/Field.tsx"
import { everyWord } from "./words.ts"

interface Named {
  readonly id: string
  readonly name: string
}

/** What can be tried. */
export interface Targets {
  readonly policies: ReadonlyArray<Named>
  /** Those with a policy. */
  readonly rules: ReadonlyArray<Named>
  readonly monitors: ReadonlyArray<Named>
}

const fields = { policies: "policyId", rules: "ruleId", monitors: "monitorId" } as const
type Kind = keyof typeof fields

const [now, later] = ["now", "later"] as const
const once = "once"

export const DrillForm = ({
  onClose,
  onCreated,
  targets
}: {
  readonly targets: Targets
  readonly onClose: () => void
  readonly onCreated: (created: DrillRecord) => void
}) => {
  const { project } = useProjectData()
  const { mutateAsync: create } = useCreateDrill(project)
  const [kind, setKind] = useState<Kind>("policies")
  const [id, setId] = useState<string | null>(targets.policies[0]?.id ?? null)
  const [when, setWhen] = useState<typeof now | typeof later>(now)
  const [startsAt, setStartsAt] = useState("")
  const [every, setEvery] = useState<NonNullable<DrillRecord["every"]> | typeof once>(once)
  const { errors, isBusy, submit } = useSubmit(["policyId", "ruleId", "monitorId", "startsAt", "every"])
  const isReady = id !== null && (when === now || startsAt !== "")
  const send = () =>
    submit(async () => {
      if (id === null) return
      onCreated(
        await create({
          [fields[kind]]: id,
          startsAt: when === now ? null : new Date(startsAt).toISOString(),
          every: every === once ? null : every,
          timezone: ownZone()
        })
      )
    })
  const problem = errors.fields[fields[kind]]
  return (
    <DialogForm
      action={when === now ? t("Start the drill") : t("Schedule the drill")}
      errors={errors}
      isBusy={isBusy}
      isReady={isReady}
      onClose={onClose}
      onSend={send}
    >
      <p className="text-sm text-soft">
        {t("It pages real people as a real alert would. Each message begins with DRILL, and no figure counts it.")}
      </p>
      <Select
        label={t("Try")}
        value={kind}
        onChange={(chosen) => {
          setKind(chosen)
          setId(targets[chosen][0]?.id ?? null)
        }}
        options={[
          { id: "policies", label: t("An escalation policy") },
          { id: "rules", label: t("A rule"), help: t("With its channels and its policy") },
          { id: "monitors", label: t("A monitor"), help: t("All rules that tell of an outage") }
        ]}
      />
      <div className="flex flex-col gap-1">
        <ComboBox
          key={kind}
          label={t("Name")}
          value={id}
          onChange={setId}
          options={targets[kind].map((target) => ({ id: target.id, label: target.name }))}
        />
        {problem !== undefined && <FieldProblem>{problem}</FieldProblem>}
      </div>
      <Select
        label={t("Begin")}
        value={when}
        onChange={setWhen}
        options={[
          { id: now, label: t("Now") },
          { id: later, label: t("At a time") }
        ]}
      />
      {when === later && (
        <TextField
          label={t("Begins at")}
          type="datetime-local"
          value={startsAt}
          onChange={setStartsAt}
          error={errors.fields["startsAt"]}
          isRequired
        />
      )}
      <Select
        label={t("Repeat")}
        value={every}
        onChange={setEvery}
        options={[
          { id: once, label: t("Not repeated") },
          { id: "week", label: everyWord("week") },
          { id: "month", label: everyWord("month") },
          { id: "quarter", label: everyWord("quarter") }
        ]}
        error={errors.fields["every"]}
      />
    </DialogForm>
  )
}
