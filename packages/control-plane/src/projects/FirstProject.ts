/** Every new account has a first project. */
import { Effect, Layer } from "effect"
import { AccountCreated } from "../accounts/index.ts"
import { Projects } from "./Projects.ts"

const name = "Default"

export const layer = Layer.effect(
  AccountCreated,
  Effect.map(Projects, (projects) => (userId) => Effect.asVoid(projects.create(userId, name)))
)
