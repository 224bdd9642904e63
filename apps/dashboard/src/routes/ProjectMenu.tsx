/** The project that is shown, the way to another one, in groups where there are several organizations, and to a new one. */
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { organizationsQuery } from "../api/organizations.ts"
import { chooseProject, type CurrentProject, projectsQuery } from "../api/session.ts"
import { t } from "../locales/text.ts"
import { byName } from "../ui/collation.ts"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Menu } from "../ui/Menu.tsx"
import type { MenuEntry } from "../ui/MenuPopover.tsx"
import { creationWord, openCreation, useCreation, useMayCreate } from "./creation.ts"

/** Rarely needed, so it is not part of the first load. */
const CreationDialog = lazy(() => import("./CreationDialog.tsx"))

export const ProjectMenu = ({ project }: { readonly project: CurrentProject }) => {
  const { data: projects = [] } = useQuery(projectsQuery)
  const { data: organizations = [] } = useQuery(organizationsQuery)
  const owners = [...new Set([project.organizationId, ...projects.map(({ organizationId }) => organizationId)])]
  const isShared = owners.length > 1
  const creation = useCreation()
  const mayCreate = useMayCreate()
  const navigate = useNavigate()
  const nameOf = (id: string) => organizations.find((organization) => organization.id === id)?.name
  // The current one comes first.
  const ordered = owners.toSorted(
    (one, other) =>
      Number(other === project.organizationId) - Number(one === project.organizationId) ||
      byName(nameOf(one) ?? one, nameOf(other) ?? other)
  )
  const additions: ReadonlyArray<MenuEntry> = mayCreate.map((creation) => ({
    id: `new ${creation}`,
    label: creationWord(creation),
    icon: <Icon name="plus" className="text-soft" />,
    onAction: () => openCreation(creation)
  }))
  return (
    <>
      <Menu
        label={isShared ? t("Organization and project") : t("Project")}
        button={
          <Button kind="quiet" className="h-auto min-w-0 flex-1 justify-between! px-2 py-1 text-start">
            <span className="flex min-w-0 flex-col">
              {isShared && (
                <span className="truncate text-xs font-normal text-soft">{nameOf(project.organizationId)}</span>
              )}
              <span className="truncate">{project.name}</span>
            </span>
            <Icon name="chevron" className="shrink-0 text-soft" />
          </Button>
        }
        titles={[...(isShared ? ordered.map(nameOf) : ordered.map(() => undefined)), undefined]}
        groups={[
          ...ordered.map((owner) =>
            projects
              .filter(({ organizationId }) => organizationId === owner)
              .map(({ id, name }) => ({
                id,
                label: name,
                checked: id === project.id,
                onAction: () => {
                  chooseProject(id)
                  void navigate({ to: "/monitors" })
                }
              }))
          ),
          ...(additions.length > 0 ? [additions] : [])
        ]}
      />
      {creation !== undefined && (
        <Suspense>
          <CreationDialog creation={creation} project={project} />
        </Suspense>
      )}
    </>
  )
}
