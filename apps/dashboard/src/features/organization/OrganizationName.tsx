/** Renames the organization. */
import { type SyntheticEvent, useState } from "react"
import { Form } from "react-aria-components"
import type { OrganizationRecord } from "../../api/organizations.ts"
import { permits } from "../../api/permissions.ts"
import { useSubmit } from "../../api/useSubmit.ts"
import { roleName, roleRights } from "../../locales/roles.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { TextField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { Section } from "../../ui/Section.tsx"
import { useRenameOrganization } from "./writes.ts"

export const OrganizationName = ({ organization }: { readonly organization: OrganizationRecord }) => {
  const { mutateAsync: rename } = useRenameOrganization(organization.id)
  const [name, setName] = useState(organization.name)
  const { errors, isBusy, submit } = useSubmit(["name"])
  const mayWrite = permits(organization.role, "organization.write")
  const save = (event: SyntheticEvent) => {
    event.preventDefault()
    return submit(() => rename(name.trim()))
  }
  return (
    <Section title={t("Organization")}>
      {mayWrite ? (
        <Form onSubmit={(event) => void save(event)} validationBehavior="aria" className="flex flex-col gap-3">
          <TextField
            label={t("Name")}
            value={name}
            onChange={setName}
            error={errors.fields["name"]}
            isRequired
            autoComplete="off"
          />
          <FormProblem errors={errors} />
          <div>
            <Button type="submit" isDisabled={isBusy || name.trim() === "" || name.trim() === organization.name}>
              {t("Save")}
            </Button>
          </div>
        </Form>
      ) : (
        <p className="font-medium">
          <bdi className="break-words">{organization.name}</bdi>
        </p>
      )}
      <dl className="grid gap-x-6 gap-y-1 border-t border-line pt-3 text-sm sm:grid-cols-[8rem_minmax(0,1fr)]">
        <dt className="text-soft">{t("Your role")}</dt>
        <dd>
          {roleName(organization.role)} <span className="text-soft">· {roleRights(organization.role)}</span>
        </dd>
        <dt className="text-soft">{t("Members")}</dt>
        <dd>{organization.members}</dd>
        <dt className="text-soft">{t("Plan")}</dt>
        <dd>
          <bdi>{organization.plan.name}</bdi>
        </dd>
      </dl>
    </Section>
  )
}
