/** Project hooks of organizations: a new organization gets a first project, and a deleted one deletes all of them. */
import { Effect, Layer } from "effect"
import { OrganizationCreated, OrganizationDeleting } from "../organizations/index.ts"
import { Projects } from "./Projects.ts"

const name = "Default"

const first = Layer.effect(
  OrganizationCreated,
  Effect.map(Projects, (projects) => (id) => Effect.asVoid(projects.create(id, name)))
)

const last = Layer.effect(
  OrganizationDeleting,
  Effect.map(Projects, (projects) =>
    Effect.fnUntraced(function* (id) {
      for (const project of yield* projects.ofOrganization(id)) yield* Effect.ignore(projects.remove(project.id))
    })
  )
)

export const layer = Layer.merge(first, last)
