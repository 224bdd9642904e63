/** The name of the project, and the time zone of its messages. */
import { type SyntheticEvent, useState } from "react"
import { Form } from "react-aria-components"
import type { ProjectRecord } from "../../api/session.ts"
import { useSubmit } from "../../api/useSubmit.ts"
import { roleName, roleRights } from "../../locales/roles.ts"
import { TimeZoneField } from "../../forms/TimeZoneField.tsx"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { TextField } from "../../ui/Field.tsx"
import { partClass } from "../../ui/classes.ts"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { useUpdateProject } from "./writes.ts"

export const ProjectName = ({
  isReadOnly,
  project
}: {
  readonly project: ProjectRecord
  readonly isReadOnly: boolean
}) => {
  const { mutateAsync: update } = useUpdateProject()
  const [name, setName] = useState(project.name)
  const [timezone, setTimezone] = useState(project.timezone)
  const { errors, isBusy, submit } = useSubmit(["name", "timezone"])
  const isChanged = name.trim() !== project.name || timezone !== project.timezone

  const save = (event: SyntheticEvent) => {
    event.preventDefault()
    return submit(() =>
      update({
        ...(name.trim() === project.name ? {} : { name: name.trim() }),
        ...(timezone === project.timezone ? {} : { timezone })
      })
    )
  }

  return (
    <section className={partClass}>
      <h2>{t("Project")}</h2>
      <Form onSubmit={(event) => void save(event)} validationBehavior="aria" className="flex flex-col gap-3">
        <TextField
          label={t("Name")}
          value={name}
          onChange={setName}
          error={errors.fields["name"]}
          isRequired
          isReadOnly={isReadOnly}
          help={
            isReadOnly
              ? t("Your role here is {role}: {rights}.", {
                  role: roleName(project.role),
                  rights: roleRights(project.role)
                })
              : undefined
          }
          autoComplete="off"
        />
        <TimeZoneField
          help={t("Alerts show times in it, unless they go to an account that has chosen its own")}
          value={timezone}
          onChange={setTimezone}
          error={errors.fields["timezone"]}
          isReadOnly={isReadOnly}
        />
        <FormProblem errors={errors} />
        {!isReadOnly && (
          <div>
            <Button type="submit" isDisabled={isBusy || name.trim() === "" || !isChanged}>
              {t("Save")}
            </Button>
          </div>
        )}
      </Form>
    </section>
  )
}
