/** Projects, who owns them, and who has which role in them. */
import { Projects } from "./Projects.ts"
import * as ProjectsHandlers from "./ProjectsHandlers.ts"

export * as FirstProject from "./FirstProject.ts"
export { ProjectContents, ProjectCreated, ProjectDeleting } from "./ProjectHooks.ts"
export * as ProjectOwners from "./ProjectOwners.ts"
export * as ProjectRoles from "./ProjectRoles.ts"
export { Projects } from "./Projects.ts"

/** The services of this feature. */
export const layer = Projects.layer

/** The operations of this feature. */
export const layerApi = ProjectsHandlers.layer
