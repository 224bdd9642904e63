/**
 * Notices when the project that is shown is no longer among those of the visitor, who is told why; also when it was lost
 * while the page was away.
 */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useEffect, useEffectEvent, useState } from "react"
import { organizationsQuery } from "../api/organizations.ts"
import { type CurrentProject, hasChosen, isGivenUp, projectsQuery, sessionQuery } from "../api/session.ts"
import { storedAs } from "../browser/place.ts"

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

/** The data of the tab in words that remain when it is gone. */
interface Shown {
  readonly accountId: string
  readonly id: string
  readonly name: string
  readonly organizationId: string
  readonly organizationName: string | undefined
}

const key = storedAs("kanmon.shown")

const lastShown = (accountId: string): Shown | undefined => {
  const text = sessionStorage.getItem(key)
  const shown: Shown | undefined = text === null ? undefined : JSON.parse(text)
  return shown?.accountId === accountId ? shown : undefined
}

export const useLostProject = (project: CurrentProject | undefined): Loss => {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { data: session } = useQuery(sessionQuery)
  const { data: projects } = useQuery(projectsQuery)
  const { data: organizations } = useQuery(organizationsQuery)
  const [lost, setLost] = useState<LostProject | undefined>(undefined)
  const accountId = session?.user.id

  const leave = useEffectEvent(async ({ name, organizationId, organizationName }: Shown) => {
    const after = await client.fetchQuery({ ...organizationsQuery, staleTime: 0 }).catch(() => undefined)
    setLost({ name, organizationName, isMember: after?.some(({ id }) => id === organizationId) === true })
    // Its pages are not those of another project.
    await navigate({ to: "/" })
  })
  useEffect(() => {
    if (projects === undefined || accountId === undefined) return
    const last = lastShown(accountId)
    const isGone = last !== undefined && !projects.some(({ id }) => id === last.id)
    if (isGone && !isGivenUp(last) && !hasChosen(projects)) void leave(last)
    if (project === undefined) return sessionStorage.removeItem(key)
    const { id, name, organizationId } = project
    const organizationName =
      organizations?.find(({ id }) => id === organizationId)?.name ??
      (last?.organizationId === organizationId ? last.organizationName : undefined)
    sessionStorage.setItem(
      key,
      JSON.stringify({ accountId, id, name, organizationId, organizationName } satisfies Shown)
    )
  }, [accountId, project, projects, organizations])
  return { lost, dismiss: () => setLost(undefined) }
}
