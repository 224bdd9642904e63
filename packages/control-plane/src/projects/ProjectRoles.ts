/**
 * Which role a caller has in a project: a session the higher one of the account's role in the organization and its role in the
 * project, an API key its own.
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
        return yield* projects.roleOf(caller.userId, projectId)
      })
    })
  )
)
