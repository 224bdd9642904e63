/** Writes an update of an incident: its status and a text for visitors. */
import { type SyntheticEvent, useState } from "react"
import { useSubmit } from "../../api/useSubmit.ts"
import { LeaveGuard } from "../../forms/LeaveGuard.tsx"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Segments } from "../../ui/Choice.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { useNow } from "../../browser/now.ts"
import { Section } from "../../ui/Section.tsx"
import { useWhat } from "./Affected.tsx"
import { MessageField } from "./MessageField.tsx"
import type { IncidentRecord, Status } from "./queries.ts"
import { templatesOf } from "./templates.ts"
import { entryWord, phaseOf, statuses, statusWord } from "./words.ts"
import { incidentFields, useUpdateIncident } from "./writes.ts"

export const UpdateForm = ({ incident }: { readonly incident: IncidentRecord }) => {
  const { maintenance } = incident
  const now = useNow()
  const [chosen, setStatus] = useState<Status | undefined>(undefined)
  const [message, setMessage] = useState("")
  const { mutateAsync: change } = useUpdateIncident()
  const { errors, isBusy, submit: send } = useSubmit(incidentFields)
  const what = useWhat(incident)
  const status = chosen ?? incident.status
  const isChanged = message.trim() !== "" || status !== incident.status
  const kind = !maintenance ? "incident" : phaseOf(incident, now) === "scheduled" ? "planned" : "running"

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault()
    const resolvedAt = status === "resolved" ? (incident.resolvedAt ?? new Date().toISOString()) : null
    const body = { status, ...(message.trim() === "" ? {} : { message }) }
    if (!(await send(() => change({ incident, body, expected: { status, resolvedAt } })))) return
    setMessage("")
    setStatus(undefined)
  }

  return (
    <Section title={t("Write an update")}>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4" noValidate>
        {!maintenance && (
          <div>
            <Segments
              label={t("Status")}
              value={status}
              onChange={(id) => setStatus(statuses.find((each) => each === id))}
              options={statuses.map((id) => ({ id, label: statusWord(id) }))}
            />
          </div>
        )}
        {errors.fields["status"] !== undefined && <Notice>{errors.fields["status"]}</Notice>}
        <MessageField
          label={t("Text")}
          value={message}
          onChange={setMessage}
          error={errors.fields["message"]}
          optional={!maintenance && status !== incident.status}
          step={entryWord(status, maintenance)}
          templates={templatesOf(status, kind, what)}
        />
        <FormProblem errors={errors} />
        <div>
          <Button kind="primary" type="submit" isDisabled={isBusy || !isChanged}>
            {status === "resolved" && incident.status !== "resolved"
              ? t("Publish and resolve")
              : t("Publish the update")}
          </Button>
        </div>
      </form>
      <LeaveGuard isChanged={() => message.trim() !== ""} />
    </Section>
  )
}
