/**
 * Claims that try to be somebody else: an organization's identity provider speaks for the addresses that its proven domains have in
 * ASCII, letter by letter. What cannot be stored is refused in a sentence.
 */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as HostileOidc from "../../support/HostileOidc.ts"
import { ask, browser, Liar, signIn } from "./SignOnStage.ts"
import { scimRefused, tenant, user } from "./ScimStage.ts"
import { layer as server, person, refused } from "./Server.ts"

const live = { excludeTestServices: true } as const
const organizationId = "org_00000000000000000000000005"
const start = { organization: organizationId, callbackURL: "/monitors" }
const route = `/organizations/${organizationId}/sso`

/** An organization whose provider lies, and which has proven what `forger.example` is in all letters that look like it. */
const acme = Layer.effectDiscard(
  Effect.gen(function* () {
    const liar = yield* Liar
    const sql = yield* SqlClient.SqlClient
    const owner = yield* person
    yield* sql`INSERT INTO organizations (id, name, created_at, updated_at) VALUES (${organizationId}, 'Acme', now(), now())`
    yield* sql`INSERT INTO organization_members (organization_id, user_id, role, source, created_at)
      SELECT ${organizationId}, id, 'owner', 'founder', now() FROM users WHERE email = ${owner.email}`
    const saved = yield* owner.withSession("PUT", route, {
      protocol: "oidc",
      enabled: true,
      enforced: false,
      roles: [],
      defaultRole: "viewer",
      issuer: liar.issuer,
      clientId: liar.clientId,
      clientSecret: liar.clientSecret,
      scopes: ["email"],
      groupsClaim: "groups"
    })
    assert.strictEqual(saved.status, 200, JSON.stringify(saved.body))
    yield* sql`INSERT INTO sign_on_domains (organization_id, domain, proof, verified_at, created_at)
      VALUES (${organizationId}, 'people.example', 'proof', now(), now()),
        (${organizationId}, 'people.ｅxample', 'proof', now(), now())`
    // The account that the claims are after.
    yield* sql`UPDATE users SET email = 'kate@people.example', email_verified = true WHERE email = ${(yield* person).email}`
  })
)

const stage = acme.pipe(Layer.provideMerge(server()), Layer.provideMerge(Layer.effect(Liar, HostileOidc.make)))

const claims: ReadonlyArray<readonly [title: string, claims: Readonly<Record<string, unknown>>, words: string]> = [
  ["a domain in full width", { email: "kate@people.ｅxample" }, "other characters than ASCII"],
  ["a name in full width", { email: "ｋate@people.example" }, "other characters than ASCII"],
  ["the Kelvin sign", { email: "\u212Aate@people.example" }, "other characters than ASCII"],
  ["an ideographic full stop", { email: "kate@people。example" }, "other characters than ASCII"],
  ["a blank of Unicode at the end", { email: "kate@people.example\u00A0" }, "other characters than ASCII"],
  ["a soft hyphen", { email: "ka\u00ADte@people.example" }, "other characters than ASCII"],
  ["NUL in the address", { email: "kate@people.example\u0000" }, "e-mail address"],
  ["half a character in the address", { email: "kate\uD800@people.example" }, "e-mail address"],
  ["NUL in the subject", { sub: "a\u0000b" }, "identifier"],
  ["half a character in the subject", { sub: "a\uDC00b" }, "identifier"],
  ["a subject without end", { sub: "x".repeat(100_000) }, "identifier"],
  ["NUL in the name", { name: "Kate\u0000" }, "name"],
  ["half a character in the name", { name: "Kate\uD83D" }, "name"],
  ["a line break in the name", { name: "Kate\r\nBcc: all@example.org" }, "name"],
  ["NUL in a group", { groups: ["sre", "a\u0000"] }, "name of a group"]
]

layer(stage, live)("claims of an organization's provider", (it) => {
  it.effect.each(claims)("sign nobody in with %s", ([, changes, words]) =>
    Effect.gen(function* () {
      const liar = yield* Liar
      const sql = yield* SqlClient.SqlClient
      liar.lie({ claims: (honest) => ({ ...honest, email: "new@people.example", ...changes }) })
      const visitor = yield* browser
      const landed = yield* signIn(visitor, start)
      assert.strictEqual(landed.status, 403, landed.text)
      assert.include(landed.text, "You are not signed in")
      assert.include(landed.text, words)
      assert.isNull((yield* ask(visitor, "/auth/get-session")).body)
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM accounts WHERE provider_id = ${`sso:${organizationId}`}`, [])
      const [entry] = yield* sql`SELECT * FROM audit_log WHERE action = 'sso.refused' ORDER BY id DESC LIMIT 1`
      assert.include(JSON.stringify(entry), words)
    })
  )

  it.effect("show what is wrong in a test", () =>
    Effect.gen(function* () {
      const liar = yield* Liar
      const sql = yield* SqlClient.SqlClient
      const owner = yield* person
      yield* sql`INSERT INTO organization_members (organization_id, user_id, role, source, created_at)
        VALUES (${organizationId}, ${owner.userId}, 'owner', 'founder', now())`
      liar.lie({ claims: (honest) => ({ ...honest, sub: "a\u0000\uD800", groups: ["\uDC00"] }) })
      const begun = yield* owner.withSession("POST", `${route}/test`)
      const visitor = yield* browser
      const shown = yield* Effect.promise(() => visitor.open(begun.body.url))
      assert.strictEqual(shown.status, 200, shown.text)
      assert.include(shown.text, "would be refused")
      const read = yield* owner.withSession("GET", `${route}/tests/${begun.body.id}`)
      assert.include(read.body.outcome.conclusion, "control characters")
      refused(
        yield* owner.withSession("POST", `${route}/domains`, { domain: "acme.ｅxample" }),
        422,
        "validation_failed",
        "domain"
      )
      refused(
        yield* owner.withSession("POST", `${route}/domains`, { domain: "\u212Aate.example" }),
        422,
        "validation_failed",
        "domain"
      )
    })
  )

  it.effect("cut a name between characters", () =>
    Effect.gen(function* () {
      const liar = yield* Liar
      const sql = yield* SqlClient.SqlClient
      const name = `${"x".repeat(199)}😀`
      liar.lie({ claims: (honest) => ({ ...honest, sub: "long", email: "long@people.example", name }) })
      assert.strictEqual((yield* signIn(yield* browser, start)).url.pathname, "/monitors")
      const [found] = yield* sql`SELECT name FROM users WHERE email = 'long@people.example'`
      assert.strictEqual(found?.["name"], "x".repeat(199))
    })
  )
})

layer(server(), live)("provisioning", (it) => {
  it.effect("makes nobody's account of an address in other letters", () =>
    Effect.gen(function* () {
      const { organizationId, scim } = yield* tenant
      const sql = yield* SqlClient.SqlClient
      const [claimed] = yield* sql`SELECT domain FROM sign_on_domains WHERE organization_id = ${organizationId}`
      const address = `kate@${String(claimed?.["domain"])}`
      yield* sql`UPDATE users SET email = ${address}, email_verified = true WHERE email = ${(yield* person).email}`
      for (const other of [address.replace("@t", "@ｔ"), address.replace("k", "\u212A"), `${address}\u00A0`])
        scimRefused(yield* scim("POST", "/Users", user(other)), 400, "invalidValue")
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM scim_users WHERE organization_id = ${organizationId}`, [])
    })
  )
})
