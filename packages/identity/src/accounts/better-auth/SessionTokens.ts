/**
 * Session tokens at rest. Only digests are stored, so that a copy of the database signs nobody in. Tokens have 190 random bits,
 * for which a digest without a salt is enough. Better Auth reads rows by token and uses the token of a row that it has read
 * again: rows that were found by a token carry that token, others the stored form, which stands for itself.
 */
import { createHash } from "node:crypto"

const stored = /^sha256:[0-9a-f]{64}$/

/** The stored form of a token, or of what is stored already. */
export const seal = (token: string): string =>
  stored.test(token) ? token : `sha256:${createHash("sha256").update(token).digest("hex")}`
