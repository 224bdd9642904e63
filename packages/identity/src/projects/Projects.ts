/** The rules of projects and their API keys. */
import { nextProjectId, type OrganizationId, type ProjectId, type UserId } from "@kanmon/domain/Ids"
import { ProjectNotFound } from "@kanmon/domain/NotFound"
import type { StoredProject } from "@kanmon/domain/Project"
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditLog } from "../audit/index.ts"
import { newApiKey } from "@kanmon/platform/database/Secrets"
import { Transaction } from "@kanmon/platform/Transaction"
import { ProjectContents, ProjectCreated, ProjectDeleting } from "./ProjectHooks.ts"
import { ProjectRepository } from "./ProjectRepository.ts"

/** The fields of a project that can change. */
type ProjectChange = Partial<Pick<StoredProject, "name" | "timezone">>

export class Projects extends Context.Service<Projects>()("@kanmon/identity/projects/Projects", {
  make: Effect.gen(function* () {
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

    const get = Effect.fn("Projects.get")((id: ProjectId) => found(id, repository.find(id)))

    /** Its messages show times in `timezone`, by default UTC. */
    const create = Effect.fn("Projects.create")(function* (
      organizationId: OrganizationId,
      name: string,
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

    /** Changes the given fields. */
    const update = Effect.fn("Projects.update")(function* (id: ProjectId, change: ProjectChange) {
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

    /** Replaces the API key; the old one stops working immediately. */
    const rotateKey = Effect.fn("Projects.rotateKey")(function* (id: ProjectId) {
      const renewed = yield* found(id, repository.replaceKey(id, newApiKey(), yield* Clock.currentTimeMillis))
      yield* audit.record([{ action: "project.key_rotated", ...about(renewed), before: {}, after: {} }])
      return renewed
    }, transaction.run)

    /** Deletes the project with everything in it, and stops its checks. */
    const remove = Effect.fn("Projects.remove")((id: ProjectId) =>
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

    return {
      /** The projects of an organization, newest first. */
      ofOrganization: repository.ofOrganization,
      /** The projects of all organizations of an account, newest first, with its role in each. */
      ofMember: repository.ofMember,
      /** The role of an account in a project; undefined without one, or when there is no such project. */
      roleOf: (userId: UserId, id: ProjectId) =>
        Effect.map(repository.standingOf(userId, id), (standing) => standing?.role),
      /** The same, and whether the organization of the project is disabled. */
      standingOf: repository.standingOf,
      /** The roles of accounts in projects, with one query. Accounts without a role are left out. */
      rolesOf: repository.rolesOf,
      get,
      /** The organization that owns the project; undefined when there is no such project. */
      ownerOf: repository.owner,
      create,
      update,
      rotateKey,
      remove
    }
  })
}) {
  static readonly layer = Layer.effect(Projects, Projects.make).pipe(Layer.provide(ProjectRepository.layer))
}

const about = ({ id, name }: Pick<StoredProject, "id" | "name">) => ({ target: { id, name }, projectId: id })
