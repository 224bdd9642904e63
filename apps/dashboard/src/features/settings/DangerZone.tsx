/** Deletes the project, after its name was typed. */
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import type { ProjectRecord } from "../../api/session.ts"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { DeleteByName } from "../../ui/DeleteByName.tsx"
import { partClass } from "../../ui/classes.ts"
import { useDeleteProject } from "./writes.ts"

export const DangerZone = ({ isLast, project }: { readonly project: ProjectRecord; readonly isLast: boolean }) => {
  const navigate = useNavigate()
  const { mutateAsync: remove } = useDeleteProject(() => navigate({ to: "/monitors" }))
  const [isOpen, setOpen] = useState(false)
  const { errors, isBusy, submit } = useSubmit()
  return (
    <section className={partClass}>
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
      <DeleteByName
        name={project.name}
        label={t("Type the name of the project to confirm")}
        isOpen={isOpen}
        isBusy={isBusy}
        errors={errors}
        onClose={() => setOpen(false)}
        onDelete={() => submit(() => remove())}
      />
    </section>
  )
}
