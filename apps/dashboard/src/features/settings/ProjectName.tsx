/** Renames the project. */
import { useQueryClient } from "@tanstack/react-query"
import { type SyntheticEvent, useState } from "react"
import { Form } from "react-aria-components"
import { request } from "../../api/request.ts"
import { type ProjectRecord, projectsQuery } from "../../api/session.ts"
import { useSubmit } from "../../api/useSubmit.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { roleName, roleRights } from "../../locales/roles.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { TextField } from "../../ui/Field.tsx"
import { cardClass } from "../../ui/classes.ts"
import { FormProblem } from "../../ui/FormProblem.tsx"

export const ProjectName = ({
  isReadOnly,
  project
}: {
  readonly project: ProjectRecord
  readonly isReadOnly: boolean
}) => {
  const { headers } = useProjectData().project
  const client = useQueryClient()
  const [name, setName] = useState(project.name)
  const { errors, isBusy, submit } = useSubmit(["name"])

  const save = (event: SyntheticEvent) => {
    event.preventDefault()
    return submit(async () => {
      const renamed = await request<ProjectRecord>("PATCH", `/projects/${project.id}`, {
        project: headers,
        body: { name: name.trim() }
      })
      client.setQueryData(projectsQuery.queryKey, (known) =>
        known?.map((each) => (each.id === renamed.id ? { ...each, name: renamed.name } : each))
      )
    })
  }

  return (
    <section className={cardClass}>
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
        <FormProblem errors={errors} />
        {!isReadOnly && (
          <div>
            <Button type="submit" isDisabled={isBusy || name.trim() === "" || name.trim() === project.name}>
              {t("Save")}
            </Button>
          </div>
        )}
      </Form>
    </section>
  )
}
