/** The rules of projects and their API keys. */
import { nextProjectId, type OrganizationId, type ProjectId, type UserId } from "@kanmon/domain/Ids"
import { ProjectNotFound } from "@kanmon/domain/NotFound"
import type { Project, StoredProject } from "@kanmon/domain/Project"
import type { Role } from "@kanmon/domain/Role"
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditLog } from "../audit/index.ts"
import { newApiKey } from "@kanmon/platform/database/Secrets"
import { Transaction } from "@kanmon/platform/Transaction"
import { ProjectContents, ProjectCreated, ProjectDeleting } from "./ProjectHooks.ts"
import { ProjectRepository, type Standing } from "./ProjectRepository.ts"

/** The fields of a project that can change. */
export type ProjectChange = Partial<Pick<StoredProject, "name" | "timezone">>

export class Projects extends Context.Service<
  Projects,
  {
    /** The projects of an organization, newest first. */
    readonly ofOrganization: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<StoredProject>>
    /** The projects of all organizations of an account, newest first, with its role in each. */
    readonly ofMember: (userId: UserId) => Effect.Effect<ReadonlyArray<Project>>
    /** The role of an account in a project; undefined without one, or when there is no such project. */
    readonly roleOf: (userId: UserId, id: ProjectId) => Effect.Effect<Role | undefined>
    /** The same, and whether the organization of the project is disabled. */
    readonly standingOf: (userId: UserId, id: ProjectId) => Effect.Effect<Standing | undefined>
    /** The roles of accounts in projects, with one query. Accounts without a role are left out. */
    readonly rolesOf: ProjectRepository["Service"]["rolesOf"]
    readonly get: (id: ProjectId) => Effect.Effect<StoredProject, ProjectNotFound>
    /** The organization that owns the project; undefined when there is no such project. */
    readonly ownerOf: (id: ProjectId) => Effect.Effect<OrganizationId | undefined>
    /** Its messages show times in `timezone`, by default UTC. */
    readonly create: (organizationId: OrganizationId, name: string, timezone?: string) => Effect.Effect<StoredProject>
    /** Changes the given fields. */
    readonly update: (id: ProjectId, change: ProjectChange) => Effect.Effect<StoredProject, ProjectNotFound>
    /** Replaces the API key; the old one stops working immediately. */
    readonly rotateKey: (id: ProjectId) => Effect.Effect<StoredProject, ProjectNotFound>
    /** Deletes the project with everything in it, and stops its checks. */
    readonly remove: (id: ProjectId) => Effect.Effect<void, ProjectNotFound>
  }
>()("@kanmon/identity/projects/Projects") {
  static readonly layer = Layer.effect(
    Projects,
    Effect.gen(function* () {
      const repository = yield* ProjectRepository
      const transaction = yield* Transaction
      const contents = yield* ProjectContents
      const audit = yield* AuditLog
      const projectCreated = yield* ProjectCreated
      const projectDeleting = yield* ProjectDeleting
      const random = yield* SecureRandom.SecureRandom

      const found = (id: ProjectId, project: Effect.Effect<StoredProject | undefined>) =>
        Effect.flatMap(project, (existing) =>
          existing === undefined ? Effect.fail(new ProjectNotFound({ id })) : Effect.succeed(existing)
        )

      const get: Projects["Service"]["get"] = Effect.fn("Projects.get")((id) => found(id, repository.find(id)))

      const create: Projects["Service"]["create"] = Effect.fn("Projects.create")(function* (
        organizationId,
        name,
        timezone = "UTC"
      ) {
        const id = yield* Effect.provideService(nextProjectId, SecureRandom.SecureRandom, random)
        const at = yield* Clock.currentTimeMillis
        const apiKey = newApiKey()
        const project: StoredProject = { id, organizationId, name, timezone, apiKey, createdAt: at, updatedAt: at }
        yield* transaction.run(
          Effect.gen(function* () {
            yield* repository.insert(project)
            yield* projectCreated(id)
            yield* audit.record([{ action: "project.created", ...about(project), after: { name, timezone } }])
          })
        )
        return project
      })

      const update: Projects["Service"]["update"] = Effect.fn("Projects.update")(function* (id, change) {
        const before = yield* found(id, repository.findLocked(id))
        const { name = before.name, timezone = before.timezone } = change
        const updated = yield* found(id, repository.update(id, { name, timezone }, yield* Clock.currentTimeMillis))
        if (change.name !== undefined)
          yield* audit.record([
            { action: "project.renamed", ...about(updated), before: { name: before.name }, after: { name } }
          ])
        if (change.timezone !== undefined)
          yield* audit.record([
            { action: "project.updated", ...about(updated), before: { timezone: before.timezone }, after: { timezone } }
          ])
        return updated
      }, transaction.run)

      const rotateKey: Projects["Service"]["rotateKey"] = Effect.fn("Projects.rotateKey")(function* (id) {
        const renewed = yield* found(id, repository.replaceKey(id, newApiKey(), yield* Clock.currentTimeMillis))
        yield* audit.record([{ action: "project.key_rotated", ...about(renewed), before: {}, after: {} }])
        return renewed
      }, transaction.run)

      const remove: Projects["Service"]["remove"] = Effect.fn("Projects.remove")((id) =>
        transaction.run(
          Effect.gen(function* () {
            yield* contents.lock(id)
            const project = yield* found(id, repository.lock(id))
            yield* audit.record([{ action: "project.deleted", ...about(project), before: { name: project.name } }])
            yield* contents.remove(id)
            yield* projectDeleting(id)
            yield* repository.remove(id)
          })
        )
      )

      return Projects.of({
        ofOrganization: repository.ofOrganization,
        ofMember: repository.ofMember,
        roleOf: (userId, id) => Effect.map(repository.standingOf(userId, id), (standing) => standing?.role),
        standingOf: repository.standingOf,
        rolesOf: repository.rolesOf,
        get,
        ownerOf: repository.owner,
        create,
        update,
        rotateKey,
        remove
      })
    })
  ).pipe(Layer.provide(ProjectRepository.layer))
}

const about = ({ id, name }: Pick<StoredProject, "id" | "name">) => ({ target: { id, name }, projectId: id })
