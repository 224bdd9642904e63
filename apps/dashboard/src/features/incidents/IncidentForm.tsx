/** The form that creates or changes an incident or a maintenance window. */
import { useNavigate } from "@tanstack/react-router"
import { type SyntheticEvent, useRef, useState } from "react"
import { useSubmit } from "../../api/useSubmit.ts"
import { LeaveGuard } from "../../forms/LeaveGuard.tsx"
import { t } from "../../locales/text.ts"
import { ownZone } from "../../locales/time.ts"
import { Button } from "../../ui/Button.tsx"
import { Segments } from "../../ui/Choice.tsx"
import { TextField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { AffectedFields, useWhat } from "./Affected.tsx"
import { MessageField } from "./MessageField.tsx"
import type { IncidentRecord, Status } from "./queries.ts"
import { templatesOf } from "./templates.ts"
import { draftOf, newDraft, windowOf } from "./windowDraft.ts"
import { WindowFields } from "./WindowFields.tsx"
import { entryWord, statuses, statusWord } from "./words.ts"
import { incidentFields, useCreateIncident, useUpdateIncident } from "./writes.ts"

export const IncidentForm = ({
  incident,
  maintenance
}: {
  readonly incident?: IncidentRecord
  readonly maintenance: boolean
}) => {
  const navigate = useNavigate()
  const [title, setTitle] = useState(incident?.title ?? "")
  const [status, setStatus] = useState<Status>("investigating")
  const [message, setMessage] = useState("")
  const [monitorIds, setMonitorIds] = useState<ReadonlyArray<string>>(incident?.monitorIds ?? [])
  const [tags, setTags] = useState<ReadonlyArray<string>>(incident?.tags ?? [])
  const [first] = useState(() =>
    incident === undefined ? newDraft(Date.now(), ownZone()) : draftOf(incident, ownZone(), Date.now())
  )
  const [draft, setDraft] = useState(first)
  const { mutateAsync: change } = useUpdateIncident()
  const { mutateAsync: create } = useCreateIncident()
  const { errors, isBusy, submit: send } = useSubmit(incidentFields)
  const saved = useRef(false)
  const what = useWhat({ monitorIds: [...monitorIds], tags: [...tags] })

  const common = {
    title,
    monitorIds,
    tags,
    ...(maintenance ? windowOf(draft, incident === undefined ? undefined : { draft: first, incident }) : {})
  }
  const created = { ...common, maintenance, status, message }
  const body = incident === undefined ? created : common
  const [before] = useState(() => JSON.stringify(body))
  const isChanged = () => !saved.current && JSON.stringify(body) !== before

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault()
    await send(async () => {
      const { id } = await (incident === undefined ? create(created) : change({ incident, body: common }))
      saved.current = true
      await navigate({ to: "/incidents/$id", params: { id }, replace: incident === undefined })
    })
  }

  return (
    <form onSubmit={(event) => void submit(event)} className="flex min-w-0 flex-col gap-6" noValidate>
      <TextField
        label={t("Title")}
        help={maintenance ? undefined : t("What visitors notice, in a few words: “Payments fail”")}
        value={title}
        onChange={setTitle}
        error={errors.fields["title"]}
        isRequired
        maxLength={200}
        autoComplete="off"
      />
      {maintenance && <WindowFields draft={draft} errors={errors.fields} onChange={setDraft} />}
      {incident === undefined && (
        <section className="flex min-w-0 flex-col gap-3">
          <h2>{t("What visitors read")}</h2>
          {!maintenance && (
            <div>
              <Segments
                label={t("Status")}
                value={status}
                onChange={(id) => setStatus(statuses.find((each) => each === id) ?? status)}
                options={statuses.map((id) => ({ id, label: statusWord(id) }))}
              />
            </div>
          )}
          <MessageField
            label={t("Text")}
            value={message}
            onChange={setMessage}
            error={errors.fields["message"]}
            step={entryWord(status, maintenance)}
            title={title}
            templates={templatesOf(status, maintenance ? "planned" : "incident", what)}
          />
        </section>
      )}
      <AffectedFields
        monitorIds={monitorIds}
        tags={tags}
        onMonitorIds={setMonitorIds}
        onTags={setTags}
        errors={errors.fields}
      />
      <FormProblem errors={errors} />
      <div>
        <Button
          kind="primary"
          type="submit"
          isDisabled={isBusy || title.trim() === "" || (incident === undefined && message.trim() === "")}
        >
          {incident !== undefined ? t("Save") : maintenance ? t("Schedule maintenance") : t("Publish the incident")}
        </Button>
      </div>
      <LeaveGuard isChanged={isChanged} />
    </form>
  )
}
