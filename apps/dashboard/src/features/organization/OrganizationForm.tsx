/** Creates an organization. */
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { projectsQuery } from "../../api/session.ts"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { DialogForm } from "../../ui/DialogForm.tsx"
import { TextField } from "../../ui/Field.tsx"
import { useCreateOrganization } from "./writes.ts"

export const OrganizationForm = ({
  onClose,
  onCreated
}: {
  readonly onClose?: () => void
  /** With the id of its first project. */
  readonly onCreated: (projectId: string | undefined) => void
}) => {
  const client = useQueryClient()
  const { mutateAsync: createOrganization } = useCreateOrganization()
  const [name, setName] = useState("")
  const { errors, isBusy, submit } = useSubmit(["name"])
  const create = () =>
    submit(async () => {
      const made = await createOrganization(name.trim())
      const projects = await client.fetchQuery(projectsQuery)
      onCreated(projects.find(({ organizationId }) => organizationId === made.id)?.id)
    })
  return (
    <DialogForm
      action={t("Create the organization")}
      errors={errors}
      isBusy={isBusy}
      isReady={name.trim() !== ""}
      onClose={onClose}
      onSend={create}
    >
      <p className="text-soft">{t("An organization has its own projects, members and plan. You are its owner.")}</p>
      <TextField
        label={t("Name")}
        value={name}
        onChange={setName}
        error={errors.fields["name"]}
        isRequired
        autoFocus
        autoComplete="organization"
      />
    </DialogForm>
  )
}
