/**
 * Single sign-on, as the routes of sign-ins use it: the providers of the installation and of organizations, sign-ins that have
 * begun, and the account that an identity belongs to. The protocols (OpenID Connect, SAML) are in `protocols`. Database failures are defects.
 *
 * Without a provided service there is no identity provider.
 */
import type { SamlSignOn } from "@kanmon/domain/SignOnSettings"
import type { Identity } from "@kanmon/domain/SingleSignOn"
import { Context, Effect, type Redacted } from "effect"
import { type HttpResponse, NoAnswer, type Request } from "@kanmon/core/HttpRequest"

/** The connection of the operator's settings; every other one is named by the id of its organization. */
export const installationConnection = "installation"

interface Connection {
  /** `installation`, or the id of an organization. */
  readonly id: string
  /** Whom it signs in to, for people. */
  readonly name: string
  /** Changes with every change of the settings. */
  readonly version: string
}

/** A provider of OpenID Connect. */
export interface OidcConnection extends Connection {
  readonly protocol: "oidc"
  readonly issuer: string
  readonly clientId: string
  /** Without one, PKCE alone protects the code. */
  readonly clientSecret: Redacted.Redacted | undefined
  readonly scopes: ReadonlyArray<string>
  readonly groupsClaim: string
}

/** An identity provider of SAML 2.0. */
export interface SamlConnection extends Connection {
  readonly protocol: "saml"
  readonly entityId: string
  /** Where authentication requests are sent, by HTTP-Redirect. */
  readonly signInUrl: string
  /** PEM. Any of them may have signed. */
  readonly certificates: ReadonlyArray<string>
  /** Names of attributes. The default are the names that identity providers usually send. */
  readonly attributes: SamlSignOn["attributes"]
}

export type SignOnConnection = OidcConnection | SamlConnection

/** A sign-in on its way. */
export interface PendingSignIn {
  /** Id of the connection. */
  readonly connection: string
  /** The state of the protocol; stored encrypted. */
  readonly payload: string
  /** Where the browser goes when it is signed in: a path of this installation. */
  readonly callbackPath: string
  /** The id of a test, which starts no session. */
  readonly test: string | null
}

/** How a step of a sign-in is found again. Only digests are stored. */
export interface PendingKey {
  /** The value that the identity provider returns. */
  readonly state: string
  /** The value that the browser returns in a cookie; absent where the browser cannot send it. */
  readonly browser: string | undefined
}

/** The outcome of a sign-in at the identity provider. */
export type Admitted =
  /** `isConnected`: by this sign-in an account that existed was connected with the identity provider. */
  | { readonly _tag: "SignedIn"; readonly userId: string; readonly isConnected: boolean }
  /** An account with this address has to be connected with its password first. */
  | { readonly _tag: "PasswordNeeded"; readonly email: string }
  /** `detail` is shown to the person. */
  | { readonly _tag: "Refused"; readonly detail: string }

/** The result of a test sign-in. */
export interface TestOutcome {
  /** Everything that the identity provider said. */
  readonly claims: Readonly<Record<string, unknown>>
  readonly identity?: Identity | undefined
  /** Why the sign-in failed, if it did. */
  readonly problem?: string | undefined
}

/** How people sign in without an identity provider. A passkey is a second factor itself. */
export type LocalMethod = "password" | "passkey"

export interface SingleSignOnService {
  /** The connection of an id; undefined when there is none, or when it may not be used. Tests may use one that is not enabled. */
  readonly connection: (id: string, forTest: boolean) => Effect.Effect<SignOnConnection | undefined>
  /** The connection of the organization that has proven the domain of an address, or else that of the installation. */
  readonly connectionOf: (email: string) => Effect.Effect<SignOnConnection | undefined>
  /** Whether any organization has single sign-on that people can begin with their address. */
  readonly ofAnyOrganization: Effect.Effect<boolean>
  /** Whether accounts with this address have to sign in through their organization. */
  readonly isEnforced: (email: string) => Effect.Effect<boolean>
  /** Whether this account may sign in without it all the same: an owner, with a second factor after the password. */
  readonly mayBypass: (userId: string, email: string, by: LocalMethod) => Effect.Effect<boolean>
  /** Sends a request to the identity provider, under the network policy that its owner has. */
  readonly send: (connection: SignOnConnection, request: Request) => Effect.Effect<HttpResponse, NoAnswer>
  readonly begin: (key: PendingKey, pending: PendingSignIn, seconds: number) => Effect.Effect<void>
  /** Takes a step that has begun and is not over: each once. */
  readonly take: (key: PendingKey) => Effect.Effect<PendingSignIn | undefined>
  /** Takes the ticket of a test. */
  readonly takeTicket: (
    ticket: string
  ) => Effect.Effect<{ readonly test: string; readonly connection: string } | undefined>
  /**
   * Which account an identity signs in to; creates it, connects it, and brings its roles up to date. `assertion` is refused the
   * second time. `proven`: the password of the account with the same address was given.
   */
  readonly admit: (
    connection: SignOnConnection,
    identity: Identity,
    options: { readonly assertion?: string | undefined; readonly proven?: boolean; readonly address: string }
  ) => Effect.Effect<Admitted>
  /** Keeps what a test showed, and returns what it would have led to, in words. */
  readonly finishTest: (test: string, connection: SignOnConnection, outcome: TestOutcome) => Effect.Effect<string>
  /** Records that an owner signed in without the single sign-on that is required. */
  readonly bypassed: (userId: string, email: string, address: string) => Effect.Effect<void>
  /** Records that a sign-in was refused. */
  readonly failed: (connection: SignOnConnection, detail: string, address: string) => Effect.Effect<void>
}

const none: SingleSignOnService = {
  connection: () => Effect.succeed(undefined),
  connectionOf: () => Effect.succeed(undefined),
  ofAnyOrganization: Effect.succeed(false),
  isEnforced: () => Effect.succeed(false),
  mayBypass: () => Effect.succeed(false),
  send: () => Effect.fail(new NoAnswer({ reason: "request_invalid", message: "There is no identity provider" })),
  begin: () => Effect.void,
  take: () => Effect.succeed(undefined),
  takeTicket: () => Effect.succeed(undefined),
  admit: () => Effect.succeed({ _tag: "Refused", detail: "There is no identity provider" }),
  finishTest: () => Effect.succeed(""),
  bypassed: () => Effect.void,
  failed: () => Effect.void
}

export const SingleSignOn = Context.Reference<SingleSignOnService>("@kanmon/identity/sso/SingleSignOn", {
  defaultValue: () => none
})
