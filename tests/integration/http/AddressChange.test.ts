/** The address, the name and the language of an account. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { linkTo, mailTo, Mails, withMail } from "./Mailbox.ts"
import { call, cookieOf, password, person, refused } from "./Server.ts"

const live = { excludeTestServices: true } as const
let addresses = 0
const newAddress = () => `new${++addresses}@example.com`
const confirmMail = /Confirm your new/

const at = (link: URL) => link.pathname.replace("/api/v1", "")
const tokenOf = (link: URL) => link.searchParams.get("token")

layer(withMail(), live)("the address of an account", (it) => {
  const change = (cookie: string, newEmail: string, more: object = {}) =>
    call("POST", "/auth/change-email", { newEmail, ...more }, { cookie })

  it.effect("changes when the new one is confirmed, and the old one is told twice", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const newEmail = newAddress()
      assert.deepStrictEqual((yield* change(ada.cookie, newEmail, { password })).body, { status: true })
      const notice = yield* mailTo(ada.email, { subject: /new e-mail address was entered/ })
      assert.include(notice.parsed.text!, newEmail)
      const link = yield* linkTo(newEmail, { subject: confirmMail })
      const shown = yield* call("GET", `${at(link)}${link.search}`, undefined, { accept: "text/html" })
      assert.include(shown.body, "password")
      const session = () => call("GET", "/auth/get-session", undefined, { cookie: ada.cookie })
      assert.strictEqual((yield* session()).body.user.email, ada.email)

      const confirmed = yield* call("POST", at(link), { token: tokenOf(link), password })
      assert.deepStrictEqual(confirmed.body, { status: true })
      assert.deepInclude((yield* session()).body.user, { email: newEmail, emailVerified: true })
      yield* mailTo(ada.email, { subject: /was changed/ })
      refused(yield* call("POST", at(link), { token: tokenOf(link), password }), 422, "validation_failed", "token")
      const inside = yield* call("POST", "/auth/sign-in/email", { email: newEmail, password })
      assert.strictEqual(inside.status, 200)
      refused(yield* call("POST", "/auth/sign-in/email", { email: ada.email, password }), 401, "unauthorized")
      const log = yield* call("GET", "/audit-log/account", undefined, { cookie: cookieOf(inside) })
      assert.deepInclude(
        log.body.find(({ action }: { action: string }) => action === "account.updated"),
        { before: { email: ada.email }, after: { email: newEmail } }
      )
    })
  )

  it.effect("is confirmed by the account's session with one button", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const newEmail = newAddress()
      yield* change(ada.cookie, newEmail)
      const link = yield* linkTo(newEmail, { subject: confirmMail })
      const browser = { accept: "text/html", cookie: ada.cookie, "accept-language": "de" }
      const shown = yield* call("GET", `${at(link)}${link.search}`, undefined, browser)
      assert.notInclude(shown.body, 'type="password"')
      assert.include(shown.body, '<html lang="de">')
      const form = { ...browser, "content-type": "application/x-www-form-urlencoded" }
      const done = yield* call("POST", at(link), `token=${tokenOf(link)}`, form)
      assert.deepStrictEqual([done.status, done.headers.getSetCookie()], [200, []])
      assert.include(done.body, "bestätigt")
    })
  )

  it.effect("is asked for with a link of any text, which is none", () =>
    Effect.gen(function* () {
      for (const route of ["/auth/verify-email", "/auth/confirm-email"])
        for (const token of ["%00", "%F0%9F%98%80", "x".repeat(3000)]) {
          const shown = yield* call("GET", `${route}?token=${token}`, undefined, { accept: "text/html" })
          assert.strictEqual(shown.status, 200)
          assert.include(shown.body, "not valid")
        }
    })
  )

  it.effect("is not confirmed by whoever got the mail by mistake", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const eve = yield* person
      const newEmail = newAddress()
      yield* change(ada.cookie, newEmail)
      const link = yield* linkTo(newEmail, { subject: confirmMail })
      const token = tokenOf(link)
      refused(yield* call("POST", at(link), { token }), 401, "unauthorized")
      refused(yield* call("POST", at(link), { token }, { cookie: eve.cookie }), 401, "unauthorized")
      const guesses = yield* Effect.replicateEffect(call("POST", at(link), { token, password: "not this one" }), 8)
      refused(guesses[7]!, 429, "rate_limited")
      assert.strictEqual((yield* ada.withSession("GET", "/auth/get-session")).body.user.email, ada.email)
    })
  )

  it.effect("of another account is answered alike, and sends nothing there", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const ben = yield* person
      const taken = yield* change(ada.cookie, ben.email)
      const other = newAddress()
      const free = yield* change(ada.cookie, other)
      assert.deepStrictEqual([taken.status, taken.body], [free.status, free.body])
      yield* mailTo(ada.email, { subject: /was entered/, count: 2 })
      // What was asked for later has been sent.
      yield* linkTo(other, { subject: confirmMail })
      const mails = (yield* Mails).mails().filter(({ envelope }) => envelope.to[0] === ben.email)
      assert.isFalse(mails.some(({ parsed }) => confirmMail.test(parsed.subject ?? "")))
    })
  )

  it.effect("goes to whoever confirms it first", () =>
    Effect.gen(function* () {
      const [ada, ben] = [yield* person, yield* person]
      const newEmail = newAddress()
      yield* change(ada.cookie, newEmail)
      const first = yield* linkTo(newEmail, { subject: confirmMail })
      yield* change(ben.cookie, newEmail)
      const second = yield* linkTo(newEmail, { subject: confirmMail, count: 2 })
      assert.strictEqual((yield* call("POST", at(first), { token: tokenOf(first), password })).status, 200)
      refused(yield* call("POST", at(second), { token: tokenOf(second), password }), 409, "conflict", "email")
    })
  )

  it.effect("needs the password once the sign-in is ten minutes ago", () =>
    Effect.gen(function* () {
      const ada = yield* person
      yield* (yield* SqlClient.SqlClient)`UPDATE sessions SET created_at = now() - interval '11 minutes'`
      refused(yield* change(ada.cookie, newAddress()), 403, "proof_required")
      refused(yield* change(ada.cookie, newAddress(), { password: "wrong" }), 422, "validation_failed", "password")
      assert.strictEqual((yield* change(ada.cookie, newAddress(), { password })).status, 200)
    })
  )

  it.effect.each([
    ["x"],
    ["ada@example.com\r\nBcc: all@example.com"],
    ["Ada <ada@example.com>"],
    ["\u212Aay@example.com"]
  ])("cannot be %j", ([newEmail]) =>
    Effect.gen(function* () {
      const ada = yield* person
      refused(yield* change(ada.cookie, newEmail!), 422, "validation_failed", "newEmail")
    })
  )

  it.effect("is verified by a link that works once and is stored as a digest", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const link = yield* linkTo(ada.email)
      const body = { email: ada.email, token: tokenOf(link), password }
      const stored = JSON.stringify(yield* (yield* SqlClient.SqlClient)`SELECT * FROM verifications`)
      assert.notInclude(stored, tokenOf(link)!)
      const answers = yield* Effect.all(
        Array.from({ length: 4 }, () => call("POST", "/auth/verify-email", body)),
        { concurrency: 4 }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [200, 422, 422, 422])
    })
  )
})

layer(withMail(), live)("a profile", (it) => {
  it.effect("has no time zone until one is chosen, and shows what happened to the account in it", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const zone = Effect.map(ada.withSession("GET", "/auth/get-session"), ({ body }) => body.user.timezone)
      const update = (body: object) => ada.withSession("POST", "/auth/update-user", body)
      assert.isNull(yield* zone)
      refused(yield* update({ timezone: "Berlin" }), 422, "validation_failed", "timezone")
      refused(yield* update({ timezone: "+01:00" }), 422, "validation_failed", "timezone")
      refused(yield* update({ timezone: "x".repeat(1000) }), 422, "validation_failed", "timezone")
      assert.strictEqual((yield* update({ timezone: "Asia/Calcutta" })).status, 200)
      assert.strictEqual(yield* zone, "Asia/Calcutta")
      yield* ada.withSession("POST", "/auth/change-password", {
        currentPassword: password,
        newPassword: "another good password"
      })
      const { parsed } = yield* mailTo(ada.email, { subject: /password was changed/ })
      assert.match(parsed.text!, /Time: \d{1,2} \S+ \d{4} at \d\d:\d\d:\d\d IST/)
      const other = yield* person
      assert.strictEqual((yield* other.withSession("POST", "/auth/update-user", { timezone: null })).status, 200)
    })
  )

  it.effect("changes its name and the language of its mail", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const update = (body: object) => ada.withSession("POST", "/auth/update-user", body)
      assert.deepStrictEqual((yield* update({ name: "Ada L.", locale: "ja" })).body, { status: true })
      const session = yield* ada.withSession("GET", "/auth/get-session")
      assert.deepInclude(session.body.user, { name: "Ada L.", locale: "ja" })
      yield* ada.withSession("POST", "/auth/send-verification-email", {})
      yield* mailTo(ada.email, { subject: /メールアドレスの確認/ })
      refused(yield* update({}), 422, "validation_failed")
      refused(yield* update({ locale: "tlh" }), 422, "validation_failed", "locale")
      refused(yield* update({ name: " " }), 422, "validation_failed", "name")
      for (const field of ["isAdmin", "emailVerified", "email", "twoFactorEnabled", "image"])
        refused(yield* update({ name: "Ada", [field]: true }), 422, "validation_failed", field)
      refused(yield* call("POST", "/auth/update-user", { name: "Eve" }), 401, "unauthorized")
    })
  )
})
