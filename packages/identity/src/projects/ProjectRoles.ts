/**
 * Which role a caller has in a project: a session the higher one of the account's role in the organization and its role in the
 * project, an API key its own. A key of an organization has it in each of its projects.
 */
import { reaches } from "@kanmon/domain/Principal"
import { projectKeyRole } from "@kanmon/domain/Role"
import { Effect, Layer } from "effect"
import * as Confined from "@kanmon/platform/http/Confined"
import { organizationDisabled } from "@kanmon/platform/http/OrganizationDisabled"
import { ProjectRoles } from "@kanmon/platform/http/ProjectAccess"
import { Projects } from "./Projects.ts"

export const layer = Layer.effect(
  ProjectRoles,
  Effect.map(Projects, (projects) =>
    ProjectRoles.of({
      roleOf: Effect.fn("ProjectRoles.roleOf")(function* (caller, projectId) {
        if (caller._tag === "ProjectKey") {
          if (caller.projectId !== projectId) return undefined
          if (caller.isDisabled === true) return yield* organizationDisabled
          return caller.key?.role ?? projectKeyRole
        }
        if (caller._tag === "OrganizationKey") {
          if ((yield* projects.ownerOf(projectId)) !== caller.organizationId) return undefined
          if (caller.isDisabled === true) return yield* organizationDisabled
          return caller.key.role
        }
        const standing = yield* projects.standingOf(caller.userId, projectId)
        if (standing !== undefined && caller.confinedTo !== undefined)
          if (!reaches(caller, yield* projects.ownerOf(projectId))) return yield* Confined.elsewhere
        if (standing?.isDisabled === true) return yield* organizationDisabled
        return standing?.role
      })
    })
  )
)
