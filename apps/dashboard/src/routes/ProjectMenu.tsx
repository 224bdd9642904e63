/** The project that is shown, and the way to another one: in groups, where there are several organizations. */
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { organizationsQuery } from "../api/organizations.ts"
import { chooseProject, type CurrentProject, projectsQuery } from "../api/session.ts"
import { t } from "../locales/text.ts"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Menu } from "../ui/Menu.tsx"

export const ProjectMenu = ({ project }: { readonly project: CurrentProject }) => {
  const { data: projects = [] } = useQuery(projectsQuery)
  const owners = [...new Set(projects.map(({ organizationId }) => organizationId))]
  const isShared = owners.length > 1
  const { data: organizations = [] } = useQuery({ ...organizationsQuery, enabled: isShared })
  const navigate = useNavigate()
  const nameOf = (id: string) => organizations.find((organization) => organization.id === id)?.name
  if (projects.length < 2) return <span className="truncate px-1 text-sm font-medium">{project.name}</span>
  // The current one comes first.
  const ordered = owners.toSorted(
    (one, other) =>
      Number(other === project.organizationId) - Number(one === project.organizationId) ||
      (nameOf(one) ?? one).localeCompare(nameOf(other) ?? other)
  )
  return (
    <Menu
      label={isShared ? t("Organization and project") : t("Project")}
      button={
        <Button kind="quiet" className="h-auto min-w-0 flex-1 justify-between px-2 py-1 text-start">
          <span className="flex min-w-0 flex-col">
            {isShared && (
              <span className="truncate text-xs font-normal text-soft">{nameOf(project.organizationId)}</span>
            )}
            <span className="truncate">{project.name}</span>
          </span>
          <Icon name="chevron" className="shrink-0 text-soft" />
        </Button>
      }
      {...(isShared ? { titles: ordered.map(nameOf) } : {})}
      groups={ordered.map((owner) =>
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
      )}
    />
  )
}
