/** Creates an organization. */
import { useQueryClient } from "@tanstack/react-query"
import { type SyntheticEvent, useState } from "react"
import { Form } from "react-aria-components"
import { type OrganizationRecord, organizationsQuery } from "../../api/organizations.ts"
import { request } from "../../api/request.ts"
import { projectsQuery } from "../../api/session.ts"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { TextField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"

export const OrganizationForm = ({
  onClose,
  onCreated
}: {
  readonly onClose?: () => void
  /** With the id of its first project. */
  readonly onCreated: (projectId: string | undefined) => void
}) => {
  const client = useQueryClient()
  const [name, setName] = useState("")
  const { errors, isBusy, submit } = useSubmit(["name"])
  const create = (event: SyntheticEvent) => {
    event.preventDefault()
    return submit(async () => {
      const made = await request<OrganizationRecord>("POST", "/organizations", { body: { name: name.trim() } })
      const [projects] = await Promise.all([
        client.fetchQuery({ ...projectsQuery, staleTime: 0 }),
        client.invalidateQueries({ queryKey: organizationsQuery.queryKey })
      ])
      onCreated(projects.find(({ organizationId }) => organizationId === made.id)?.id)
    })
  }
  return (
    <Form onSubmit={(event) => void create(event)} validationBehavior="aria" className="flex flex-col gap-4">
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
      <FormProblem errors={errors} />
      <div className="flex justify-end gap-2">
        {onClose !== undefined && <Button onPress={onClose}>{t("Cancel")}</Button>}
        <Button kind="primary" type="submit" isDisabled={isBusy || name.trim() === ""}>
          {t("Create the organization")}
        </Button>
      </div>
    </Form>
  )
}
