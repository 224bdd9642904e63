/** Single sign-on of an organization: settings, domains, forced sign-in and tests, with a real provider on loopback. */
import { assert, layer } from "@effect/vitest"
import { SignOnEnforcement } from "@kanmon/identity/sso"
import { OrganizationId } from "@kanmon/domain/Ids"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as OidcProvider from "../../support/OidcProvider.ts"
import { totp } from "../../support/Totp.ts"
import { ask, browser, Provider, redirectUri, signIn } from "./SignOnStage.ts"
import { call, cookieOf, layer as server, password, person, refused } from "./Server.ts"

const live = { excludeTestServices: true } as const
const organizationId = "org_00000000000000000000000001"

const withProvider = server().pipe(
  Layer.merge(Layer.effect(Provider, OidcProvider.make([redirectUri(organizationId)])))
)

layer(withProvider, live)("single sign-on of an organization", (it) => {
  it.effect("signs in people of proven domains alone, forces it, and shows every claim in a test", () =>
    Effect.gen(function* () {
      const provider = yield* Provider
      const sql = yield* SqlClient.SqlClient
      const owner = yield* person
      const stranger = yield* person
      yield* sql`INSERT INTO organizations (id, name, created_at, updated_at) VALUES (${organizationId}, 'Acme', now(), now())`
      yield* sql`INSERT INTO organization_members (organization_id, user_id, role, source, created_at)
        SELECT ${organizationId}, id, 'owner', 'founder', now() FROM users WHERE email = ${owner.email}`
      const route = `/organizations/${organizationId}/sso`
      const settings = {
        protocol: "oidc",
        enabled: true,
        enforced: true,
        roles: [{ group: "sre", role: "editor" }],
        defaultRole: null,
        issuer: provider.issuer,
        clientId: provider.clientId,
        clientSecret: provider.clientSecret,
        scopes: ["email", "profile", "groups"],
        groupsClaim: "groups"
      }
      refused(yield* stranger.withSession("GET", route), 404, "not_found")
      refused(yield* owner.withSession("GET", `${route}/tests/%00`), 404, "not_found")
      refused(yield* owner.withSession("PUT", route, { ...settings, secret: 1 }), 422, "validation_failed")
      const saved = yield* owner.withSession("PUT", route, settings)
      assert.strictEqual(saved.status, 200, JSON.stringify(saved.body))
      assert.notInclude(JSON.stringify(saved.body), provider.clientSecret)
      assert.isTrue(saved.body.hasClientSecret)
      assert.strictEqual(saved.body.redirectUri, redirectUri(organizationId))

      // Nothing is proven yet: neither a new address nor that of somebody else's account gets in.
      const start = { organization: organizationId, callbackURL: "/monitors" }
      for (const email of ["new@acme.example", stranger.email]) {
        provider.arrive({ sub: email, email, email_verified: true, groups: ["sre"] })
        const landed = yield* Effect.flatMap(browser, (visitor) => signIn(visitor, start))
        assert.strictEqual(landed.status, 403)
        assert.include(landed.text, "has not proven")
      }

      const added = yield* owner.withSession("POST", `${route}/domains`, { domain: "Acme.example" })
      assert.strictEqual(added.status, 201, JSON.stringify(added.body))
      assert.match(added.body.record.value, /^kanmon-sso=/)
      refused(
        yield* owner.withSession("POST", `${route}/domains`, { domain: "com" }),
        422,
        "validation_failed",
        "domain"
      )
      refused(yield* owner.withSession("POST", `${route}/domains/acme.example/verify`), 422, "validation_failed")
      assert.isFalse((yield* call("GET", "/auth/methods")).body.organizationSignOn)
      yield* sql`UPDATE sign_on_domains SET verified_at = now() WHERE domain = 'acme.example'`
      assert.isTrue((yield* call("GET", "/auth/methods")).body.organizationSignOn)

      const tested = yield* owner.withSession("POST", `${route}/test`)
      assert.strictEqual(tested.status, 201)
      provider.arrive({ sub: "new", email: "new@acme.example", email_verified: true, groups: ["sre"] })
      const tester = yield* browser
      const shown = yield* Effect.promise(() => tester.open(tested.body.url))
      assert.strictEqual(shown.status, 200, shown.text)
      assert.include(shown.text, "new@acme.example")
      assert.isNull((yield* ask(tester, "/auth/get-session")).body)
      const { body: read } = yield* owner.withSession("GET", `${route}/tests/${tested.body.id}`)
      assert.isTrue(read.outcome.succeeded)
      assert.deepStrictEqual(read.outcome.claims.groups, ["sre"])
      assert.include(read.outcome.conclusion, "with the role editor")

      const visitor = yield* browser
      assert.strictEqual(
        (yield* signIn(visitor, { email: "new@acme.example", callbackURL: "/monitors" })).url.pathname,
        "/monitors"
      )
      const [member] = yield* sql`SELECT m.role, m.source FROM organization_members m JOIN users u ON u.id = m.user_id
        WHERE u.email = 'new@acme.example'`
      assert.deepStrictEqual(member, { role: "editor", source: "sso" })

      // Whoever is invited becomes a member with that role where no group gives another one.
      const invitation = { email: "guest@acme.example", role: "responder" }
      const invited = yield* owner.withSession("POST", `/organizations/${organizationId}/invitations`, invitation)
      assert.strictEqual(invited.status, 201, JSON.stringify(invited.body))
      provider.arrive({ sub: "guest", email: "guest@acme.example", email_verified: true, groups: ["others"] })
      const foreseen = yield* owner.withSession("POST", `${route}/test`)
      yield* Effect.flatMap(browser, (visitor) => Effect.promise(() => visitor.open(foreseen.body.url)))
      const { body: conclusion } = yield* owner.withSession("GET", `${route}/tests/${foreseen.body.id}`)
      assert.include(conclusion.outcome.conclusion, "with the role responder")
      for (const _ of ["first", "again"])
        assert.strictEqual((yield* signIn(yield* browser, start)).url.pathname, "/monitors")
      const guests = yield* sql`SELECT m.role, m.source FROM organization_members m JOIN users u ON u.id = m.user_id
        WHERE u.email = 'guest@acme.example'`
      assert.deepStrictEqual(guests, [{ role: "responder", source: "invitation" }])
      const open = yield* owner.withSession("GET", `/organizations/${organizationId}/invitations`)
      assert.deepStrictEqual(open.body, [])

      refused(yield* call("POST", "/auth/sign-in/email", { email: "new@acme.example", password }), 403, "sso_required")
      refused(
        yield* call("POST", "/auth/sign-in/email", { email: "nobody@acme.example", password }),
        403,
        "sso_required"
      )
      const bypass = { email: "new@acme.example", password, bypassSso: true }
      refused(yield* call("POST", "/auth/sign-in/email", bypass), 401, "unauthorized")

      yield* owner.withSession("DELETE", `${route}/domains/acme.example`)
      assert.strictEqual((yield* signIn(yield* browser, start)).status, 403)
      assert.strictEqual((yield* owner.withSession("DELETE", route)).status, 200)
      const entries = yield* sql`SELECT DISTINCT action FROM audit_log
        WHERE organization_id = ${organizationId} AND action LIKE 'sso.%'`
      assert.includeMembers(
        entries.map(({ action }) => action),
        [
          "sso.updated",
          "sso.deleted",
          "sso.domain_added",
          "sso.domain_deleted",
          "sso.tested",
          "sso.signed_in",
          "sso.refused"
        ]
      )
    })
  )
})

layer(server(), live)("required single sign-on", (it) => {
  it.effect("lets an owner with a second factor past it, who is recorded, until the operator lifts it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const owner = yield* person
      const [found] = yield* sql`SELECT organization_id FROM organization_members WHERE user_id = ${owner.userId}`
      const id = OrganizationId.make(String(found?.["organization_id"]))
      const { body } = yield* owner.withSession("POST", "/auth/two-factor/enable", { password })
      yield* owner.withSession("POST", "/auth/two-factor/verify-totp", { code: totp(body.totpURI) })
      const member = yield* person
      const again = yield* call("POST", "/auth/sign-in/email", { email: owner.email, password })
      const cookie = cookieOf(
        yield* call(
          "POST",
          "/auth/two-factor/verify-totp",
          { code: totp(body.totpURI, 1) },
          { cookie: cookieOf(again) }
        )
      )
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
      const saved = yield* call("PUT", `/organizations/${id}/sso`, settings, { cookie })
      assert.strictEqual(saved.status, 200, JSON.stringify(saved.body))
      yield* sql`INSERT INTO sign_on_domains (organization_id, domain, proof, verified_at, created_at)
        VALUES (${id}, 'example.org', 'proof', now(), now())`
      const bypassed = sql`SELECT target_id AS target, account_id AS account FROM audit_log
        WHERE organization_id = ${id} AND action = 'sso.bypassed'`

      const plainly = { email: owner.email, password }
      refused(yield* call("POST", "/auth/sign-in/email", plainly), 403, "sso_required")
      const past = { bypassSso: true, password }
      const others = yield* call("POST", "/auth/sign-in/email", { ...past, email: member.email })
      refused(others, 403, "sso_required")
      const first = yield* call("POST", "/auth/sign-in/email", { ...past, email: owner.email })
      assert.isTrue(first.body.twoFactorRedirect, JSON.stringify(first.body))
      assert.lengthOf(yield* bypassed, 0)
      const [code] = body.backupCodes
      const second = yield* call("POST", "/auth/two-factor/verify-backup-code", { code }, { cookie: cookieOf(first) })
      assert.strictEqual(second.status, 200, JSON.stringify(second.body))
      assert.lengthOf(yield* bypassed, 1)

      const { lift } = yield* SignOnEnforcement
      assert.strictEqual(yield* lift(id), "lifted")
      assert.strictEqual(yield* lift(id), "unchanged")
      assert.strictEqual(yield* lift(OrganizationId.make("org_00000000000000000000000009")), "absent")
      assert.strictEqual((yield* call("POST", "/auth/sign-in/email", { email: member.email, password })).status, 200)
    }).pipe(Effect.provide(SignOnEnforcement.layer))
  )
})
