/** Two-factor authentication, and that there is no way around it. */
import { assert, layer } from "@effect/vitest"
import { AuthRecords } from "@kanmon/identity/accounts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { served } from "@kanmon/identity/testing/accounts/better-auth/ServedRoutes.ts"
import { totp } from "../../support/Totp.ts"
import { linkTo, mailTo, withMail } from "./Mailbox.ts"
import { call, cookieOf, password, person, refused } from "./Server.ts"

const live = { excludeTestServices: true } as const

const signIn = (email: string, headers?: Readonly<Record<string, string>>) =>
  call("POST", "/auth/sign-in/email", { email, password }, headers)

/** Somebody with a second factor. */
const protectedPerson = Effect.gen(function* () {
  const ada = yield* person
  const enabled = yield* ada.withSession("POST", "/auth/two-factor/enable", { password })
  const { backupCodes, totpURI } = enabled.body as { totpURI: string; backupCodes: ReadonlyArray<string> }
  const confirmed = yield* ada.withSession("POST", "/auth/two-factor/verify-totp", { code: totp(totpURI) })
  assert.strictEqual(confirmed.status, 200, JSON.stringify(confirmed.body))
  return { ...ada, cookie: cookieOf(confirmed), totpURI, backupCodes }
})

const verify = (cookie: string, code: string, more: object = {}) =>
  call("POST", "/auth/two-factor/verify-totp", { code, ...more }, { cookie })

const useBackup = (cookie: string, code: string) =>
  call("POST", "/auth/two-factor/verify-backup-code", { code }, { cookie })

layer(withMail(), live)("a second factor", (it) => {
  it.effect("is set up with the password and a code, and then asked for", () =>
    Effect.gen(function* () {
      const ada = yield* person
      refused(
        yield* ada.withSession("POST", "/auth/two-factor/enable", { password: "wrong" }),
        422,
        "validation_failed",
        "password"
      )
      const { body } = yield* ada.withSession("POST", "/auth/two-factor/enable", { password })
      assert.match(body.totpURI, /^otpauth:\/\/totp\/Kanmon:/)
      assert.strictEqual(new Set(body.backupCodes).size, 10)
      // Until it is confirmed, nobody is locked out.
      assert.isUndefined((yield* signIn(ada.email)).body.twoFactorRedirect)
      const wrong = yield* ada.withSession("POST", "/auth/two-factor/verify-totp", { code: "000000" })
      refused(wrong, 422, "validation_failed", "code")
      const confirmed = yield* ada.withSession("POST", "/auth/two-factor/verify-totp", { code: totp(body.totpURI) })
      assert.strictEqual(confirmed.status, 200)
      assert.isTrue(
        (yield* call("GET", "/auth/get-session", undefined, { cookie: cookieOf(confirmed) })).body.user.twoFactorEnabled
      )
      yield* mailTo(ada.email, { subject: /authentication is on/ })

      const first = yield* signIn(ada.email)
      assert.deepStrictEqual(first.body, { twoFactorRedirect: true, twoFactorMethods: ["totp"] })
      const pending = cookieOf(first)
      assert.isNull((yield* call("GET", "/auth/get-session", undefined, { cookie: pending })).body)
      const second = yield* verify(pending, ` ${totp(body.totpURI).replace(/(...)/, "$1 ")}`)
      assert.strictEqual(second.status, 200, JSON.stringify(second.body))
      assert.isNull(second.body.token)
      const projects = yield* call("GET", "/projects", undefined, { cookie: cookieOf(second) })
      assert.strictEqual(projects.status, 200)
    })
  )

  it.effect("is set up by several requests at once as by one", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const asks = Array.from({ length: 4 }, () => ada.withSession("POST", "/auth/two-factor/enable", { password }))
      const answers = yield* Effect.all(asks, { concurrency: 4 })
      assert.includeMembers([200, 409], [...new Set(answers.map(({ status }) => status))])
      const { body } = yield* ada.withSession("POST", "/auth/two-factor/get-totp-uri", { password })
      const code = totp(body.totpURI)
      assert.strictEqual((yield* ada.withSession("POST", "/auth/two-factor/verify-totp", { code })).status, 200)
    })
  )

  it.effect("has codes that are accepted once", () =>
    Effect.gen(function* () {
      const ada = yield* protectedPerson
      const code = totp(ada.totpURI)
      const [one, two] = [cookieOf(yield* signIn(ada.email)), cookieOf(yield* signIn(ada.email))]
      assert.strictEqual((yield* verify(one, code)).status, 200)
      refused(yield* verify(two, code), 401, "unauthorized", "code")
      assert.strictEqual((yield* verify(two, totp(ada.totpURI, 1))).status, 200)
    })
  )

  it.effect("can be a backup code, once, and its owner hears of it", () =>
    Effect.gen(function* () {
      const ada = yield* protectedPerson
      const [code = ""] = ada.backupCodes
      const inside = yield* useBackup(cookieOf(yield* signIn(ada.email)), code.replace("-", " "))
      assert.strictEqual(inside.status, 200, JSON.stringify(inside.body))
      const mail = yield* mailTo(ada.email, { subject: /backup code was used/ })
      assert.include(mail.parsed.text!, "9 codes are left")
      refused(yield* useBackup(cookieOf(yield* signIn(ada.email)), code), 401, "unauthorized", "code")
      refused(yield* useBackup(ada.cookie, ada.backupCodes[1]!), 409, "conflict")

      const renewed = yield* call(
        "POST",
        "/auth/two-factor/generate-backup-codes",
        { password },
        { cookie: cookieOf(inside) }
      )
      assert.strictEqual(renewed.body.backupCodes.length, 10)
      refused(yield* useBackup(cookieOf(yield* signIn(ada.email)), ada.backupCodes[2]!), 401, "unauthorized", "code")
      const again = yield* useBackup(cookieOf(yield* signIn(ada.email)), renewed.body.backupCodes[0])
      assert.strictEqual(again.status, 200)
    })
  )

  it.effect("gives one session for a backup code that is used several times at once", () =>
    Effect.gen(function* () {
      const ada = yield* protectedPerson
      const pending = yield* Effect.replicateEffect(Effect.map(signIn(ada.email), cookieOf), 4)
      const answers = yield* Effect.forEach(pending, (cookie) => useBackup(cookie, ada.backupCodes[3]!), {
        concurrency: 4
      })
      assert.strictEqual(answers.filter(({ status }) => status === 200).length, 1)
    })
  )

  it.effect("is turned off with the password", () =>
    Effect.gen(function* () {
      const ada = yield* protectedPerson
      const off = (tried: string) =>
        call("POST", "/auth/two-factor/disable", { password: tried }, { cookie: ada.cookie })
      refused(yield* off("wrong"), 422, "validation_failed", "password")
      assert.deepStrictEqual((yield* off(password)).body, { status: true })
      yield* mailTo(ada.email, { subject: /authentication is off/ })
      assert.isUndefined((yield* signIn(ada.email)).body.twoFactorRedirect)
      const entries = yield* call("GET", "/audit-log/account", undefined, {
        cookie: cookieOf(yield* signIn(ada.email))
      })
      assert.includeMembers(
        entries.body.map(({ action }: { action: string }) => action),
        ["account.second_factor_enabled", "account.second_factor_disabled"]
      )
    })
  )

  it.effect("is stored encrypted", () =>
    Effect.gen(function* () {
      const ada = yield* protectedPerson
      const stored = JSON.stringify(yield* (yield* SqlClient.SqlClient)`SELECT * FROM two_factors`)
      const secret = new URL(ada.totpURI).searchParams.get("secret")!
      for (const hidden of [secret, ...ada.backupCodes]) assert.notInclude(stored, hidden)
      const records = yield* AuthRecords
      assert.isAbove(yield* records.count("twoFactor", []), 0)
    })
  )

  it.effect("is remembered in a browser that is trusted, until the password changes", () =>
    Effect.gen(function* () {
      const ada = yield* protectedPerson
      const trusted = yield* verify(cookieOf(yield* signIn(ada.email)), totp(ada.totpURI), { trustDevice: true })
      const device = trusted.headers
        .getSetCookie()
        .find((text) => text.includes("trust_device"))!
        .split(";")[0]!
      const again = yield* signIn(ada.email, { cookie: device })
      assert.isUndefined(again.body.twoFactorRedirect)
      const renewed = again.headers
        .getSetCookie()
        .find((text) => text.includes("trust_device"))!
        .split(";")[0]!
      assert.isTrue((yield* signIn(ada.email, { cookie: device })).body.twoFactorRedirect)
      const ben = yield* protectedPerson
      assert.isTrue((yield* signIn(ben.email, { cookie: renewed })).body.twoFactorRedirect)
      const newPassword = "another good password"
      yield* call("POST", "/auth/change-password", { currentPassword: password, newPassword }, { cookie: ada.cookie })
      const after = yield* call(
        "POST",
        "/auth/sign-in/email",
        { email: ada.email, password: newPassword },
        { cookie: renewed }
      )
      assert.isTrue(after.body.twoFactorRedirect)
    })
  )

  it.effect("cannot be gone around by any route between the password and the code", () =>
    Effect.gen(function* () {
      const ada = yield* protectedPerson
      const first = yield* signIn(ada.email)
      // Not even in a cookie that is deleted again in the same answer.
      for (const cookie of first.headers.getSetCookie()) assert.notMatch(cookie, /session_token=[^;]/)
      const cookie = cookieOf(first)
      const bodies: ReadonlyArray<object> = [
        {},
        { password },
        { email: ada.email, password },
        { currentPassword: password, newPassword: "another good password" },
        { newEmail: "eve@example.org", password },
        { name: "Eve" },
        { code: "000000" },
        { id: "psk_1" },
        { token: "x", newPassword: "another good password" }
      ]
      for (const [route, methods] of Object.entries(served))
        for (const method of methods)
          for (const body of method === "GET" ? [undefined] : bodies) {
            const answer = yield* call(method, route, body, { cookie })
            for (const set of answer.headers.getSetCookie()) assert.notMatch(set, /session_token=[^;]/, route)
          }
      for (const route of ["/projects", "/account/sessions", "/audit-log/account"])
        refused(yield* call("GET", route, undefined, { cookie }), 401, "unauthorized")
      assert.isNull((yield* call("GET", "/auth/get-session", undefined, { cookie })).body)
    })
  )

  it.effect("is asked for after a forgotten password was replaced, too", () =>
    Effect.gen(function* () {
      const ada = yield* protectedPerson
      yield* (yield* SqlClient.SqlClient)`UPDATE users SET email_verified = true WHERE email = ${ada.email}`
      yield* call("POST", "/auth/request-password-reset", { email: ada.email })
      const token = (yield* linkTo(ada.email, { subject: /reset/i })).searchParams.get("token")
      const newPassword = "another good password"
      const replaced = yield* call("POST", "/auth/reset-password", { token, newPassword })
      assert.deepStrictEqual([replaced.status, replaced.headers.getSetCookie()], [200, []])
      const inside = yield* call("POST", "/auth/sign-in/email", { email: ada.email, password: newPassword })
      assert.isTrue(inside.body.twoFactorRedirect)
    })
  )
})

layer(withMail({ trustedProxy: true }), live)("guesses of a second factor", (it) => {
  const from = (index: number) => ({ "x-forwarded-for": `203.0.113.${index}` })

  it.effect("are slowed down over all networks and challenges, and codes of both kinds together", () =>
    Effect.gen(function* () {
      const ada = yield* protectedPerson
      const statuses: Array<number> = []
      for (let index = 0; index < 16; index++) {
        const cookie = cookieOf(yield* signIn(ada.email, from(index)))
        const [route, code] = index % 2 === 0 ? ["verify-totp", "000000"] : ["verify-backup-code", "aaaaa-aaaaa"]
        const answer = yield* call("POST", `/auth/two-factor/${route}`, { code }, { cookie, ...from(index) })
        statuses.push(answer.status)
      }
      assert.deepStrictEqual(statuses, [...Array(6).fill(401), ...Array(10).fill(429)])
      const cookie = cookieOf(yield* signIn(ada.email, from(99)))
      const right = yield* call(
        "POST",
        "/auth/two-factor/verify-totp",
        { code: totp(ada.totpURI) },
        { cookie, ...from(99) }
      )
      refused(right, 429, "rate_limited")
      assert.isAbove(Number(right.headers.get("retry-after")), 0)
    })
  )

  it.effect("end a challenge after five of them", () =>
    Effect.gen(function* () {
      const ada = yield* protectedPerson
      const cookie = cookieOf(yield* signIn(ada.email))
      for (let guess = 0; guess < 5; guess++) yield* verify(cookie, `00000${guess}`)
      yield* (yield* SqlClient.SqlClient)`DELETE FROM sign_in_failures`
      refused(yield* verify(cookie, totp(ada.totpURI)), 401, "unauthorized")
    })
  )

  it.effect("without a password lead nowhere", () =>
    Effect.gen(function* () {
      const ada = yield* protectedPerson
      refused(yield* verify("", totp(ada.totpURI)), 401, "unauthorized")
      refused(yield* useBackup("", ada.backupCodes[0]!), 401, "unauthorized")
      const forged = "kanmon.two_factor=2fa-abcdefghij.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
      refused(yield* verify(forged, totp(ada.totpURI)), 401, "unauthorized")
    })
  )
})
