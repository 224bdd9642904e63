/** Deletes the organization, after its name was typed. */
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import type { OrganizationRecord } from "../../api/organizations.ts"
import { request } from "../../api/request.ts"
import { giveUp } from "../../api/session.ts"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { DeleteByName } from "../../ui/DeleteByName.tsx"
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
  const { errors, isBusy, submit } = useSubmit()
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
      <DeleteByName
        name={organization.name}
        label={t("Type the name of the organization to confirm")}
        isOpen={isOpen}
        isBusy={isBusy}
        errors={errors}
        onClose={() => setOpen(false)}
        onDelete={() =>
          submit(async () => {
            giveUp(organization.id)
            await request("DELETE /organizations/:organizationId", { params: { organizationId: organization.id } })
            onDeleted()
            await client.invalidateQueries()
          })
        }
      />
    </Section>
  )
}
