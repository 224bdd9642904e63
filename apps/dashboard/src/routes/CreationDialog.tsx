/** Creates an organization or a project, and goes on to it. */
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { organizationsQuery } from "../api/organizations.ts"
import { permits } from "../api/permissions.ts"
import { chooseProject, type CurrentProject } from "../api/session.ts"
import { OrganizationForm } from "../features/organization/OrganizationForm.tsx"
import { ProjectForm } from "../features/organization/ProjectForm.tsx"
import { t } from "../locales/text.ts"
import { Dialog } from "../ui/Overlay.tsx"
import { type Creation, openCreation } from "./creation.ts"

const close = () => openCreation(undefined)

const CreationDialog = ({ creation, project }: { readonly creation: Creation; readonly project: CurrentProject }) => {
  const { data: organizations = [] } = useQuery(organizationsQuery)
  const navigate = useNavigate()
  const enter = (projectId: string | undefined) => {
    close()
    if (projectId !== undefined) chooseProject(projectId)
    void navigate({ to: "/" })
  }
  const own = organizations.filter(({ role }) => permits(role, "projects.create"))
  return (
    <Dialog
      title={creation === "organization" ? t("New organization") : t("New project")}
      isOpen
      onOpenChange={(isOpen) => !isOpen && close()}
    >
      {creation === "organization" ? (
        <OrganizationForm onClose={close} onCreated={enter} />
      ) : (
        own.length > 0 && (
          <ProjectForm organizations={own} initialId={project.organizationId} onClose={close} onCreated={enter} />
        )
      )}
    </Dialog>
  )
}

export default CreationDialog
