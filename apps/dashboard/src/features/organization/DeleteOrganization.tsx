/** Deletes the organization, after its name was typed. */
import { useQueryClient } from "@tanstack/react-query"
import { type SyntheticEvent, useState } from "react"
import { Form } from "react-aria-components"
import type { OrganizationRecord } from "../../api/organizations.ts"
import { request } from "../../api/request.ts"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { TextField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { Dialog } from "../../ui/Overlay.tsx"
import { Section } from "../../ui/Section.tsx"

export const DeleteOrganization = ({
  onDeleted,
  organization
}: {
  readonly organization: OrganizationRecord
  readonly onDeleted: () => void
}) => {
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState("")
  const { errors, isBusy, submit } = useSubmit()
  const remove = (event: SyntheticEvent) => {
    event.preventDefault()
    return submit(async () => {
      await request("DELETE", `/organizations/${organization.id}`)
      onDeleted()
      await client.invalidateQueries()
    })
  }
  return (
    <Section title={t("Delete the organization")}>
      <p className="text-sm text-soft">
        {t(
          "All its projects with their monitors, history, alerts, incidents and status pages are deleted too. Members keep their accounts. A paid plan ends."
        )}
      </p>
      <div>
        <Button kind="danger" onPress={() => setOpen(true)}>
          {t("Delete the organization")}
        </Button>
      </div>
      <Dialog alert title={t("Delete {name}?", { name: organization.name })} isOpen={isOpen} onOpenChange={setOpen}>
        <Form onSubmit={(event) => void remove(event)} validationBehavior="aria" className="flex flex-col gap-4">
          <p className="text-soft">{t("This cannot be undone.")}</p>
          <TextField
            label={t("Type the name of the organization to confirm")}
            value={typed}
            onChange={setTyped}
            autoFocus
            autoComplete="off"
          />
          <FormProblem errors={errors} />
          <div className="flex justify-end gap-2">
            <Button onPress={() => setOpen(false)}>{t("Cancel")}</Button>
            <Button kind="danger" type="submit" isDisabled={isBusy || typed.trim() !== organization.name}>
              {t("Delete")}
            </Button>
          </div>
        </Form>
      </Dialog>
    </Section>
  )
}
