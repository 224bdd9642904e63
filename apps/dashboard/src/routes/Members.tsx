/** `/settings/members`: the people of the organization. */
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useOrganization } from "../api/organizations.ts"
import { permits } from "../api/permissions.ts"
import { sessionQuery } from "../api/session.ts"
import { Parts } from "../api/Parts.tsx"
import { Invitations } from "../features/organization/Invitations.tsx"
import { Members as MemberList } from "../features/organization/Members.tsx"
import { ProjectRoles } from "../features/organization/ProjectRoles.tsx"
import { Teams } from "../features/organization/Teams.tsx"
import { useProjectData } from "../live/ProjectData.tsx"
import { t } from "../locales/text.ts"

const Members = () => {
  const organization = useOrganization()
  const { project } = useProjectData()
  const { data: session } = useQuery(sessionQuery)
  const navigate = useNavigate()
  if (organization === undefined || session == null) return null
  const manages = permits(organization.role, "members.write")
  return (
    <>
      <title>{`${t("Members")} · Kanmon`}</title>
      <Parts>
        <MemberList organization={organization} selfId={session.user.id} onLeave={() => navigate({ to: "/" })} />
        {manages && <Invitations organization={organization} />}
        {permits(project.role, "projectMembers.write") && <ProjectRoles project={project} />}
        <Teams organization={organization} />
      </Parts>
    </>
  )
}

export default Members
