/** Hooks that run in the transaction of a change to a project. */
import type { ProjectId } from "@kanmon/domain/Ids"
import { Context, type Effect } from "effect"

/** Alerts give a new project its default rule. */
export class ProjectCreated extends Context.Service<ProjectCreated, (id: ProjectId) => Effect.Effect<void>>()(
  "@kanmon/identity/projects/ProjectCreated"
) {}

/** Deletes the contents of a project with the project. Monitoring owns the records and implements this. */
export class ProjectContents extends Context.Service<
  ProjectContents,
  {
    /** Locks what is locked before a project, in the order in which others take these locks. */
    readonly lock: (id: ProjectId) => Effect.Effect<void>
    /** Stops the checks of a locked project, and deletes what no foreign key deletes with it. */
    readonly remove: (id: ProjectId) => Effect.Effect<void>
  }
>()("@kanmon/identity/projects/ProjectContents") {}

/** Status pages announce that the project's pages are about to be deleted. */
export class ProjectDeleting extends Context.Service<ProjectDeleting, (id: ProjectId) => Effect.Effect<void>>()(
  "@kanmon/identity/projects/ProjectDeleting"
) {}
