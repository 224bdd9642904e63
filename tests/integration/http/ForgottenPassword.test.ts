/** Forgotten passwords and new ones. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { linkTo, mailTo, Mails, withConsole, withMail } from "./Mailbox.ts"
import { call, cookieOf, password, person, refused } from "./Server.ts"

const live = { excludeTestServices: true } as const
const newPassword = "another good password"

const ask = (email: string, headers?: Readonly<Record<string, string>>) =>
  call("POST", "/auth/request-password-reset", { email }, headers)

const reset = (token: string | null, chosen = newPassword) =>
  call("POST", "/auth/reset-password", { token, newPassword: chosen })

const signIn = (email: string, tried: string) => call("POST", "/auth/sign-in/email", { email, password: tried })

const resetMail = /reset your password/i

/** Another account's mail arrives: what was asked for before is sent, or will not be. */
const allBeforeSent = Effect.gen(function* () {
  const { email } = yield* person
  yield* ask(email)
  yield* linkTo(email, { subject: resetMail })
})

layer(withMail(), live)("a forgotten password", (it) => {
  it.effect("is replaced with a link that works once, and ends all sessions", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const other = cookieOf(yield* signIn(ada.email, password))
      assert.deepStrictEqual((yield* ask(ada.email)).body, { status: true })
      const link = yield* linkTo(ada.email, { subject: resetMail })
      assert.strictEqual(`${link.origin}${link.pathname}`, "http://kanmon.example/reset-password")
      const token = link.searchParams.get("token")
      refused(yield* reset(token, "short"), 422, "validation_failed", "newPassword")
      assert.deepStrictEqual((yield* reset(token)).body, { status: true })
      for (const cookie of [ada.cookie, other])
        assert.isNull((yield* call("GET", "/auth/get-session", undefined, { cookie })).body)
      refused(yield* signIn(ada.email, password), 401, "unauthorized")
      const inside = yield* signIn(ada.email, newPassword)
      assert.strictEqual(inside.status, 200)
      refused(yield* reset(token, "a third password"), 422, "validation_failed", "token")
      yield* mailTo(ada.email, { subject: /password was changed/ })
      const log = yield* call("GET", "/audit-log/account", undefined, { cookie: cookieOf(inside) })
      const actions = (log.body as ReadonlyArray<{ action: string }>).map(({ action }) => action)
      assert.includeMembers(actions, ["account.password_changed", "account.signed_in"])
    })
  )

  it.effect("is answered alike, whether the address has an account or not", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const known = yield* ask(ada.email)
      const unknown = yield* ask("nobody@example.org")
      const shape = ({ body, headers, status }: typeof known) => [status, body, [...headers.keys()].sort()]
      assert.deepStrictEqual(shape(known), shape(unknown))
      yield* linkTo(ada.email, { subject: resetMail })
      const mails = (yield* Mails).mails()
      assert.isFalse(mails.some(({ envelope }) => envelope.to[0] === "nobody@example.org"))
    })
  )

  it.effect("is answered before anybody looks at the account", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const sql = yield* SqlClient.SqlClient
      const answers = yield* sql.withTransaction(
        Effect.gen(function* () {
          // Whoever looks for an account waits until this transaction ends.
          yield* sql`LOCK TABLE users IN ACCESS EXCLUSIVE MODE`
          return yield* Effect.all([ask(ada.email), ask("nobody@example.org")])
        })
      )
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 200]
      )
      yield* linkTo(ada.email, { subject: resetMail })
    })
  )

  it.effect("keeps no token in the database", () =>
    Effect.gen(function* () {
      const ada = yield* person
      yield* ask(ada.email)
      const token = (yield* linkTo(ada.email, { subject: resetMail })).searchParams.get("token")!
      const stored = JSON.stringify(yield* (yield* SqlClient.SqlClient)`SELECT * FROM verifications`)
      assert.notInclude(stored, token)
      assert.include(stored, "identifier")
    })
  )

  it.effect("refuses a link that has expired", () =>
    Effect.gen(function* () {
      const ada = yield* person
      yield* ask(ada.email)
      const token = (yield* linkTo(ada.email, { subject: resetMail })).searchParams.get("token")
      yield* (yield* SqlClient.SqlClient)`UPDATE verifications SET expires_at = now() - interval '1 second'`
      refused(yield* reset(token), 422, "validation_failed", "token")
      assert.strictEqual((yield* signIn(ada.email, password)).status, 200)
    })
  )

  it.effect("gets at most three links in a row, and nobody hears of the limit", () =>
    Effect.gen(function* () {
      const ada = yield* person
      yield* linkTo(ada.email)
      const answers = yield* Effect.replicateEffect(ask(ada.email), 5)
      assert.isTrue(answers.every(({ status }) => status === 200))
      yield* linkTo(ada.email, { subject: resetMail, count: 3 })
      yield* allBeforeSent
      const mine = (yield* Mails).mails().filter(({ envelope }) => envelope.to[0] === ada.email)
      // The mail of the sign-up counts apart: strangers could have asked for it.
      assert.strictEqual(mine.length, 4)
    })
  )

  it.effect("leads nowhere else", () =>
    Effect.gen(function* () {
      const away = { email: "ada@example.org", redirectTo: "https://evil.example" }
      refused(yield* call("POST", "/auth/request-password-reset", away), 422, "validation_failed", "redirectTo")
      refused(yield* call("GET", "/auth/reset-password/x?callbackURL=https://evil.example"), 404, "not_found")
    })
  )

  it.effect("of an account that signs in elsewhere is not replaced", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE accounts SET provider_id = 'sso' WHERE user_id = (SELECT id FROM users WHERE email = ${ada.email})`
      yield* linkTo(ada.email)
      yield* ask(ada.email)
      yield* allBeforeSent
      const mine = (yield* Mails).mails().filter(({ envelope }) => envelope.to[0] === ada.email)
      assert.strictEqual(mine.length, 1)
    })
  )

  it.effect("lets its owner in at once after strangers have guessed", () =>
    Effect.gen(function* () {
      const ada = yield* person
      yield* (yield* SqlClient.SqlClient)`DELETE FROM sessions`
      yield* Effect.replicateEffect(signIn(ada.email, "not this one"), 8)
      refused(yield* signIn(ada.email, password), 429, "rate_limited")
      yield* ask(ada.email)
      yield* reset((yield* linkTo(ada.email, { subject: resetMail })).searchParams.get("token"))
      assert.strictEqual((yield* signIn(ada.email, newPassword)).status, 200)
    })
  )
})

layer(withConsole(), live)("a new password", (it) => {
  const change = (cookie: string, currentPassword: string, more: object = {}) =>
    call("POST", "/auth/change-password", { currentPassword, newPassword, ...more }, { cookie })

  it.effect("replaces the present one, ends other sessions and goes on in this one", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const other = cookieOf(yield* signIn(ada.email, password))
      const changed = yield* change(ada.cookie, password)
      assert.strictEqual(changed.status, 200, JSON.stringify(changed.body))
      assert.isNull(changed.body.token)
      const session = (cookie: string) => call("GET", "/auth/get-session", undefined, { cookie })
      assert.isNull((yield* session(other)).body)
      assert.isNull((yield* session(ada.cookie)).body)
      assert.strictEqual((yield* session(cookieOf(changed))).body.user.email, ada.email)
      refused(yield* signIn(ada.email, password), 401, "unauthorized")
      assert.strictEqual((yield* signIn(ada.email, newPassword)).status, 200)
    })
  )

  it.effect("needs the present one, which cannot be guessed", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const answers = yield* Effect.replicateEffect(change(ada.cookie, "not this one"), 8)
      refused(answers[0]!, 422, "validation_failed", "currentPassword")
      refused(answers[7]!, 429, "rate_limited")
      assert.isAbove(Number(answers[7]!.headers.get("retry-after")), 0)
      refused(yield* change("", password), 401, "unauthorized")
      refused(yield* change(ada.cookie, password, { userId: "usr_other" }), 422, "validation_failed", "userId")
    })
  )
})
