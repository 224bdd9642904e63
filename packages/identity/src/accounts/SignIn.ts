/**
 * Accounts and sessions, as the driver keeps them: the accounts of sessions, the routes on which people sign up, in and out, and
 * the questions of other features. Better Auth is the driver (`BetterAuthSignIn.ts`).
 */
import type { AuthRequest } from "@kanmon/core/Auth"
import type { ProvenAccounts } from "@kanmon/core/ProvenAccounts"
import type { Sessions } from "@kanmon/core/Sessions"
import type { InvalidFields } from "@kanmon/domain/FieldErrors"
import type { UserId } from "@kanmon/domain/Ids"
import { Context, type Effect } from "effect"

/** A request in which an administrator begins or ends to act as an account. */
export type ActingRequest = Pick<AuthRequest, "headers">

export class SignIn extends Context.Service<
  SignIn,
  {
    readonly sessions: Sessions["Service"]
    readonly accounts: ProvenAccounts["Service"]
    /** Serves requests below `/auth`, which have JSON bodies. The client's address is in `x-kanmon-client-ip`. */
    readonly handle: (request: Request) => Effect.Effect<Response>
    /** Lets administrators act as accounts, in sessions that are theirs: whom they act for is in `Principal`. */
    readonly impersonation: {
      /** Begins a session of the account, in the place of the administrator's own. The answer sets its cookie. */
      readonly begin: (request: ActingRequest, target: UserId, administrator: UserId) => Effect.Effect<Response>
      /** Ends it. The answer restores the administrator's own session, if that has not ended. */
      readonly end: (request: ActingRequest) => Effect.Effect<Response>
      /** For the operator: the address at which such a session begins in any browser, once and within a minute. */
      readonly link: (
        account: { readonly id: UserId; readonly email: string },
        administrator: UserId
      ) => Effect.Effect<string>
    }
    /**
     * For the operator: sets a new password and ends the account's sessions. Fails when the password is not acceptable.
     * `false` when there is no such account.
     */
    readonly setPassword: (email: string, password: string) => Effect.Effect<boolean, InvalidFields>
    /** Before something that cannot be undone: whether this is the account's password. `none`: it has no password here. */
    readonly provePassword: (account: UserId, password: string) => Effect.Effect<"right" | "wrong" | "none">
  }
>()("@kanmon/identity/accounts/SignIn") {}
