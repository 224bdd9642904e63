/** Projects and their API keys. Keys are looked up by hash and kept encrypted, so that the project can show its own. */
import type { ProjectId, UserId } from "@kanmon/domain/Ids"
import { ProjectId as ProjectIdSchema } from "@kanmon/domain/Ids"
import type { Project } from "@kanmon/domain/Project"
import { Context, type Effect, Schema } from "effect"

export class ProjectNotFound extends Schema.TaggedError<ProjectNotFound>()("ProjectNotFound", {
  id: ProjectIdSchema
}) {}

export class Projects extends Context.Service<
  Projects,
  {
    /** The projects of an account, newest first. */
    readonly ofUser: (userId: UserId) => Effect.Effect<ReadonlyArray<Project>>
    readonly get: (id: ProjectId) => Effect.Effect<Project, ProjectNotFound>
    /** Whether the account owns the project. */
    readonly isOwner: (userId: UserId, id: ProjectId) => Effect.Effect<boolean>
    readonly create: (userId: UserId, name: string) => Effect.Effect<Project>
    readonly rename: (id: ProjectId, name: string) => Effect.Effect<Project, ProjectNotFound>
    /** Makes a new key; the old one stops at once. */
    readonly rotateKey: (id: ProjectId) => Effect.Effect<Project, ProjectNotFound>
    /** Removes the project and everything of it; its monitors leave every probe. */
    readonly remove: (id: ProjectId) => Effect.Effect<void, ProjectNotFound>
  }
>()("@kanmon/store/Projects") {}
