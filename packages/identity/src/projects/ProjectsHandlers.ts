/** Projects over HTTP: each handler only translates. */
import { mask } from "@kanmon/core/Masking"
import type { ProjectNotFound } from "@kanmon/domain/NotFound"
import { decodeStrict } from "@kanmon/domain/FieldErrors"
import { newProjectFields, projectChangeFields } from "@kanmon/protocol/ProjectBody"
import { Project, type StoredProject } from "@kanmon/domain/Project"
import { actingRole, reaches } from "@kanmon/domain/Principal"
import { permits, type Role } from "@kanmon/domain/Role"
import { Api } from "@kanmon/protocol/Api"
import { CallerProject, CallerRole, CallerUser } from "@kanmon/protocol/Middleware"
import { invalid, notFound } from "@kanmon/protocol/Problem"
import { Projects } from "./Projects.ts"
import { Effect, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asProblem } from "@kanmon/platform/http/AsProblem"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import * as OrganizationAccess from "@kanmon/platform/http/OrganizationAccess"
import * as Paging from "@kanmon/platform/http/Paging"
import * as Payload from "@kanmon/platform/http/Payload"
import * as RecentProof from "@kanmon/platform/http/RecentProof"
import { OrganizationQuotas } from "../organizations/index.ts"

const encodeProject = Schema.encodeSync(Project)

const changeIn = Payload.read(decodeStrict(Schema.Struct(projectChangeFields)))
const newIn = Payload.read(decodeStrict(Schema.Struct(newProjectFields)))

/** Callers below admin see the key masked. */
const shown = (project: StoredProject, role: Role): Project => ({
  ...project,
  role,
  apiKey: permits(role, "project.write") ? project.apiKey : mask(project.apiKey)
})

const found = asProblem({ ProjectNotFound: (_: ProjectNotFound) => notFound("project") })

export const layer = HttpApiBuilder.group(
  Api,
  "projects",
  Effect.fnUntraced(function* (handlers) {
    const projects = yield* Projects
    const roles = yield* OrganizationAccess.OrganizationRoles
    const { baseUrl } = yield* ApiSettings
    const within = yield* OrganizationQuotas.make

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.gen(function* () {
          const options = yield* Paging.read(query)
          const caller = yield* CallerUser
          const all = yield* projects.ofMember(caller.userId)
          const page = Paging.cut(
            all.filter((one) => reaches(caller, one.organizationId)),
            options
          )
          const encode = (one: (typeof all)[number]) => encodeProject(shown(one, actingRole(caller, one.role)))
          return yield* Paging.answer(page, encode, baseUrl)
        }),
      create: ({ payload }) =>
        Effect.gen(function* () {
          const caller = yield* CallerUser
          const { name, organizationId: wanted, timezone } = yield* newIn(payload)
          const { organizationId, role } = yield* OrganizationAccess.resolve(caller, wanted, "projects.create").pipe(
            Effect.provideService(OrganizationAccess.OrganizationRoles, roles)
          )
          const project = yield* within({ organizationId }, "projects", projects.create(organizationId, name, timezone))
          return shown(project, role)
        }),
      get: () =>
        Effect.gen(function* () {
          return shown(yield* projects.get(yield* CallerProject), yield* CallerRole)
        }).pipe(found),
      update: ({ payload }) =>
        Effect.gen(function* () {
          const change = yield* changeIn(payload)
          if (change.name === undefined && change.timezone === undefined)
            return yield* invalid([{ path: "", message: "Expected a name or a timezone" }])
          return shown(yield* projects.update(yield* CallerProject, change), yield* CallerRole)
        }).pipe(found),
      remove: ({ params }) =>
        Effect.andThen(RecentProof.requiredOfSession, Effect.flatMap(CallerProject, projects.remove)).pipe(
          Effect.as({ id: params.projectId, deleted: true as const }),
          found
        ),
      rotateKey: () =>
        Effect.gen(function* () {
          yield* RecentProof.requiredOfSession
          return shown(yield* projects.rotateKey(yield* CallerProject), yield* CallerRole)
        }).pipe(found)
    })
  })
)
