/** Required single sign-on has no way around it: not with one factor, another address, or another identity provider. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Authenticator } from "../../support/Authenticator.ts"
import { linkTo, withMail } from "./Mailbox.ts"
import { call, cookieOf, password, person, publicUrl, refused } from "./Server.ts"
import { browser, Provider, signIn, withProvider } from "./SignOnStage.ts"
import { organizationOf } from "./Team.ts"

const live = { excludeTestServices: true } as const
const settings = {
  protocol: "oidc",
  enabled: true,
  enforced: true,
  roles: [],
  defaultRole: "viewer",
  issuer: "https://login.example.org",
  clientId: "kanmon",
  scopes: [],
  groupsClaim: "groups"
}

/** Somebody whose organization requires single sign-on for the domains. */
const requiring = Effect.fnUntraced(function* (...domains: ReadonlyArray<string>) {
  const owner = yield* person
  const sql = yield* SqlClient.SqlClient
  const id = yield* organizationOf(owner)
  const saved = yield* owner.withSession("PUT", `/organizations/${id}/sso`, settings)
  assert.strictEqual(saved.status, 200, JSON.stringify(saved.body))
  for (const domain of domains)
    yield* sql`INSERT INTO sign_on_domains (organization_id, domain, proof, verified_at, created_at)
      VALUES (${id}, ${domain}, 'proof', now(), now())`
  return owner
})

layer(withMail(), live)("required single sign-on", (it) => {
  it.effect("lets an owner past it with a passkey, and with a password only where a second factor follows", () =>
    Effect.gen(function* () {
      const owner = yield* requiring("example.org")
      const device = new Authenticator(publicUrl)
      const started = yield* owner.withSession("GET", "/auth/passkey/generate-register-options")
      const both = { cookie: `${owner.cookie}; ${cookieOf(started)}` }
      const response = device.create(started.body, {})
      assert.strictEqual((yield* call("POST", "/auth/passkey/verify-registration", { response }, both)).status, 200)
      const past = { email: owner.email, password, bypassSso: true }
      refused(yield* call("POST", "/auth/sign-in/email", past), 403, "sso_required")
      const options = yield* call("GET", "/auth/passkey/generate-authenticate-options")
      const answer = { response: device.get(options.body, {}) }
      const inside = yield* call("POST", "/auth/passkey/verify-authentication", answer, { cookie: cookieOf(options) })
      assert.strictEqual(inside.status, 200, JSON.stringify(inside.body))
    })
  )
})

layer(withMail(), live)("an address that has to sign in through its organization", (it) => {
  it.effect("is not exchanged for one that need not, neither at once nor with an older link", () =>
    Effect.gen(function* () {
      const member = yield* person
      const change = (newEmail: string) => member.withSession("POST", "/auth/change-email", { newEmail, password })
      assert.strictEqual((yield* change("ada@home.example.net")).status, 200)
      const older = (yield* linkTo("ada@home.example.net")).searchParams.get("token")
      yield* requiring("example.org", "sub.example.org")
      refused(yield* change("ada@elsewhere.example.net"), 403, "sso_required")
      refused(
        yield* member.withSession("POST", "/auth/confirm-email", { token: older }, { origin: publicUrl }),
        403,
        "sso_required"
      )
      // Whoever is called otherwise from now on still belongs to the organization.
      assert.strictEqual((yield* change("ada@sub.example.org")).status, 200)
      const token = (yield* linkTo("ada@sub.example.org")).searchParams.get("token")
      const confirmed = yield* member.withSession("POST", "/auth/confirm-email", { token })
      assert.strictEqual(confirmed.status, 200, JSON.stringify(confirmed.body))
    })
  )
})

layer(withProvider(), live)("single sign-on of the installation", (it) => {
  it.effect("is no way past the single sign-on that an organization requires, nor into a disabled account", () =>
    Effect.gen(function* () {
      const provider = yield* Provider
      const sql = yield* SqlClient.SqlClient
      const arrive = (email: string) => {
        provider.arrive({ sub: email, email, email_verified: true })
        return Effect.flatMap(browser, (visitor) => signIn(visitor))
      }
      assert.strictEqual((yield* arrive("ada@strict.example")).url.pathname, "/monitors")
      yield* requiring("strict.example")
      for (const email of ["ada@strict.example", "new@strict.example"]) {
        const landed = yield* arrive(email)
        assert.strictEqual(landed.status, 403)
        assert.include(landed.text, "requires its own")
      }
      assert.isEmpty(yield* sql`SELECT 1 FROM users WHERE email = 'new@strict.example'`)
      assert.strictEqual((yield* arrive("eve@loose.example")).url.pathname, "/monitors")
      yield* sql`UPDATE users SET disabled_at = now() WHERE email = 'eve@loose.example'`
      const signedIn = sql`SELECT 1 FROM audit_log WHERE action = 'sso.signed_in' AND target_name = 'eve@loose.example'`
      const before = (yield* signedIn).length
      const landed = yield* arrive("eve@loose.example")
      assert.strictEqual(landed.status, 403)
      assert.include(landed.text, "is disabled")
      assert.lengthOf(yield* signedIn, before)
    })
  )
})
