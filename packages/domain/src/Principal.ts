/** The caller of a request. */
import type { ApiKeyId, OrganizationId, ProjectId, UserId } from "./Ids.ts"
import { includes, type Role } from "./Role.ts"

/** A caller with an API key of a project. */
export interface ProjectKey {
  readonly _tag: "ProjectKey"
  readonly projectId: ProjectId
  /** Absent for the project's own key, which has the role admin. */
  readonly key?: { readonly id: ApiKeyId; readonly name: string; readonly role: Role }
  /** Its organization is disabled: the key is valid and may do nothing. */
  readonly isDisabled?: true
}

/** A caller with an API key of an organization, which reaches its projects too. */
export interface OrganizationKey {
  readonly _tag: "OrganizationKey"
  readonly organizationId: OrganizationId
  readonly key: { readonly id: ApiKeyId; readonly name: string; readonly role: Role }
  /** The organization is disabled: the key is valid and may do nothing. */
  readonly isDisabled?: true
}

/** A caller with an API key. */
export type AnyKey = ProjectKey | OrganizationKey

/** A signed-in user. */
export interface User {
  readonly _tag: "User"
  readonly userId: UserId
  readonly email: string
  readonly name: string
  readonly isAdmin: boolean
  /** The session of the request; absent when the auth plugin has none. */
  readonly sessionId?: string
  /**
   * When the person behind the session last proved to own the account, in milliseconds. Absent when the auth plugin has no
   * sessions: each of its requests is a proof.
   */
  readonly provenAt?: number
  /** A program's session. Its token is sent in the header `Authorization`, which no browser adds by itself. */
  readonly isProgram?: true
  /**
   * The organization that the session is limited to, because its identity provider started it. Other organizations and
   * the account itself are out of reach.
   */
  readonly confinedTo?: OrganizationId
  /** The administrator who acts as this account. */
  readonly impersonator?: { readonly userId: UserId; readonly email: string }
}

/** Says who calls, not what the caller may do: a role belongs to a caller and a project together. */
export type Principal = AnyKey | User

/** Identifies the credential: the account of a session, the key, or the project of its own key. */
export const credentialOf = (caller: Principal): string => {
  if (caller._tag === "User") return caller.userId
  return caller._tag === "OrganizationKey" ? caller.key.id : (caller.key?.id ?? caller.projectId)
}

/** Reports whether a caller may reach an organization, in any role. */
export const reaches = (caller: Principal, id: OrganizationId | undefined): boolean =>
  caller._tag !== "User" || caller.confinedTo === undefined || caller.confinedTo === id

/**
 * The highest role of an administrator who acts as an account. Changes that give others access, cost money or cannot be
 * undone stay with the account itself.
 */
export const impersonatorRole: Role = "editor"

/** The role with which a caller acts, of the role that the account has. */
export const actingRole = (caller: Principal, role: Role): Role =>
  caller._tag === "User" && caller.impersonator !== undefined && includes(role, impersonatorRole)
    ? impersonatorRole
    : role
