/**
 * Session tokens at rest. Only digests are stored, so a copy of the database gives no access. Tokens have 190 random
 * bits, so a digest without a salt is enough. Better Auth reads rows by token and uses the token of the row that it
 * reads. Rows that were found by a token therefore carry that token; other rows carry the stored form, which identifies
 * itself.
 */
import { createHash } from "node:crypto"

const stored = /^sha256:[0-9a-f]{64}$/

/** The stored form of a token, or of what is stored already. */
export const seal = (token: string): string =>
  stored.test(token) ? token : `sha256:${createHash("sha256").update(token).digest("hex")}`
