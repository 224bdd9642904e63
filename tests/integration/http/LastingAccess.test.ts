/** What a stranger prepared in an account does not outlive the owner's return: logins, trusted browsers, passkeys. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Authenticator } from "../../support/Authenticator.ts"
import { totp } from "../../support/Totp.ts"
import { linkTo, withMail } from "./Mailbox.ts"
import { call, cookieOf, password, person, publicUrl, refused } from "./Server.ts"

const live = { excludeTestServices: true } as const
const grant_type = "urn:ietf:params:oauth:grant-type:device_code"
const client_id = "kanmon-cli"
const newPassword = "another good password"

/** A login of a program that was approved with this session, and that the program has not fetched. */
const approved = Effect.fnUntraced(function* (cookie: string) {
  const { body } = yield* call("POST", "/auth/device/code", { client_id })
  const answer = yield* call("POST", "/auth/device/approve", { userCode: body.user_code }, { cookie })
  assert.deepStrictEqual(answer.body, { status: "approved" })
  return body.device_code as string
})
const fetched = (device_code: string) => call("POST", "/auth/device/token", { grant_type, client_id, device_code })

const reset = Effect.fnUntraced(function* (email: string) {
  yield* call("POST", "/auth/request-password-reset", { email })
  const token = (yield* linkTo(email, { subject: /reset your password/i })).searchParams.get("token")
  assert.strictEqual((yield* call("POST", "/auth/reset-password", { token, newPassword })).status, 200)
})

layer(withMail(), live)("a login that was approved and not fetched", (it) => {
  it.effect("ends with the password that is forgotten", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const code = yield* approved(ada.cookie)
      yield* reset(ada.email)
      refused(yield* fetched(code), 400, "invalid_grant")
    })
  )

  it.effect("ends with the password that is changed", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const code = yield* approved(ada.cookie)
      yield* ada.withSession("POST", "/auth/change-password", { currentPassword: password, newPassword })
      refused(yield* fetched(code), 400, "invalid_grant")
    })
  )

  it.effect("ends with the other sessions of the account", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const stolen = cookieOf(yield* call("POST", "/auth/sign-in/email", { email: ada.email, password }))
      const [one, two] = [yield* approved(stolen), yield* approved(ada.cookie)]
      assert.deepStrictEqual((yield* ada.withSession("DELETE", "/account/sessions")).body, { ended: 1 })
      refused(yield* fetched(one), 400, "invalid_grant")
      refused(yield* fetched(two), 400, "invalid_grant")
    })
  )
})

layer(withMail(), live)("a browser that was trusted", (it) => {
  it.effect("is asked for a code again after the second factor was set up anew", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const setUp = Effect.fnUntraced(function* (cookie: string) {
        const { body } = yield* call("POST", "/auth/two-factor/enable", { password }, { cookie })
        const done = yield* call("POST", "/auth/two-factor/verify-totp", { code: totp(body.totpURI) }, { cookie })
        assert.strictEqual(done.status, 200, JSON.stringify(done.body))
        return { cookie: cookieOf(done), uri: String(body.totpURI) }
      })
      const signIn = (cookie = "") =>
        call("POST", "/auth/sign-in/email", { email: ada.email, password }, cookie === "" ? {} : { cookie })
      const first = yield* setUp(ada.cookie)
      const trusted = cookieOf(
        yield* call(
          "POST",
          "/auth/two-factor/verify-totp",
          { code: totp(first.uri, 1), trustDevice: true },
          { cookie: cookieOf(yield* signIn()) }
        )
      )
        .split("; ")
        .filter((pair) => pair.includes("trust_device"))
        .join("; ")
      const off = yield* call("POST", "/auth/two-factor/disable", { password }, { cookie: first.cookie })
      assert.strictEqual(off.status, 200, JSON.stringify(off.body))
      yield* setUp(cookieOf(off))
      assert.isTrue((yield* signIn()).body.twoFactorRedirect)
      assert.isTrue((yield* signIn(trusted)).body.twoFactorRedirect)
    })
  )
})

layer(withMail(), live)("an address that a stranger signed up with", (it) => {
  it.effect("belongs to whoever resets the password: the stranger's passkey ends, and the address is verified", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const device = new Authenticator(publicUrl)
      const started = yield* ada.withSession("GET", "/auth/passkey/generate-register-options")
      const response = device.create(started.body, {})
      const cookie = `${ada.cookie}; ${cookieOf(started)}`
      const added = yield* call("POST", "/auth/passkey/verify-registration", { response }, { cookie })
      assert.strictEqual(added.status, 200, JSON.stringify(added.body))
      yield* reset(ada.email)
      const options = yield* call("GET", "/auth/passkey/generate-authenticate-options")
      const answer = { response: device.get(options.body, {}) }
      const tried = yield* call("POST", "/auth/passkey/verify-authentication", answer, { cookie: cookieOf(options) })
      refused(tried, 401, "unauthorized")
      const inside = yield* call("POST", "/auth/sign-in/email", { email: ada.email, password: newPassword })
      assert.isTrue(inside.body.user.emailVerified, JSON.stringify(inside.body))
    })
  )
})
