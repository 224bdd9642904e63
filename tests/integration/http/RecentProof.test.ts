/** A session that was opened a while ago gives nobody lasting access until its person proves again to own the account. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Authenticator } from "../../support/Authenticator.ts"
import { mailTo, withMail } from "./Mailbox.ts"
import { type Call, call, cookieOf, password, person, publicUrl, refused } from "./Server.ts"
import { join, organizationOf, verify } from "./Team.ts"

const live = { excludeTestServices: true } as const
let numbers = 0

/** The session was opened this long ago. */
const age = (email: string, interval: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE sessions SET created_at = now() - ${interval}::interval, proven_at = NULL
      WHERE user_id = (SELECT id FROM users WHERE email = ${email})`
  )

interface Scene {
  readonly withSession: Call
  readonly organizationId: string
  readonly projectId: string
  readonly memberId: string
  readonly passkeyId: string
  readonly userCode: string
}

const addPasskey = Effect.fnUntraced(function* (ada: { readonly withSession: Call; readonly cookie: string }) {
  const started = yield* ada.withSession("GET", "/auth/passkey/generate-register-options")
  const response = new Authenticator(publicUrl).create(started.body, {})
  const cookie = `${ada.cookie}; ${cookieOf(started)}`
  return yield* call("POST", "/auth/passkey/verify-registration", { response }, { cookie })
})

/** Requests that let somebody in for longer than the session lasts. */
const lasting: ReadonlyArray<readonly [name: string, ask: (scene: Scene) => ReturnType<Call>]> = [
  [
    "another address",
    ({ withSession }) => withSession("POST", "/auth/change-email", { newEmail: `n${++numbers}@example.com` })
  ],
  ["a passkey", ({ withSession }) => withSession("GET", "/auth/passkey/generate-register-options")],
  [
    "a deleted passkey",
    ({ passkeyId, withSession }) => withSession("POST", "/auth/passkey/delete-passkey", { id: passkeyId })
  ],
  ["the login of a program", ({ userCode, withSession }) => withSession("POST", "/auth/device/approve", { userCode })],
  [
    "an identity provider",
    ({ organizationId, withSession }) =>
      withSession("PUT", `/organizations/${organizationId}/sso`, {
        protocol: "oidc",
        enabled: false,
        enforced: false,
        roles: [],
        defaultRole: "viewer",
        issuer: "https://login.example.com",
        clientId: "kanmon",
        scopes: ["email"],
        groupsClaim: "groups"
      })
  ],
  [
    "no identity provider",
    ({ organizationId, withSession }) => withSession("DELETE", `/organizations/${organizationId}/sso`)
  ],
  [
    "a token for provisioning",
    ({ organizationId, withSession }) =>
      withSession("POST", `/organizations/${organizationId}/scim-tokens`, { name: "Okta" })
  ],
  [
    "an API key of the organization",
    ({ organizationId, withSession }) =>
      withSession("POST", `/organizations/${organizationId}/api-keys`, { name: `Key ${++numbers}`, role: "viewer" })
  ],
  [
    "an API key",
    ({ projectId, withSession }) =>
      withSession("POST", `/projects/${projectId}/api-keys`, { name: `Key ${++numbers}`, role: "viewer" })
  ],
  ["another key of the project", ({ projectId, withSession }) => withSession("POST", `/projects/${projectId}/api-key`)],
  ["the end of a project", ({ projectId, withSession }) => withSession("DELETE", `/projects/${projectId}`)],
  [
    "the end of an organization",
    ({ organizationId, withSession }) => withSession("DELETE", `/organizations/${organizationId}`)
  ],
  ...(["admin", "owner"] as const).flatMap((role) => [
    [
      `an invited ${role}`,
      ({ organizationId, withSession }: Scene) =>
        withSession("POST", `/organizations/${organizationId}/invitations`, {
          email: `i${++numbers}@example.com`,
          role
        })
    ] as const,
    [
      `a member as ${role}`,
      ({ memberId, organizationId, withSession }: Scene) =>
        withSession("PATCH", `/organizations/${organizationId}/members/${memberId}`, { role })
    ] as const
  ])
]

const scene = Effect.gen(function* () {
  const ada = yield* person
  // Where mail is set up, only people with a proven address invite.
  yield* verify(ada)
  const organizationId = yield* organizationOf(ada)
  const member = yield* join(ada, "viewer")
  const { body: passkey } = yield* addPasskey(ada)
  const { body: device } = yield* call("POST", "/auth/device/code", { client_id: "kanmon-cli" })
  return { ...ada, organizationId, memberId: member.userId, passkeyId: passkey.id, userCode: device.user_code }
})

layer(withMail(), live)("a session that was opened a while ago", (it) => {
  it.effect.each(lasting)("gives nobody %s without the password", ([, ask]) =>
    Effect.gen(function* () {
      const ada = yield* scene
      yield* age(ada.email, "11 minutes")
      refused(yield* ask(ada), 403, "proof_required")
      refused(
        yield* ada.withSession("POST", "/auth/prove", { password: "not this one" }),
        422,
        "validation_failed",
        "password"
      )
      refused(yield* ask(ada), 403, "proof_required")
      assert.deepStrictEqual((yield* ada.withSession("POST", "/auth/prove", { password })).body, { status: true })
      const done = yield* ask(ada)
      assert.notInclude([401, 403], done.status, JSON.stringify(done.body))
    })
  )

  it.effect("does not stop a key, which proves itself", () =>
    Effect.gen(function* () {
      const ada = yield* person
      yield* age(ada.email, "11 minutes")
      const made = yield* ada.withKey("POST", `/projects/${ada.projectId}/api-keys`, { name: "CI", role: "viewer" })
      assert.strictEqual(made.status, 201, JSON.stringify(made.body))
      assert.strictEqual((yield* ada.withKey("DELETE", `/projects/${ada.projectId}`)).status, 200)
    })
  )

  it.effect("needs the password again ten minutes after it was given", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const ask = ada.withSession("GET", "/auth/passkey/generate-register-options")
      yield* age(ada.email, "11 minutes")
      yield* ada.withSession("POST", "/auth/prove", { password })
      assert.strictEqual((yield* ask).status, 200)
      yield* (yield* SqlClient.SqlClient)`UPDATE sessions SET proven_at = proven_at - interval '11 minutes'`
      refused(yield* ask, 403, "proof_required")
    })
  )

  it.effect("adds no passkey whose registration was begun in time", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const started = yield* ada.withSession("GET", "/auth/passkey/generate-register-options")
      yield* age(ada.email, "11 minutes")
      const response = new Authenticator(publicUrl).create(started.body, {})
      const cookie = `${ada.cookie}; ${cookieOf(started)}`
      refused(yield* call("POST", "/auth/passkey/verify-registration", { response }, { cookie }), 403, "proof_required")
    })
  )

  it.effect("goes on with everything else, roles that let nobody in included", () =>
    Effect.gen(function* () {
      const ada = yield* scene
      yield* age(ada.email, "29 days")
      const invited = yield* ada.withSession("POST", `/organizations/${ada.organizationId}/invitations`, {
        email: `i${++numbers}@example.com`,
        role: "editor"
      })
      assert.strictEqual(invited.status, 201, JSON.stringify(invited.body))
      assert.strictEqual((yield* ada.withSession("GET", "/auth/passkey/list-user-passkeys")).status, 200)
      assert.strictEqual((yield* ada.withSession("POST", "/auth/device/deny", { userCode: ada.userCode })).status, 200)
    })
  )

  it.effect("is proven by a sign-in again, also of an account without a password", () =>
    Effect.gen(function* () {
      const ada = yield* scene
      yield* age(ada.email, "11 minutes")
      const again = cookieOf(yield* call("POST", "/auth/sign-in/email", { email: ada.email, password }))
      yield* (yield* SqlClient.SqlClient)`UPDATE accounts SET password = NULL WHERE user_id = ${ada.userId}`
      refused(yield* ada.withSession("POST", "/auth/prove", { password }), 409, "conflict")
      const newEmail = `n${++numbers}@example.com`
      assert.strictEqual((yield* call("POST", "/auth/change-email", { newEmail }, { cookie: again })).status, 200)
      yield* mailTo(newEmail, { subject: /Confirm your new/ })
      // The session that was there before is as old as it was.
      refused(yield* ada.withSession("POST", "/auth/change-email", { newEmail }), 403, "proof_required")
    })
  )

  it.effect("is not proven by guessing: wrong passwords delay the next ones, as at sign-in", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const guess = ada.withSession("POST", "/auth/prove", { password: "not this one" })
      refused((yield* Effect.replicateEffect(guess, 8))[7]!, 429, "rate_limited")
      refused(yield* call("POST", "/auth/prove", { password }), 401, "unauthorized")
    })
  )

  it.effect("of an administrator begins to act as nobody else", () =>
    Effect.gen(function* () {
      const [boss, ada] = [yield* person, yield* person]
      yield* (yield* SqlClient.SqlClient)`UPDATE users SET is_admin = true WHERE id = ${boss.userId}`
      yield* age(boss.email, "11 minutes")
      const act = boss.withSession("POST", `/installation/accounts/${ada.userId}/impersonate`)
      refused(yield* act, 403, "proof_required")
      yield* boss.withSession("POST", "/auth/prove", { password })
      assert.strictEqual((yield* act).status, 200)
    })
  )
})
