/** `/settings`: the project and its keys. */
import { useQuery } from "@tanstack/react-query"
import { permits } from "../api/permissions.ts"
import { projectsQuery } from "../api/session.ts"
import { Parts } from "../api/Parts.tsx"
import { ApiKeys } from "../features/settings/ApiKeys.tsx"
import { DangerZone } from "../features/settings/DangerZone.tsx"
import { ProjectName } from "../features/settings/ProjectName.tsx"
import { wallAddress } from "../features/wall/wallKey.ts"
import { useProjectData } from "../live/ProjectData.tsx"
import { t } from "../locales/text.ts"

const Settings = () => {
  const { project } = useProjectData()
  const { data = [] } = useQuery(projectsQuery)
  const record = data.find(({ id }) => id === project.id)
  if (record === undefined) return null
  return (
    <>
      <title>{`${t("Settings")} · Kanmon`}</title>
      <Parts>
        <ProjectName
          key={`${record.name} ${record.timezone}`}
          project={record}
          isReadOnly={!permits(record.role, "project.write")}
        />
        {permits(record.role, "apiKeys.write") && <ApiKeys project={record} wallOf={wallAddress} />}
        {permits(record.role, "project.write") && <DangerZone project={record} isLast={data.length === 1} />}
      </Parts>
    </>
  )
}

export default Settings
