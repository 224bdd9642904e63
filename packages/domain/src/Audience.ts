/**
 * Permission to call endpoints that belong to no project and no organization. As with roles this is the only
 * declaration: the API enforces it, the OpenAPI document shows it, and the tests derive their matrix from it.
 */
import type { Principal } from "./Principal.ts"

/** How a caller can identify itself. */
export type Credential = "apiKey" | "session" | "scimToken"

/** Whom operations are for that belong to no project and no organization, and the credentials by which these are known: any of them is enough. */
export const audiences = {
  /** Everybody, without a credential. */
  public: [],
  /** Any project's key, and any account. */
  caller: ["apiKey", "session"],
  /** The account that is signed in. */
  account: ["session"],
  /** An administrator of the installation who is signed in. */
  administrator: ["session"],
  /** An organization's identity provider, with a token for provisioning. */
  identityProvider: ["scimToken"]
} as const satisfies Readonly<Record<string, ReadonlyArray<Credential>>>

export type Audience = keyof typeof audiences

/** Whether a caller belongs to an audience. */
export const belongs = (audience: Audience, caller: Principal | undefined): boolean => {
  if (audience === "public") return true
  if (caller === undefined) return false
  const credentials: ReadonlyArray<Credential> = audiences[audience]
  if (!credentials.includes(caller._tag === "User" ? "session" : "apiKey")) return false
  return audience !== "administrator" || (caller._tag === "User" && caller.isAdmin)
}
