/** Replaces hashes of passwords that were made with other parameters than today's, when their owners sign in. */
import type { AuthRecords, Where } from "../../users/index.ts"
import { Clock, Effect } from "effect"
import { is } from "./Conditions.ts"
import * as PasswordHash from "./PasswordHash.ts"
import type { Passwords } from "./Passwords.ts"

const withHash: Where = { ...is("password", null), operator: "ne" }
const isNew: Where = { ...is("password", PasswordHash.prefix), operator: "starts_with" }

/** Whether there are hashes of earlier releases. */
export const hasOld = Effect.fnUntraced(function* (records: AuthRecords["Service"]) {
  return (yield* records.count("account", [withHash])) > (yield* records.count("account", [isNew]))
})

/** Runs in the background after a correct password, so that the sign-in does not wait for it. */
export const renew = (records: AuthRecords["Service"], passwords: Passwords, userId: string, password: string) =>
  Effect.gen(function* () {
    const mine = [is("userId", userId), is("providerId", "credential")]
    const [account] = yield* records.find("account", mine, { limit: 1 })
    const before = account?.["password"]
    if (typeof before !== "string" || !passwords.isOutdated(before) || passwords.isFull()) return false
    const hash = yield* Effect.promise(() => passwords.hash(password))
    // Unless it was changed in the meantime.
    const changed = yield* records.update("account", [...mine, is("password", before)], {
      password: hash,
      updatedAt: new Date(yield* Clock.currentTimeMillis)
    })
    return changed.length > 0
  })
