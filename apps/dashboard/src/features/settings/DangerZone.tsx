/** Deletes the project, after its name was typed. */
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { type SyntheticEvent, useState } from "react"
import { Form } from "react-aria-components"
import { request } from "../../api/request.ts"
import { type ProjectRecord, projectsQuery } from "../../api/session.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { TextField } from "../../ui/Field.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Dialog } from "../../ui/Overlay.tsx"
import { cardClass } from "../../ui/classes.ts"

export const DangerZone = ({ isLast, project }: { readonly project: ProjectRecord; readonly isLast: boolean }) => {
  const { headers } = useProjectData().project
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState("")
  const [error, setError] = useState<string | undefined>(undefined)
  const remove = async (event: SyntheticEvent) => {
    event.preventDefault()
    setError(undefined)
    try {
      await request("DELETE", `/projects/${project.id}`, { project: headers })
      await navigate({ to: "/monitors" })
      client.setQueryData(projectsQuery.queryKey, (known) => known?.filter(({ id }) => id !== project.id))
    } catch (error) {
      setError(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <section className={cardClass}>
      <h2>{t("Delete the project")}</h2>
      <p className="text-sm text-soft">
        {isLast
          ? t("This is your only project, so it stays.")
          : t("Its monitors with their history, its alerts, incidents and status pages are deleted too.")}
      </p>
      {!isLast && (
        <div>
          <Button kind="danger" onPress={() => setOpen(true)}>
            {t("Delete the project")}
          </Button>
        </div>
      )}
      <Dialog alert title={t("Delete {name}?", { name: project.name })} isOpen={isOpen} onOpenChange={setOpen}>
        <Form onSubmit={(event) => void remove(event)} validationBehavior="aria" className="flex flex-col gap-4">
          <p className="text-soft">{t("This cannot be undone.")}</p>
          <TextField
            label={t("Type the name of the project to confirm")}
            value={typed}
            onChange={setTyped}
            autoFocus
            autoComplete="off"
          />
          {error !== undefined && <Notice>{error}</Notice>}
          <div className="flex justify-end gap-2">
            <Button onPress={() => setOpen(false)}>{t("Cancel")}</Button>
            <Button kind="danger" type="submit" isDisabled={typed.trim() !== project.name}>
              {t("Delete")}
            </Button>
          </div>
        </Form>
      </Dialog>
    </section>
  )
}
