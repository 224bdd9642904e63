/** `/settings`: the project and its keys. */
import { useQuery } from "@tanstack/react-query"
import { projectsQuery } from "../api/session.ts"
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
      <ProjectName project={record} />
      <ApiKeys project={record} wallOf={wallAddress} />
      <DangerZone project={record} isLast={data.length === 1} />
    </>
  )
}

export default Settings
