/** Who is calling. */
import type { ProjectId, UserId } from "./Ids.ts"

/** A caller that holds a project's API key. */
export interface ProjectKey {
  readonly _tag: "ProjectKey"
  readonly projectId: ProjectId
}

/** A signed-in person. */
export interface User {
  readonly _tag: "User"
  readonly userId: UserId
  readonly email: string
  readonly name: string
  readonly isAdmin: boolean
}

export type Principal = ProjectKey | User
