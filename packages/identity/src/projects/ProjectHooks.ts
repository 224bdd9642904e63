/** What happens with a project, within the same transaction. */
import type { ProjectId } from "@kanmon/domain/Ids"
import { Context, type Effect } from "effect"

/** Alerts give a new project its default rule. */
export class ProjectCreated extends Context.Service<ProjectCreated, (id: ProjectId) => Effect.Effect<void>>()(
  "@kanmon/identity/projects/ProjectCreated"
) {}

/** What a project contains, when the project is deleted. Monitoring does it, whose records they are. */
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
