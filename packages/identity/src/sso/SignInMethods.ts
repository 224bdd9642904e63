/** The ways to sign in that the operator chose. */
import type { Role } from "@kanmon/domain/Role"
import { Context, type Redacted } from "effect"

/** A group of the installation's identity provider, and what its members become. */
export interface InstallationRole {
  /** `*` is everyone who signs in. */
  readonly group: string
  /** The id of an organization, or the name of one that this setting creates. */
  readonly organization: string
  readonly role: Role
}

/** The identity provider of the whole installation. */
export interface InstallationOidc {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted | undefined
  readonly scopes: ReadonlyArray<string>
  readonly groupsClaim: string
  /** The label of its button. */
  readonly label: string
  /** Addresses of this provider count as verified where it does not say. */
  readonly trustsEmail: boolean
  /** Without any, a new account gets an organization of its own. */
  readonly roles: ReadonlyArray<InstallationRole>
}

export interface SignInMethodsSettings {
  /** Whether people can sign in with a password or a passkey of this installation. */
  readonly local: boolean
  readonly oidc: InstallationOidc | undefined
}

export const SignInMethods = Context.Reference<SignInMethodsSettings>("@kanmon/identity/sso/SignInMethods", {
  defaultValue: () => ({ local: true, oidc: undefined })
})
