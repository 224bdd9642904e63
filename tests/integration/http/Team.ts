/** People in one organization, for tests. */
import type { Role } from "@kanmon/domain/Role"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { hashToken } from "@kanmon/platform/database/Secrets"
import { type Call, person } from "./Server.ts"

/** The oldest organization that somebody owns or administrates. */
export const organizationOf = (somebody: { readonly withSession: Call }): Effect.Effect<string> =>
  Effect.map(somebody.withSession("GET", "/organizations"), ({ body }) => body[0].id as string)

/** A person who accepted an invitation to the organization of another one, and left their own. */
export const join = Effect.fnUntraced(function* (owner: { readonly withSession: Call }, role: Role) {
  const member = yield* person
  const sql = yield* SqlClient.SqlClient
  const own = yield* organizationOf(member)
  assert.strictEqual((yield* member.withSession("DELETE", `/organizations/${own}`)).status, 200)
  const organizationId = yield* organizationOf(owner)
  const path = `/organizations/${organizationId}/invitations`
  // The people of all tests come from one network, and these tests are not about how many mails one may cause.
  yield* sql`DELETE FROM allowances WHERE key LIKE 'own-network:%'`
  const made = yield* owner.withSession("POST", path, { email: member.email, role })
  assert.strictEqual(made.status, 201, JSON.stringify(made.body))
  // Only the mail has the token, and these tests read no mail.
  yield* sql`UPDATE invitations SET token_hash = ${hash} WHERE id = ${made.body.id}`
  const accepted = yield* member.withSession("POST", `/invitations/${token}/accept`)
  assert.strictEqual(accepted.status, 200, JSON.stringify(accepted.body))
  assert.deepInclude(accepted.body, { id: organizationId, role })
  return member
})

/** Does what following the links in the mails to these people does: the addresses of their accounts are verified. */
export const verify = (...people: ReadonlyArray<{ readonly userId: string }>) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE users SET email_verified = true WHERE id = ANY(${people.map(({ userId }) => userId)}::text[])`
  )

/** Does what entering the code does that was sent to a contact method. */
export const confirmMethod = (id: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE contact_methods SET confirmed_at = now() WHERE id = ${id}`)

const token = "t".repeat(43)
const hash = hashToken(token)
