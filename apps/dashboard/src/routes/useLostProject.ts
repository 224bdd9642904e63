/** Notices when the project that is shown is no longer among those of the visitor, who is told why. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useEffect, useEffectEvent, useState } from "react"
import { organizationsQuery } from "../api/organizations.ts"
import { type CurrentProject, isGivenUp, projectsQuery } from "../api/session.ts"

export interface LostProject {
  readonly name: string
  readonly organizationName: string | undefined
  /** The visitor is still a member of the organization: the project alone is gone. */
  readonly isMember: boolean
}

export interface Loss {
  readonly lost: LostProject | undefined
  readonly dismiss: () => void
}

export const useLostProject = (project: CurrentProject | undefined): Loss => {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { data: projects } = useQuery(projectsQuery)
  const { data: organizations } = useQuery(organizationsQuery)
  const [shown, setShown] = useState(project)
  const [lost, setLost] = useState<LostProject | undefined>(undefined)

  const leave = useEffectEvent(async (gone: CurrentProject) => {
    const before = organizations?.find(({ id }) => id === gone.organizationId)
    const after = await client.fetchQuery({ ...organizationsQuery, staleTime: 0 }).catch(() => undefined)
    setLost({
      name: gone.name,
      organizationName: before?.name,
      isMember: after?.some(({ id }) => id === gone.organizationId) === true
    })
    // Its pages are not those of another project.
    await navigate({ to: "/" })
  })
  useEffect(() => {
    if (projects === undefined || project?.id === shown?.id) return
    setShown(project)
    if (shown !== undefined && !isGivenUp(shown) && !projects.some(({ id }) => id === shown.id)) void leave(shown)
  }, [project, projects, shown])
  return { lost, dismiss: () => setLost(undefined) }
}
