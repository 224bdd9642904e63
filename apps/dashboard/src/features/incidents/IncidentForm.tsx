/** The form that creates or changes an incident or a maintenance window. */
import { useNavigate } from "@tanstack/react-router"
import { type SyntheticEvent, useState } from "react"
import { byField } from "../../api/problem.ts"
import { useDraft } from "../../api/useDraft.ts"
import { ConflictNotice } from "../../forms/ConflictNotice.tsx"
import { LeaveGuard } from "../../forms/LeaveGuard.tsx"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { ownZone } from "../../locales/time.ts"
import { Button } from "../../ui/Button.tsx"
import { Segments } from "../../ui/Choice.tsx"
import { TextField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { AffectedFields, useWhat } from "./Affected.tsx"
import { MessageField } from "./MessageField.tsx"
import { incidentQuery, type IncidentRecord, type Status } from "./queries.ts"
import { templatesOf } from "./templates.ts"
import { draftOf, newDraft, windowOf } from "./windowDraft.ts"
import { WindowFields } from "./WindowFields.tsx"
import { entryWord, statuses, statusWord } from "./words.ts"
import { incidentFields, useCreateIncident, useUpdateIncident } from "./writes.ts"

interface Fields {
  readonly title: string
  readonly status: Status
  readonly message: string
  readonly monitorIds: ReadonlyArray<string>
  readonly tags: ReadonlyArray<string>
  readonly draft: ReturnType<typeof newDraft>
}

export const IncidentForm = ({
  incident,
  maintenance
}: {
  readonly incident?: IncidentRecord
  readonly maintenance: boolean
}) => {
  const navigate = useNavigate()
  const { project } = useProjectData()
  const [opened] = useState(Date.now)
  const { mutateAsync: update } = useUpdateIncident()
  const { mutateAsync: create } = useCreateIncident()
  const { change, conflict, errors, fields, initial, isBusy, isChanged, save } = useDraft(
    (known: IncidentRecord | undefined): Fields => ({
      title: known?.title ?? "",
      status: "investigating",
      message: "",
      monitorIds: known?.monitorIds ?? [],
      tags: known?.tags ?? [],
      draft: known === undefined ? newDraft(opened, ownZone()) : draftOf(known, ownZone(), opened)
    }),
    byField(incidentFields),
    undefined,
    { record: incident, query: incidentQuery(project, incident?.id ?? "") }
  )
  const { draft, message, monitorIds, status, tags, title } = fields
  const what = useWhat({ monitorIds: [...monitorIds], tags: [...tags] })

  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const common = {
      title,
      monitorIds,
      tags,
      ...(maintenance ? windowOf(draft, incident && { draft: initial.draft, incident }) : {})
    }
    void save(
      () =>
        incident === undefined
          ? create({ ...common, maintenance, status, message })
          : update({ incident, body: common }),
      ({ id }) => navigate({ to: "/incidents/$id", params: { id }, replace: incident === undefined })
    )
  }

  return (
    <form onSubmit={submit} className="flex min-w-0 flex-col gap-6" noValidate>
      <TextField
        label={t("Title")}
        help={maintenance ? undefined : t("What visitors notice, in a few words: “Payments fail”")}
        value={title}
        onChange={(title) => change({ title })}
        error={errors.fields["title"]}
        isRequired
        maxLength={200}
        autoComplete="off"
      />
      {maintenance && <WindowFields draft={draft} errors={errors.fields} onChange={(draft) => change({ draft })} />}
      {incident === undefined && (
        <section className="flex min-w-0 flex-col gap-3">
          <h2>{t("What visitors read")}</h2>
          {!maintenance && (
            <div>
              <Segments
                label={t("Status")}
                value={status}
                onChange={(id) => change({ status: statuses.find((each) => each === id) ?? status })}
                options={statuses.map((id) => ({ id, label: statusWord(id) }))}
              />
            </div>
          )}
          <MessageField
            label={t("Text")}
            value={message}
            onChange={(message) => change({ message })}
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
        onMonitorIds={(monitorIds) => change({ monitorIds })}
        onTags={(tags) => change({ tags })}
        errors={errors.fields}
      />
      <ConflictNotice of={conflict} />
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
