/** Every new organization has a first project. */
import { Effect, Layer } from "effect"
import { OrganizationCreated } from "../organizations/index.ts"
import { Projects } from "./Projects.ts"

const name = "Default"

export const layer = Layer.effect(
  OrganizationCreated,
  Effect.map(Projects, (projects) => (id) => Effect.asVoid(projects.create(id, name)))
)
