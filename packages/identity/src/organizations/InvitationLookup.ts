/** Finds invitations for the auth plugins, which let the invited people sign up. */
import { SignUpInvitations } from "@kanmon/core/SignUpInvitations"
import { Effect, Layer } from "effect"
import { Invitations } from "./Invitations.ts"

export const layer = Layer.effect(
  SignUpInvitations,
  Effect.map(Invitations, (invitations) =>
    SignUpInvitations.of({
      find: (token) =>
        invitations.offer(token).pipe(
          Effect.map(({ email, organizationName, role }) => ({ email, organizationName, role })),
          Effect.option
        )
    })
  )
)
