/**
 * The contract of an auth plugin: it authenticates the caller.
 *
 * For every request that needs a caller, the host asks the auth plugins in order until one answers. A plugin that finds no
 * credential of its kind answers `none`; one that finds an invalid credential fails. It may serve its own routes.
 */
import type { InvalidFields } from "@kanmon/domain/FieldErrors"
import type { UserId } from "@kanmon/domain/Ids"
import type { Principal } from "@kanmon/domain/Principal"
import { Data, type Effect, type Option } from "effect"
import type { AccountChanges } from "./AccountChanges.ts"
import type { AccountMails } from "./AccountMails.ts"
import type { AuthRecords } from "./AuthRecords.ts"
import type { AuthSettings } from "./AuthSettings.ts"
import type { ProjectKeys } from "./ProjectKeys.ts"
import type { SignUpInvitations } from "./SignUpInvitations.ts"

export type { Principal, ProjectKey, User } from "@kanmon/domain/Principal"

/** A credential of this plugin's kind is invalid. `detail` is shown to the caller. */
export class AuthError extends Data.TaggedError("AuthError")<{ readonly detail: string }> {}

/** The parts of a request that hold credentials. Header names are lower case. */
export interface AuthRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** Serves requests below `path`, relative to the API's base. The client's address is in `x-kanmon-client-ip`. */
export interface AuthRoutes {
  /** For example `/auth`. */
  readonly path: string
  /** Routes that accept HTML forms as well as JSON, for pages opened from an e-mail. */
  readonly forms?: ReadonlyArray<string>
  /**
   * Paths to which browsers post forms of other sites: the answers of identity providers. Only what they contain may prove
   * anything; the origin of such a request is not checked.
   */
  readonly foreignForms?: RegExp
  readonly handle: (request: Request) => Effect.Effect<Response>
}

/** The services an auth plugin may use. `Mailer` is always available. */
export type Capabilities = AccountChanges | AccountMails | AuthRecords | AuthSettings | ProjectKeys | SignUpInvitations

/** A started auth plugin. */
export interface Started {
  readonly authenticate: (request: AuthRequest) => Effect.Effect<Option.Option<Principal>, AuthError>
  readonly routes?: AuthRoutes
  /** Lets administrators act as accounts, in sessions that are theirs: whom they act for is in `Principal`. */
  readonly impersonation?: {
    /** Begins a session of the account, in the place of the administrator's own. The answer sets its cookie. */
    readonly begin: (request: AuthRequest, target: UserId, administrator: UserId) => Effect.Effect<Response>
    /** Ends it. The answer restores the administrator's own session, if that has not ended. */
    readonly end: (request: AuthRequest) => Effect.Effect<Response>
    /** For the operator: the address at which such a session begins in any browser, once and within a minute. */
    readonly link?: (
      account: { readonly id: UserId; readonly email: string },
      administrator: UserId
    ) => Effect.Effect<string>
  }
  /**
   * For the operator: sets a new password and ends the account's sessions. Fails when the password is not acceptable.
   * `false` when this plugin has no such account.
   */
  readonly setPassword?: (email: string, password: string) => Effect.Effect<boolean, InvalidFields>
  /** Before something that cannot be undone: whether this is the account's password. `none`: it has no password here. */
  readonly provePassword?: (account: UserId, password: string) => Effect.Effect<"right" | "wrong" | "none">
}

/** An auth plugin as the host uses it. */
export interface Auth {
  readonly kind: "auth"
  readonly name: string
  readonly summary: string
  readonly start: Effect.Effect<Started, never, Capabilities>
}

/** Defines an auth plugin. */
export const define = (options: Omit<Auth, "kind">): Auth => ({ kind: "auth", ...options })
