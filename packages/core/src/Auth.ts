/**
 * The contract of an auth plugin. It answers one question: who is calling?
 * ¶ The host asks the auth plugins about every request that needs a caller, until one knows. A plugin that finds no
 * credential of its kind answers `none`, so that another one may know; one that finds an invalid credential fails with
 * an `AuthError`, and the caller reads its text. It looks at the request alone and asks the host (`Capabilities`) for
 * the owner of a key, a session or an account. It keeps no accounts, sends no mail and serves no routes: people sign
 * up, in and out with Kanmon itself.
 * ¶ What a caller may do is no matter of the plugin: roles belong to members and keys. The host also checks the
 * `Origin` of requests that a browser sends with the credentials of a user by itself. When several plugins know the
 * caller, a session decides; a refusal decides only if it is about a credential that the caller presents.
 */
import { type InvalidFields, strictDecoder } from "@kanmon/domain/FieldErrors"
import type { Principal } from "@kanmon/domain/Principal"
import { type Effect, type Option, Result, Schema } from "effect"
import type { AuthError } from "./AuthError.ts"
import type { ConfigSchema, StructOf } from "./ConfigSchema.ts"
import type { ProjectKeys } from "./ProjectKeys.ts"
import type { ProvenAccounts } from "./ProvenAccounts.ts"
import type { Sessions } from "./Sessions.ts"

export type { OrganizationKey, Principal, ProjectKey, User } from "@kanmon/domain/Principal"
export { AuthError } from "./AuthError.ts"

/** The parts of a request that hold credentials. */
export interface AuthRequest {
  readonly method: string
  readonly url: string
  /** By names in lower case. Everything in them is the caller's word. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The IP address of the other end of the connection: with a proxy in front, the proxy's. No header changes it. */
  readonly peer: string
}

/** The services of the host that an auth plugin may use: keys, sessions and accounts. */
export type Capabilities = ProjectKeys | Sessions | ProvenAccounts

/** The caller; `none` without a credential of this plugin's kind. */
export type Authenticate = (request: AuthRequest) => Effect.Effect<Option.Option<Principal>, AuthError, Capabilities>

/** An auth plugin as the host uses it. */
export interface Auth {
  readonly kind: "auth"
  readonly name: string
  /** One sentence about the credential. */
  readonly summary: string
  /** The operator's settings, by environment variable. All values are strings. The host does not start with invalid ones. */
  readonly settings: ConfigSchema
  /** Decodes the operator's settings and returns the plugin ready to be asked. */
  readonly start: (settings?: unknown) => Result.Result<Authenticate, InvalidFields>
}

/** Defines an auth plugin. */
export const define = <const Settings extends Schema.Struct.Fields = Record<never, never>>(options: {
  readonly name: string
  readonly summary: string
  readonly settings?: StructOf<Settings>
  readonly authenticate: (request: AuthRequest, settings: Schema.Struct<Settings>["Type"]) => ReturnType<Authenticate>
}): Auth => {
  // Without `settings`, the type parameter has its default: no fields.
  const settings = (options.settings ?? Schema.Struct({})) as StructOf<Settings>
  const decode = strictDecoder(settings)
  return {
    kind: "auth",
    name: options.name,
    summary: options.summary,
    settings,
    start: (given = {}) => Result.map(decode(given), (operator) => (request) => options.authenticate(request, operator))
  }
}
