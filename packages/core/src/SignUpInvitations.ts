/**
 * What an auth plugin needs to know of invitations to organizations: whoever has the token of one may sign up with the address
 * that it was mailed to, also where sign-up is closed. The invitation is accepted when the account is created with the field
 * `invitation`, in the same transaction.
 */
import type { Role } from "@kanmon/domain/Role"
import { Context, type Effect, type Option } from "effect"

export interface SignUpInvitation {
  /** Normalized. */
  readonly email: string
  readonly organizationName: string
  readonly role: Role
}

export class SignUpInvitations extends Context.Service<
  SignUpInvitations,
  {
    /** The invitation with this token; none when it was used, revoked or has expired. */
    readonly find: (token: string) => Effect.Effect<Option.Option<SignUpInvitation>>
  }
>()("@kanmon/core/SignUpInvitations") {}
