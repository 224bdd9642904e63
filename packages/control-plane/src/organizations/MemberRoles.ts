/** Which role an account has in an organization, for the API. */
import { Effect, Layer } from "effect"
import { OrganizationRoles } from "../platform/http/OrganizationAccess.ts"
import { Organizations } from "./Organizations.ts"

export const layer = Layer.effect(
  OrganizationRoles,
  Effect.map(Organizations, ({ defaultOf, roleOf }) => OrganizationRoles.of({ defaultOf, roleOf }))
)
