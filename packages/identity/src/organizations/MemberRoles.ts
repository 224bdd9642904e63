/** Which role an account has in an organization, for the API. */
import { Effect, Layer } from "effect"
import { organizationDisabled } from "@kanmon/platform/http/OrganizationDisabled"
import { OrganizationRoles } from "@kanmon/platform/http/OrganizationAccess"
import { Organizations } from "./Organizations.ts"

export const layer = Layer.effect(
  OrganizationRoles,
  Effect.map(Organizations, ({ defaultOf, isDisabled, roleOf }) =>
    OrganizationRoles.of({
      defaultOf,
      roleOf: Effect.fn("MemberRoles.roleOf")(function* (userId, id) {
        const role = yield* roleOf(userId, id)
        // Strangers do not learn it.
        if (role !== undefined && (yield* isDisabled(id))) return yield* organizationDisabled
        return role
      })
    })
  )
)
