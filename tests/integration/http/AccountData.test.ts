/** The copy of an account, and its end. */
import * as LockWaits from "../../support/LockWaits.ts"
import { assert, layer } from "@effect/vitest"
import { Organizations } from "@kanmon/identity/organizations"
import type { UserId } from "@kanmon/domain/Ids"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { mailTo, withMail } from "./Mailbox.ts"
import { call, cookieOf, password, person, refused, shop } from "./Server.ts"

const live = { excludeTestServices: true } as const

layer(withMail(), live)("an account", (it) => {
  it.effect("is copied with what it alone owns, without secrets", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const ben = yield* person
      assert.strictEqual((yield* ada.withKey("POST", "/monitors", shop)).status, 201)
      yield* ben.withKey("POST", "/monitors", { ...shop, name: "Ben's" })
      const { body, status } = yield* ada.withSession("GET", "/account/export")
      assert.strictEqual(status, 200, JSON.stringify(body))
      assert.strictEqual(body.account.email, ada.email)
      assert.lengthOf(body.sessions, 1)
      assert.deepStrictEqual(
        body.owned.monitors.map(({ name }: { name: string }) => name),
        ["Shop"]
      )
      const text = JSON.stringify(body)
      for (const secret of [ada.key, "sha256:", "encrypted", "hash"]) assert.notInclude(text, secret)
      assert.notInclude(text, ben.email)
      const log = yield* ada.withSession("GET", "/audit-log/account")
      assert.include(JSON.stringify(log.body), "account.exported")
    })
  )

  it.effect("is deleted with its password, its sessions and what it alone owns", () =>
    Effect.gen(function* () {
      const ada = yield* person
      refused(yield* ada.withSession("DELETE", "/account", {}), 422, "validation_failed", "password")
      refused(yield* ada.withSession("DELETE", "/account", { password: "wrong" }), 422, "validation_failed", "password")
      const away = { origin: "https://evil.example" }
      refused(yield* ada.withSession("DELETE", "/account", { password }, away), 403, "forbidden")
      const gone = yield* ada.withSession("DELETE", "/account", { password })
      assert.strictEqual(gone.status, 200, JSON.stringify(gone.body))
      assert.isTrue(gone.body.deleted)
      yield* mailTo(ada.email, { subject: /was deleted/ })
      refused(yield* ada.withSession("GET", "/projects"), 401, "unauthorized")
      refused(yield* ada.withKey("GET", "/monitors"), 401, "unauthorized")
      refused(yield* call("POST", "/auth/sign-in/email", { email: ada.email, password }), 401, "unauthorized")
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM projects WHERE id = ${ada.projectId}`, [])
      const again = yield* call("POST", "/auth/sign-up/email", { name: "Ada", email: ada.email, password })
      assert.strictEqual(again.status, 200)
    })
  )

  it.effect("is not deleted by somebody who guesses its password in an open session", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const answers = yield* Effect.replicateEffect(ada.withSession("DELETE", "/account", { password: "wrong" }), 8)
      refused(answers[7]!, 429, "rate_limited")
      assert.strictEqual((yield* ada.withSession("GET", "/projects")).status, 200)
    })
  )

  it.effect("stays while it is the last owner of others", () =>
    Effect.gen(function* () {
      const [ada, ben] = [yield* person, yield* person]
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO organization_members (organization_id, user_id, role, source, created_at)
        SELECT p.organization_id, u.id, 'admin', 'invitation', now() FROM projects p, users u
        WHERE p.id = ${ada.projectId} AND u.email = ${ben.email}`
      refused(yield* ada.withSession("DELETE", "/account", { password }), 409, "conflict")
      yield* sql`UPDATE organization_members SET role = 'owner' WHERE source = 'invitation'`
      assert.strictEqual((yield* ada.withSession("DELETE", "/account", { password })).status, 200)
      const projects = yield* ben.withSession("GET", "/projects")
      assert.include(JSON.stringify(projects.body), ada.projectId)
    })
  )

  it.effect("stays while an organization that would go with it pays, and goes once that is canceled", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const ada = yield* person
      yield* sql`INSERT INTO subscriptions (organization_id, subscription_id, item_id, plan_id, status, current_period_start,
          current_period_end, began_at, updated_at)
        SELECT organization_id, 'sub_1', 'si_1', 'plan_enterprise', 'active', now(), now() + interval '30 days', now(), now()
        FROM projects WHERE id = ${ada.projectId}`
      const refusal = yield* ada.withSession("DELETE", "/account", { password })
      refused(refusal, 409, "conflict")
      assert.include(refusal.body.detail, "pays for a subscription: cancel it first")
      assert.strictEqual((yield* ada.withKey("GET", "/monitors")).status, 200)
      // Nor does it go when the row of the account is removed in another way.
      const [user] = yield* sql`SELECT id FROM users WHERE email = ${ada.email}`
      const organizations = yield* Organizations
      yield* organizations.removeAlone(user!["id"] as UserId)
      assert.strictEqual((yield* ada.withKey("GET", "/monitors")).status, 200)
      yield* sql`UPDATE subscriptions SET cancel_at = current_period_end WHERE subscription_id = 'sub_1'`
      assert.strictEqual((yield* ada.withSession("DELETE", "/account", { password })).status, 200)
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM projects WHERE id = ${ada.projectId}`, [])
    })
  )

  it.effect("of two last owners who delete theirs at once, one stays", () =>
    Effect.gen(function* () {
      const [ada, ben, cid] = [yield* person, yield* person, yield* person]
      const sql = yield* SqlClient.SqlClient
      for (const [one, role] of [
        [ben, "owner"],
        [cid, "viewer"]
      ] as const)
        yield* sql`INSERT INTO organization_members (organization_id, user_id, role, source, created_at)
          SELECT organization_id, ${one.userId}, ${role}, 'invitation', now() FROM projects WHERE id = ${ada.projectId}`
      const held = sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`SELECT id FROM organizations FOR UPDATE`
          const deleting = yield* Effect.forEach([ada, ben], ({ withSession }) =>
            Effect.forkDetach(withSession("DELETE", "/account", { password }))
          )
          // Each has begun, and waits for the organization or for the other.
          yield* LockWaits.waiting(2)
          return deleting
        })
      )
      const answers = yield* Effect.forEach(yield* held, (fiber) => Fiber.join(fiber))
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [200, 409])
    })
  )

  it.effect("without a password is deleted with a session that began shortly before", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE accounts SET password = NULL`
      yield* sql`UPDATE sessions SET created_at = now() - interval '11 minutes'`
      refused(yield* ada.withSession("DELETE", "/account", {}), 403, "proof_required")
      yield* sql`UPDATE sessions SET created_at = now()`
      assert.strictEqual((yield* ada.withSession("DELETE", "/account", {})).status, 200)
    })
  )
})

layer(withMail(), live)("the security of accounts", (it) => {
  it.effect("takes over no session that was set before signing in", () =>
    Effect.gen(function* () {
      const [ada, eve] = [yield* person, yield* person]
      const inside = yield* call("POST", "/auth/sign-in/email", { email: ada.email, password }, { cookie: eve.cookie })
      assert.notStrictEqual(cookieOf(inside), eve.cookie)
      const session = yield* eve.withSession("GET", "/auth/get-session")
      assert.strictEqual(session.body.user.email, eve.email)
    })
  )

  it.effect("keeps no session's token in the database or in answers", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const token = decodeURIComponent(ada.cookie.split("=")[1]!).split(".")[0]!
      const stored = yield* (yield* SqlClient.SqlClient)`SELECT token FROM sessions`
      assert.isTrue(stored.every((row) => String(row["token"]).startsWith("sha256:")))
      assert.notInclude(JSON.stringify(stored), token)
      const session = yield* ada.withSession("GET", "/auth/get-session")
      assert.notInclude(JSON.stringify(session.body), token)
      // What is stored is no token.
      const copied = ada.cookie.replace(token, String(stored.at(-1)!["token"]))
      assert.isNull((yield* call("GET", "/auth/get-session", undefined, { cookie: copied })).body)
    })
  )

  it.effect.each([
    ["/auth/change-password", { currentPassword: password, newPassword: "another good password" }],
    ["/auth/change-email", { newEmail: "eve@example.com", password }],
    ["/auth/update-user", { name: "Eve" }],
    ["/auth/two-factor/enable", { password }],
    ["/auth/two-factor/disable", { password }],
    ["/auth/two-factor/generate-backup-codes", { password }],
    ["/auth/two-factor/verify-totp", { code: "000000" }],
    ["/auth/passkey/verify-registration", { response: {} }],
    ["/auth/passkey/update-passkey", { id: "psk_1", name: "x" }],
    ["/auth/passkey/delete-passkey", { id: "psk_1" }],
    ["/auth/request-password-reset", { email: "ada@example.org" }],
    ["/auth/confirm-email", { token: "x" }]
  ] as const)("lets no page of another site use %s", ([route, body]) =>
    Effect.gen(function* () {
      const ada = yield* person
      for (const origin of ["https://evil.example", "null", "http://kanmon.example.evil.example"])
        refused(yield* ada.withSession("POST", route, body, { origin }), 403, "forbidden")
      for (const field of ["callbackURL", "redirectTo", "errorCallbackURL"])
        refused(
          yield* ada.withSession("POST", route, { ...body, [field]: "https://evil.example" }),
          422,
          "validation_failed",
          field
        )
    })
  )
})
