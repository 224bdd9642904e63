/** The menu of saved views. */
import { useNavigate } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Menu } from "../../ui/Menu.tsx"
import type { ListSearch } from "./listSearch.ts"
import { useStored } from "./preferences.ts"
import { isSameView, isViews, searchOf } from "./views.ts"

const ViewsDialog = lazy(() => import("./ViewsDialog.tsx"))

export const Views = ({ search }: { readonly search: ListSearch }) => {
  const { project } = useProjectData()
  const navigate = useNavigate()
  const [views, setViews] = useStored(`kanmon.list.views.${project.id}`, [], isViews)
  const [isEditing, setEditing] = useState(false)
  const current = views.find((view) => isSameView(searchOf(view), search))
  return (
    <>
      <Menu
        label={t("Views")}
        button={
          <Button className="max-w-48">
            <span className="truncate">{current?.name ?? t("Views")}</span>
            <Icon name="chevron" className="shrink-0 text-soft" />
          </Button>
        }
        groups={[
          ...(views.length === 0
            ? []
            : [
                views.map((view) => ({
                  id: `view ${view.name}`,
                  label: view.name,
                  checked: view === current,
                  onAction: () => void navigate({ to: "/monitors", search: searchOf(view) })
                }))
              ]),
          [{ id: "edit", label: t("Save or delete views"), onAction: () => setEditing(true) }]
        ]}
      />
      {isEditing && (
        <Suspense>
          <ViewsDialog views={views} search={search} onChange={setViews} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </>
  )
}
