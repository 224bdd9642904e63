/**
 * Which role a caller has in a project. The account that owns the project is its owner; an API key has its own role. Roles of
 * an organization's members belong here.
 */
import { projectKeyRole } from "@kanmon/domain/Role"
import { Effect, Layer } from "effect"
import { ProjectRoles } from "../platform/http/ProjectAccess.ts"
import { Projects } from "./Projects.ts"

export const layer = Layer.effect(
  ProjectRoles,
  Effect.map(Projects, (projects) =>
    ProjectRoles.of({
      roleOf: Effect.fn("ProjectRoles.roleOf")(function* (caller, projectId) {
        if (caller._tag === "ProjectKey")
          return caller.projectId === projectId ? (caller.key?.role ?? projectKeyRole) : undefined
        return (yield* projects.ownerOf(projectId)) === caller.userId ? "owner" : undefined
      })
    })
  )
)
