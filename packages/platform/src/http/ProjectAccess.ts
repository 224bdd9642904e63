/** Which project a request is about, and whether the caller's role in it is high enough. */
import { ProjectId } from "@kanmon/domain/Ids"
import { actingRole, type Principal } from "@kanmon/domain/Principal"
import { permits, type ProjectPermission, type Role, roleFor } from "@kanmon/domain/Role"
import * as Access from "@kanmon/protocol/Access"
import { projectHeader, projectParameter } from "@kanmon/protocol/Middleware"
import { notFound, Problem } from "@kanmon/protocol/Problem"
import { Context, Effect, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { searchOf } from "./RequestInfo.ts"

/** The only answer to the question which role a caller has in a project. Implemented by projects. */
export class ProjectRoles extends Context.Service<
  ProjectRoles,
  {
    /** Undefined when the caller has no role there, or when there is no such project: callers must not learn which. */
    readonly roleOf: (
      caller: Principal,
      projectId: ProjectId
    ) => Effect.Effect<Role | undefined, Problem<"organization_disabled" | "forbidden">>
  }
>()("@kanmon/platform/http/ProjectAccess/ProjectRoles") {}

/** A project, and what the caller may do in it. */
export interface ProjectAccess {
  readonly projectId: ProjectId
  readonly role: Role
}

/** How a request names its project. */
export interface NamedProject {
  /** The parameter of the path. It counts for keys too. */
  readonly path?: string | undefined
  /** The header, or the query parameter where there is one. Sessions and keys of organizations need it. */
  readonly header?: string | undefined
}

const decodeId = Schema.decodeUnknownOption(ProjectId)

/** The project of a request, if the caller may do this there. Without a permission nothing is allowed. */
const resolve = Effect.fnUntraced(function* (
  caller: Principal,
  { header, path }: NamedProject,
  permission: ProjectPermission | undefined
): Effect.fn.Return<ProjectAccess, Problem<"forbidden" | "not_found" | "organization_disabled">, ProjectRoles> {
  const name = path ?? (caller._tag === "ProjectKey" ? caller.projectId : header)
  if (name === undefined)
    return yield* new Problem({
      code: "forbidden",
      detail: `With a session or an API key of an organization, name the project in the header ${projectHeader}; or send a project API key in the header x-api-key`
    })
  const projectId = Option.getOrUndefined(decodeId(name))
  const roles = yield* ProjectRoles
  const own = projectId === undefined ? undefined : yield* roles.roleOf(caller, projectId)
  if (projectId === undefined || own === undefined) return yield* notFound("project")
  const role = actingRole(caller, own)
  yield* demand(caller, role, permission)
  return { projectId, role }
})

/** Refuses a caller whose role in the project does not permit this. Without a permission nothing is allowed. */
export const demand = (
  caller: Principal,
  role: Role,
  permission: ProjectPermission | undefined
): Effect.Effect<void, Problem<"forbidden">> => {
  if (permission !== undefined && permits(role, permission)) return Effect.void
  const needed = permission === undefined ? "owner" : roleFor(permission)
  const detail = `This requires the role ${needed} in the project; ${holder(caller)} the role ${role}`
  return Effect.fail(new Problem({ code: "forbidden", detail }))
}

/** The same of the current request, which names the project as its endpoint lets it: in the path, in the header, or in the query. */
export const ofRequest = Effect.fnUntraced(function* (caller: Principal, endpoint: HttpApiEndpoint.Top) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { projectId: path } = yield* HttpRouter.params
  const inQuery = Access.queryOf(endpoint).includes(projectParameter) ? searchOf(request).get(projectParameter) : null
  const header = request.headers[projectHeader.toLowerCase()] ?? inQuery ?? undefined
  return yield* resolve(caller, { path, header }, Access.projectPermissionOf(endpoint))
})

const holder = (caller: Principal): string => {
  if (caller._tag !== "User") return "this API key has"
  return caller.impersonator === undefined ? "your account has" : "an administrator who acts as an account has at most"
}
