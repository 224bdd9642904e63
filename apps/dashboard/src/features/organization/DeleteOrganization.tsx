/** Deletes the organization, after its name was typed. */
import { useState } from "react"
import type { OrganizationRecord } from "../../api/organizations.ts"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { DeleteByName } from "../../ui/DeleteByName.tsx"
import { Section } from "../../ui/Section.tsx"
import { useDeleteOrganization } from "./writes.ts"

export const DeleteOrganization = ({
  onDeleted,
  organization
}: {
  readonly organization: OrganizationRecord
  /** Leads to a page of another organization. */
  readonly onDeleted: () => unknown
}) => {
  const { mutateAsync: remove } = useDeleteOrganization(organization.id, onDeleted)
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
        onDelete={() => submit(() => remove())}
      />
    </Section>
  )
}
