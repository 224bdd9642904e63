/** Creates a project, in one of the organizations where the visitor may. */
import { useState } from "react"
import type { OrganizationRecord } from "../../api/organizations.ts"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Select } from "../../ui/Choice.tsx"
import { DialogForm } from "../../ui/DialogForm.tsx"
import { TextField } from "../../ui/Field.tsx"
import { useCreateProject } from "./writes.ts"

export const ProjectForm = ({
  initialId,
  onClose,
  onCreated,
  organizations
}: {
  /** Where the visitor may create projects; at least one. */
  readonly organizations: ReadonlyArray<OrganizationRecord>
  /** The organization that is chosen at first. */
  readonly initialId: string
  readonly onClose: () => void
  readonly onCreated: (projectId: string) => void
}) => {
  const { mutateAsync: createProject } = useCreateProject()
  const [name, setName] = useState("")
  const [organizationId, setOrganization] = useState(
    (organizations.find(({ id }) => id === initialId) ?? organizations[0])?.id ?? initialId
  )
  const { errors, isBusy, submit } = useSubmit(["name", "organizationId"])
  const create = () =>
    submit(async () => {
      const made = await createProject({ name: name.trim(), organizationId })
      onCreated(made.id)
    })
  return (
    <DialogForm
      action={t("Create the project")}
      errors={errors}
      isBusy={isBusy}
      isReady={name.trim() !== ""}
      onClose={onClose}
      onSend={create}
    >
      <p className="text-soft">
        {t("A project has its own monitors, channels, rules and status pages. Everybody in the organization is in it.")}
      </p>
      <TextField
        label={t("Name")}
        value={name}
        onChange={setName}
        error={errors.fields["name"]}
        isRequired
        autoFocus
        autoComplete="off"
      />
      {organizations.length > 1 && (
        <Select
          label={t("Organization")}
          options={organizations.map(({ id, name }) => ({ id, label: name }))}
          value={organizationId}
          onChange={setOrganization}
          error={errors.fields["organizationId"]}
        />
      )}
    </DialogForm>
  )
}
