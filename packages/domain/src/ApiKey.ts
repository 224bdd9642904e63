/** API keys of a project, besides the project's own key, and those of an organization. */
import { Schema } from "effect"
import { Actor } from "./Actor.ts"
import { ApiKeyId } from "./Ids.ts"
import { Name } from "./Monitor.ts"
import { KeyRole } from "./Role.ts"
import { Timestamp } from "./Timestamp.ts"

/** Keys that a project or an organization can have, a project's own not counted. Expired ones count until they are deleted. */
export const maxApiKeys = 50

/** A key without its secret, which is shown once and stored as a hash. */
export const ApiKey = Schema.Struct({
  id: ApiKeyId,
  name: Name,
  role: KeyRole,
  expiresAt: Schema.NullOr(Timestamp).annotate({ description: "From then on it is refused with 401; null: never" }),
  lastUsedAt: Schema.NullOr(Timestamp).annotate({ description: "Accurate to a minute; null when it was never used" }),
  createdBy: Actor,
  createdAt: Timestamp
}).annotate({ identifier: "ApiKey" })
export type ApiKey = typeof ApiKey.Type
