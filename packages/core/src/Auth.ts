/**
 * The contract of an auth kind: who is calling?
 *
 * The host asks every auth plugin in turn, for every request that needs a caller, until one answers. A plugin that sees
 * no credential of its kind answers `none`; one that sees a bad credential fails. It may serve routes of its own.
 */
import type { InvalidFields } from "@kanmon/domain/FieldErrors"
import type { Principal } from "@kanmon/domain/Principal"
import { Data, type Effect, type Option } from "effect"
import type { AuthRecords } from "./AuthRecords.ts"
import type { AuthSettings } from "./AuthSettings.ts"
import type { ProjectKeys } from "./ProjectKeys.ts"

export type { Principal, ProjectKey, User } from "@kanmon/domain/Principal"

/** A credential of this plugin's kind was shown, and it is not good. `detail` is shown to the caller. */
export class AuthError extends Data.TaggedError("AuthError")<{ readonly detail: string }> {}

/** The parts of a request that credentials live in. Header names are lower case. */
export interface AuthRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** Serves requests below `path`, which is relative to the API's base. The request's address is in `x-kanmon-client-ip`. */
export interface AuthRoutes {
  /** For example `/auth`. */
  readonly path: string
  /** Routes below it that take HTML forms as well as JSON: pages that are opened from a mail post them. */
  readonly forms?: ReadonlyArray<string>
  readonly handle: (request: Request) => Effect.Effect<Response>
}

/** What an auth plugin may ask of the host; and `Mailer`, which is there in any case. */
export type Capabilities = AuthRecords | AuthSettings | ProjectKeys

/** A started auth plugin. */
export interface Started {
  readonly authenticate: (request: AuthRequest) => Effect.Effect<Option.Option<Principal>, AuthError>
  readonly routes?: AuthRoutes
  /**
   * For the operator: gives an account another password and ends its sessions. Fails with what the password lacks. `false`
   * when this plugin keeps no such account.
   */
  readonly setPassword?: (email: string, password: string) => Effect.Effect<boolean, InvalidFields>
}

/** An auth kind as the host holds it. */
export interface Auth {
  readonly kind: "auth"
  readonly name: string
  readonly summary: string
  readonly start: Effect.Effect<Started, never, Capabilities>
}

/** Defines an auth kind. */
export const define = (options: Omit<Auth, "kind">): Auth => ({ kind: "auth", ...options })
