/** Passkeys, with a software authenticator. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Authenticator, type AuthenticatorOptions } from "../../support/Authenticator.ts"
import { totp } from "../../support/Totp.ts"
import { mailTo, withMail } from "./Mailbox.ts"
import { call, cookieOf, password, person, publicUrl, refused } from "./Server.ts"

const live = { excludeTestServices: true } as const

const register = (
  cookie: string,
  device: Authenticator,
  options: AuthenticatorOptions = {},
  name: string | undefined = "The blue key"
) =>
  Effect.gen(function* () {
    const started = yield* call("GET", "/auth/passkey/generate-register-options", undefined, { cookie })
    if (started.status !== 200) return started
    const response = device.create(started.body, options)
    const both = `${cookie}; ${cookieOf(started)}`
    return yield* call("POST", "/auth/passkey/verify-registration", { name, response }, { cookie: both })
  })

const signIn = (device: Authenticator, options: AuthenticatorOptions = {}) =>
  Effect.gen(function* () {
    const started = yield* call("GET", "/auth/passkey/generate-authenticate-options")
    const response = device.get(started.body, options)
    return yield* call("POST", "/auth/passkey/verify-authentication", { response }, { cookie: cookieOf(started) })
  })

layer(withMail(), live)("a passkey", (it) => {
  it.effect("is added, signs in, is renamed and deleted", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const device = new Authenticator(publicUrl)
      const added = yield* register(ada.cookie, device)
      assert.strictEqual(added.status, 200, JSON.stringify(added.body))
      assert.hasAllKeys(added.body, ["id", "name", "deviceType", "backedUp", "aaguid", "createdAt"])
      yield* mailTo(ada.email, { subject: /passkey was added/ })
      const inside = yield* signIn(device)
      assert.strictEqual(inside.status, 200, JSON.stringify(inside.body))
      assert.hasAllKeys(inside.body, ["user"])
      assert.strictEqual(inside.body.user.email, ada.email)
      assert.notInclude(JSON.stringify(inside.body), "isAdmin")
      const cookie = cookieOf(inside)
      const list = () => call("GET", "/auth/passkey/list-user-passkeys", undefined, { cookie })
      assert.deepStrictEqual(
        (yield* list()).body.map(({ name }: { name: string }) => name),
        ["The blue key"]
      )
      const { id } = added.body
      const renamed = yield* call("POST", "/auth/passkey/update-passkey", { id, name: "The red key" }, { cookie })
      assert.strictEqual(renamed.body.name, "The red key")
      const gone = yield* call("POST", "/auth/passkey/delete-passkey", { id }, { cookie })
      assert.deepStrictEqual(gone.body, { status: true })
      assert.deepStrictEqual((yield* list()).body, [])
      refused(yield* signIn(device), 401, "unauthorized")
      const log = yield* call("GET", "/audit-log/account", undefined, { cookie })
      assert.includeMembers(
        log.body.map(({ action }: { action: string }) => action),
        ["account.passkey_added", "account.passkey_renamed", "account.passkey_deleted"]
      )
    })
  )

  it.effect("counts as both factors, because its device verified the person", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const device = new Authenticator(publicUrl)
      yield* register(ada.cookie, device)
      const { body } = yield* ada.withSession("POST", "/auth/two-factor/enable", { password })
      yield* ada.withSession("POST", "/auth/two-factor/verify-totp", { code: totp(body.totpURI) })
      assert.strictEqual((yield* signIn(device)).status, 200)
      const unverified = yield* signIn(device, { verifiesUser: false })
      refused(unverified, 401, "unauthorized")
      assert.deepStrictEqual(
        unverified.headers.getSetCookie().filter((text) => /session_token=[^;]/.test(text)),
        []
      )
    })
  )

  it.effect.each([
    ["a device that did not verify the person", { verifiesUser: false }],
    ["a page of another site", { origin: "https://evil.example" }],
    ["another challenge", { challenge: "c29tZXRoaW5nIGVsc2U" }]
  ] as const)("is not accepted from %s", ([, options]) =>
    Effect.gen(function* () {
      const ada = yield* person
      const refusedDevice = new Authenticator(publicUrl)
      assert.isAtLeast((yield* register(ada.cookie, refusedDevice, options)).status, 400)
      const device = new Authenticator(publicUrl)
      yield* register(ada.cookie, device)
      refused(yield* signIn(device, options), 401, "unauthorized")
    })
  )

  it.effect("is not accepted with a forged signature, an unknown key or an old challenge", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const device = new Authenticator(publicUrl)
      yield* register(ada.cookie, device)
      refused(yield* signIn(device, { forges: true }), 401, "unauthorized")
      const stranger = new Authenticator(publicUrl)
      stranger.create({ challenge: "x", user: { id: "YQ" } })
      refused(yield* signIn(stranger), 401, "unauthorized")
      const started = yield* call("GET", "/auth/passkey/generate-authenticate-options")
      assert.strictEqual(started.body.userVerification, "required")
      const cookie = cookieOf(started)
      const response = device.get(started.body)
      const answers = yield* Effect.replicateEffect(
        call("POST", "/auth/passkey/verify-authentication", { response }, { cookie }),
        2
      )
      assert.strictEqual(answers[0]!.status, 200)
      refused(answers[1]!, 422, "validation_failed", "response")
    })
  )

  it.effect("is added only soon after signing in", () =>
    Effect.gen(function* () {
      const ada = yield* person
      yield* (yield* SqlClient.SqlClient)`UPDATE sessions SET created_at = now() - interval '11 minutes'`
      refused(yield* register(ada.cookie, new Authenticator(publicUrl)), 403, "proof_required")
      refused(yield* register("", new Authenticator(publicUrl)), 401, "unauthorized")
    })
  )

  it.effect("of another account does not exist", () =>
    Effect.gen(function* () {
      const [ada, eve] = [yield* person, yield* person]
      const { id } = (yield* register(ada.cookie, new Authenticator(publicUrl))).body
      refused(yield* eve.withSession("POST", "/auth/passkey/delete-passkey", { id }), 404, "not_found")
      refused(yield* eve.withSession("POST", "/auth/passkey/update-passkey", { id, name: "Mine" }), 404, "not_found")
      assert.deepStrictEqual((yield* eve.withSession("GET", "/auth/passkey/list-user-passkeys")).body, [])
      assert.lengthOf((yield* ada.withSession("GET", "/auth/passkey/list-user-passkeys")).body, 1)
    })
  )

  it.effect("is not added to the account of whoever signed in in between", () =>
    Effect.gen(function* () {
      const [ada, eve] = [yield* person, yield* person]
      const started = yield* ada.withSession("GET", "/auth/passkey/generate-register-options")
      const response = new Authenticator(publicUrl).create(started.body)
      const cookie = `${eve.cookie}; ${cookieOf(started)}`
      refused(yield* call("POST", "/auth/passkey/verify-registration", { response }, { cookie }), 401, "unauthorized")
    })
  )
})
