/** The session, its projects, and the displayed project. */
import type { Account as AccountSchema, Session as SessionSchema } from "@kanmon/protocol/AccountBody"
import type { Project } from "@kanmon/domain/Project"
import type { Role } from "@kanmon/domain/Role"
import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query"
import { external } from "../browser/external.ts"
import { storedAs } from "../browser/place.ts"
import type { ProjectHeaders } from "./message.ts"
import { request } from "./request.ts"

export type Account = typeof AccountSchema.Type
/** `impersonatedBy`: the administrator who acts as the account. */
export type Session = typeof SessionSchema.Type
export type ProjectRecord = typeof Project.Encoded

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: ({ signal }) => request("GET /auth/get-session", { signal }),
  staleTime: 60_000
})

export const projectsQuery = queryOptions({
  queryKey: ["projects"],
  queryFn: ({ signal }) => request("GET /projects", { signal }),
  staleTime: 60_000
})

/** The project that requests are for. */
export interface CurrentProject {
  readonly id: string
  readonly name: string
  readonly organizationId: string
  /** The visitor's role in it. */
  readonly role: Role
  readonly headers: ProjectHeaders
}

const key = storedAs("kanmon.project")
const chosen = (): string | null => localStorage.getItem(key)
const choice = external(chosen)

export const chooseProject = (id: string): void => {
  localStorage.setItem(key, id)
  choice.announce()
}

/** Whether the project was chosen among these, and is not the one shown for want of a choice. */
export const hasChosen = (projects: ReadonlyArray<ProjectRecord>): boolean => projects.some(({ id }) => id === chosen())

const currentOf = (projects: ReadonlyArray<ProjectRecord>, id: string | null): CurrentProject | undefined => {
  const project = projects.find((each) => each.id === id) ?? projects.at(-1)
  return project === undefined
    ? undefined
    : {
        id: project.id,
        name: project.name,
        organizationId: project.organizationId,
        role: project.role,
        headers: { "kanmon-project": project.id }
      }
}

/** The chosen project, or the oldest; undefined until it is known. */
export const useProject = (): CurrentProject | undefined => {
  const id = choice.use()
  const { data } = useQuery(projectsQuery)
  return data === undefined ? undefined : currentOf(data, id)
}

const givenUp = new Set<string>()

/** The visitor leaves or deletes a project or an organization: its loss is no news to them. */
export const giveUp = (id: string): void => void givenUp.add(id)

/** Whether the project, or the organization that owns it, was left or deleted in this tab. */
export const isGivenUp = ({ id, organizationId }: Pick<CurrentProject, "id" | "organizationId">): boolean =>
  givenUp.has(id) || givenUp.has(organizationId)

/** Ends the session. Nothing of the account is kept. A function and no hook: the frame of every page has it. */
export const signOut = async (client: QueryClient): Promise<void> => {
  await request("POST /auth/sign-out")
  forget(client)
}

/** Nothing of the account is kept, and no one is signed in. */
export const forget = (client: QueryClient): void => {
  client.clear()
  client.setQueryData(sessionQuery.queryKey, null)
}
