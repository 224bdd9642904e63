/** Tokens with which an identity provider provisions the people of an organization. */
import { Schema } from "effect"
import { Actor } from "./Actor.ts"
import { ScimTokenId } from "./Ids.ts"
import { Name } from "./Monitor.ts"
import { Timestamp } from "./Timestamp.ts"

/** Tokens that an organization can have. Expired ones count until they are deleted. */
export const maxScimTokens = 10

/** A token without its secret, which is shown once and stored as a hash. */
export const ScimToken = Schema.Struct({
  id: ScimTokenId,
  name: Name,
  expiresAt: Schema.NullOr(Timestamp).annotate({ description: "From then on it is refused with 401; null: never" }),
  lastUsedAt: Schema.NullOr(Timestamp).annotate({ description: "Accurate to a minute; null when it was never used" }),
  createdBy: Actor,
  createdAt: Timestamp
}).annotate({ identifier: "ScimToken" })
export type ScimToken = typeof ScimToken.Type
