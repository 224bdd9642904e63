/** What happens with a project, within the same transaction. */
import type { ProjectId } from "@kanmon/domain/Ids"
import { Context, type Effect } from "effect"

/** Alerts give a new project its default rule. */
export class ProjectCreated extends Context.Service<ProjectCreated, (id: ProjectId) => Effect.Effect<void>>()(
  "@kanmon/identity/projects/ProjectCreated"
) {}

/** Status pages announce that the project's pages are about to be deleted. */
export class ProjectDeleting extends Context.Service<ProjectDeleting, (id: ProjectId) => Effect.Effect<void>>()(
  "@kanmon/identity/projects/ProjectDeleting"
) {}
