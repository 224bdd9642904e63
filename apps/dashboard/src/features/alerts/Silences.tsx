/** Silences: which monitors nothing is sent about, until when and why; a form for a new one. */
import { useQuery } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { reasonOf } from "../../api/problem.ts"
import { useMay } from "../../api/permissions.ts"
import { useSubmit } from "../../api/useSubmit.ts"
import { nameOfMonitor, useMonitorChoices } from "../../live/names.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Select } from "../../ui/Choice.tsx"
import { classes, listClass } from "../../ui/classes.ts"
import { TextField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { goneClass, useHeld } from "../../ui/held.ts"
import { Icon } from "../../ui/Icon.tsx"
import { EmptyState, Notice } from "../../ui/Notice.tsx"
import { Dialog } from "../../ui/Overlay.tsx"
import { PickList } from "../../ui/PickList.tsx"
import { Moment } from "../../ui/Time.tsx"
import { Refusal } from "../../ui/Toast.tsx"
import { Waiting } from "../../ui/Waiting.tsx"
import { type SilenceRecord, silencesQuery, useAlertEvents } from "./queries.ts"
import { useCreateSilence, useEndSilence } from "./writes.ts"

const lengths = [
  { id: "1", label: () => t("1 hour") },
  { id: "4", label: () => t("4 hours") },
  { id: "24", label: () => t("24 hours") },
  { id: "168", label: () => t("7 days") }
]

const Form = ({ onDone }: { readonly onDone: () => void }) => {
  const { mutateAsync: create } = useCreateSilence()
  const monitors = useMonitorChoices()
  const [monitorIds, setMonitorIds] = useState<ReadonlyArray<string>>([])
  const [tags, setTags] = useState("")
  const [hours, setHours] = useState("4")
  const [reason, setReason] = useState("")
  const { errors, isBusy, submit } = useSubmit(["monitorIds", "tags", "reason"])
  const send = (event: FormEvent) => {
    event.preventDefault()
    void submit(async () => {
      await create({
        monitorIds,
        tags: tags.split(/[\s,]+/).filter((tag) => tag !== ""),
        until: new Date(Date.now() + Number(hours) * 3_600_000).toISOString(),
        reason
      })
      onDone()
    })
  }
  return (
    <form onSubmit={send} className="flex flex-col gap-4" noValidate>
      <p className="text-soft">
        {t("Nothing is sent about these monitors until the silence ends. Checks and status pages go on.")}
      </p>
      <PickList
        label={t("Monitors")}
        options={monitors}
        value={monitorIds}
        onChange={setMonitorIds}
        error={errors.fields["monitorIds"]}
      />
      <TextField
        label={t("And every monitor with one of these tags")}
        value={tags}
        onChange={setTags}
        optional
        error={errors.fields["tags"]}
      />
      <Select
        label={t("Duration")}
        value={hours}
        onChange={setHours}
        options={lengths.map(({ id, label }) => ({ id, label: label() }))}
      />
      <TextField label={t("Reason")} value={reason} onChange={setReason} error={errors.fields["reason"]} />
      <FormProblem errors={errors} />
      <div className="flex justify-end gap-2">
        <Button onPress={onDone}>{t("Cancel")}</Button>
        <Button kind="primary" type="submit" isDisabled={isBusy}>
          {t("Create silence")}
        </Button>
      </div>
    </form>
  )
}

const Item = ({ isGone, silence }: { readonly silence: SilenceRecord; readonly isGone: boolean }) => {
  const mayRespond = useMay("alerts.respond")
  const data = useProjectData()
  const { error, mutate: end, reset } = useEndSilence()
  const names = silence.monitorIds.map((id) => nameOfMonitor(data, id))
  return (
    <li className={classes("flex flex-col gap-2 px-2 py-3", isGone && goneClass)}>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <p className="font-medium">
            <bdi>{silence.reason}</bdi>
          </p>
          <p className="text-sm">
            <bdi>{[...names, ...silence.tags.map((tag) => t("Tag {tag}", { tag }))].join(", ")}</bdi>
          </p>
          <p className="text-sm text-soft">
            {t("Until")} <Moment at={silence.until} /> · <bdi>{silence.createdBy.name}</bdi>
          </p>
        </div>
        {mayRespond && (
          <Button onPress={() => end(silence.id)} aria-label={t("End now: {reason}", { reason: silence.reason })}>
            {t("End now")}
          </Button>
        )}
      </div>
      {error !== null && <Refusal onClose={reset}>{reasonOf(error)}</Refusal>}
    </li>
  )
}

export const Silences = () => {
  const { project } = useProjectData()
  useAlertEvents()
  const { data, error, refetch } = useQuery(silencesQuery(project))
  const held = useHeld(data)
  const [isOpen, setOpen] = useState(false)
  const mayRespond = useMay("alerts.respond")
  const create = mayRespond && (
    <Button kind="primary" onPress={() => setOpen(true)}>
      <Icon name="plus" />
      {t("New silence")}
    </Button>
  )
  return (
    <>
      <Dialog title={t("New silence")} isOpen={isOpen} onOpenChange={setOpen}>
        <Form onDone={() => setOpen(false)} />
      </Dialog>
      {data === undefined ? (
        error !== null && (
          <Notice actions={<Button onPress={() => void refetch()}>{t("Try again")}</Button>}>{error.message}</Notice>
        )
      ) : held.rows.length === 0 ? (
        <EmptyState title={t("Nothing is silenced")} actions={create}>
          {t("A silence keeps notifications about some monitors back for a while, such as during a migration.")}
        </EmptyState>
      ) : (
        <>
          <div className="mb-3 flex justify-end">{create}</div>
          <Waiting held={held} />
          <ul aria-label={t("Silences")} className={listClass}>
            {held.rows.map((silence) => (
              <Item key={silence.id} silence={silence} isGone={held.isGone(silence)} />
            ))}
          </ul>
        </>
      )}
    </>
  )
}
