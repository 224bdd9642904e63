/** The form of an override: the replacement, its time, and the shifts that it takes. */
import { useState } from "react"
import { includes, permits, type Role } from "../../api/permissions.ts"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Select } from "../../ui/Choice.tsx"
import { DialogForm } from "../../ui/DialogForm.tsx"
import { TextField } from "../../ui/Field.tsx"
import { bodyOf, type Draft, replacedBy } from "./override.ts"
import type { People } from "./queries.ts"
import { personName } from "./words.ts"
import { useCreateOverride } from "./writes.ts"

/** Ids of no account. */
const [noOne, everybody] = ["-", "*"]

export const OverrideForm = ({
  initial,
  onClose,
  onSaved,
  organizationId,
  people,
  role,
  scheduleId
}: {
  readonly organizationId: string
  readonly scheduleId: string
  /** The role of the visitor in the organization. */
  readonly role: Role
  readonly people: People
  readonly initial: Draft
  readonly onClose: () => void
  readonly onSaved: () => void
}) => {
  const [draft, setDraft] = useState(initial)
  const { mutateAsync: create } = useCreateOverride(organizationId, scheduleId)
  const { errors, isBusy, submit } = useSubmit(["from", "to", "userId", "replaces"])
  const mayEdit = permits(role, "schedules.write")
  const { ownId } = people
  const able = people.members.filter((member) => includes(member.role, "responder"))
  const change = (part: Partial<Draft>) => setDraft((known) => ({ ...known, ...part }))
  const replaced = replacedBy(draft, ownId, mayEdit)
  const isForced = !mayEdit && draft.userId !== ownId
  const body = bodyOf(draft, ownId, mayEdit)
  const save = () =>
    submit(async () => {
      if (body === undefined) return
      await create(body)
      onSaved()
    })
  const named = (userId: string) => (userId === ownId ? t("You") : personName(people, userId))
  return (
    <DialogForm
      action={t("Save")}
      errors={errors}
      isBusy={isBusy}
      isReady={body !== undefined}
      onClose={onClose}
      onSend={save}
    >
      <Select
        label={t("On call instead")}
        value={draft.userId ?? noOne}
        onChange={(id) => change({ userId: id === noOne ? null : id })}
        options={[
          ...able
            .toSorted((one, other) => Number(other.userId === ownId) - Number(one.userId === ownId))
            .map(({ userId }) => ({ id: userId as string, label: named(userId) })),
          { id: noOne, label: t("No one"), help: t("Not the layer below either") }
        ]}
        error={errors.fields["userId"]}
      />
      <div className="grid min-w-0 gap-4 sm:grid-cols-2">
        <TextField
          label={t("From|time")}
          type="datetime-local"
          value={draft.from}
          onChange={(from) => change({ from })}
          error={errors.fields["from"]}
          isRequired
        />
        <TextField
          label={t("To")}
          type="datetime-local"
          value={draft.to}
          onChange={(to) => change({ to })}
          error={errors.fields["to"]}
          isRequired
        />
      </div>
      {isForced ? (
        <p className="text-small text-soft">{t("Only your own shifts of that time are given away.")}</p>
      ) : (
        <Select
          label={t("Instead of")}
          value={replaced ?? everybody}
          onChange={(id) => change({ replaces: id === everybody ? null : id })}
          options={[
            { id: everybody, label: t("The person on call"), help: t("Gaps are filled too") },
            ...able
              .filter(({ userId }) => userId !== draft.userId)
              .map(({ userId }) => ({ id: userId as string, label: named(userId) }))
          ]}
          error={errors.fields["replaces"]}
        />
      )}
    </DialogForm>
  )
}
