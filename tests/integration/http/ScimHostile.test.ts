/** Provisioning by those who must not, of what must not, and with requests that nobody should send. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { call, layer as server, person, refused } from "./Server.ts"
import { patch, scimRefused, scimWith, tenant, user } from "./ScimStage.ts"
import { organizationOf } from "./Team.ts"

const live = { excludeTestServices: true, timeout: "60 seconds" } as const

layer(server(), live)("a token for provisioning", (it) => {
  it.effect("is shown once, stored as a digest, listed, recorded, and ends when it is deleted", () =>
    Effect.gen(function* () {
      const { organizationId, owner, route, scim, token } = yield* tenant
      const sql = yield* SqlClient.SqlClient
      assert.match(token.token, /^kms_[0-9A-Za-z]{43}$/)
      assert.deepInclude(token, { name: "Directory", expiresAt: null, lastUsedAt: null })
      const stored = yield* sql`SELECT * FROM scim_tokens WHERE organization_id = ${organizationId}`
      assert.notInclude(JSON.stringify(stored), token.token)
      assert.strictEqual((yield* scim("GET", "/Users")).status, 200)
      const [listed] = (yield* owner.withSession("GET", `${route}/scim-tokens`)).body
      assert.notProperty(listed, "token")
      assert.isString(listed.lastUsedAt)
      assert.strictEqual(listed.createdBy.name, owner.email)

      refused(yield* owner.withSession("POST", `${route}/scim-tokens`, { name: "" }), 422, "validation_failed", "name")
      const past = { name: "Old", expiresAt: "2020-01-01T00:00:00.000Z" }
      refused(yield* owner.withSession("POST", `${route}/scim-tokens`, past), 422, "validation_failed", "expiresAt")
      refused(
        yield* owner.withSession("POST", `${route}/scim-tokens`, { name: "a", x: 1 }),
        422,
        "validation_failed",
        "x"
      )
      refused(yield* owner.withSession("DELETE", `${route}/scim-tokens/scim_none`), 404, "not_found")

      assert.strictEqual((yield* owner.withSession("DELETE", `${route}/scim-tokens/${token.id}`)).status, 200)
      const gone = yield* scim("GET", "/Users")
      scimRefused(gone, 401)
      assert.strictEqual(gone.headers.get("www-authenticate"), "Bearer")
      const actions = yield* sql`SELECT action, actor_kind FROM audit_log
        WHERE organization_id = ${organizationId} AND action LIKE 'scim_token.%' ORDER BY id`
      assert.deepStrictEqual(
        actions.map(({ action, actor_kind }) => [action, actor_kind]),
        [
          ["scim_token.created", "person"],
          ["scim_token.deleted", "person"]
        ]
      )
      for (let made = 0; made < 10; made++)
        assert.strictEqual((yield* owner.withSession("POST", `${route}/scim-tokens`, { name: "More" })).status, 201)
      refused(yield* owner.withSession("POST", `${route}/scim-tokens`, { name: "One more" }), 409, "conflict")
    })
  )

  it.effect("ends at its time, and with the organization", () =>
    Effect.gen(function* () {
      const { organizationId, scim, token } = yield* tenant
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE organizations SET disabled_at = now() WHERE id = ${organizationId}`
      scimRefused(yield* scim("GET", "/Users"), 403, undefined, /disabled/)
      yield* sql`UPDATE organizations SET disabled_at = NULL WHERE id = ${organizationId}`
      assert.strictEqual((yield* scim("GET", "/Users")).status, 200)
      yield* sql`UPDATE scim_tokens SET expires_at = now() - interval '1 second' WHERE id = ${token.id}`
      scimRefused(yield* scim("GET", "/Users"), 401)
    })
  )

  it.effect("is good for SCIM and nothing else, and nothing else is good for SCIM", () =>
    Effect.gen(function* () {
      const { organizationId, owner, token } = yield* tenant
      const bearer = { authorization: `Bearer ${token.token}` }
      for (const route of ["/projects", "/monitors", `/organizations/${organizationId}/members`])
        refused(yield* call("GET", route, undefined, bearer), 401, "unauthorized")
      refused(yield* call("GET", "/monitors", undefined, { "x-api-key": token.token }), 401, "unauthorized")
      for (const headers of [
        {},
        { cookie: owner.cookie },
        { "x-api-key": owner.key },
        { authorization: `Bearer ${owner.key}` },
        { authorization: token.token },
        { authorization: `Basic ${btoa(`:${token.token}`)}` },
        { authorization: `Bearer ${token.token}x` },
        { authorization: `Bearer kms_${"x".repeat(43)}` }
      ] as ReadonlyArray<Record<string, string>>)
        scimRefused(yield* call("GET", "/scim/v2/Users", undefined, headers), 401)
    })
  )

  it.effect("reaches nothing of another organization", () =>
    Effect.gen(function* () {
      const [mine, theirs] = [yield* tenant, yield* tenant]
      const ben = yield* theirs.provision("ben")
      const group = (yield* theirs.scim("POST", "/Groups", { displayName: "sre", members: [{ value: ben.id }] })).body
      for (const [route, body] of [
        [`/Users/${ben.id}`, user(`ben@${mine.domain}`)],
        [`/Groups/${group.id}`, { displayName: "mine" }]
      ] as const) {
        scimRefused(yield* mine.scim("GET", route), 404)
        scimRefused(yield* mine.scim("PUT", route, body), 404)
        scimRefused(yield* mine.scim("PATCH", route, patch({ op: "replace", path: "displayName", value: "x" })), 404)
        scimRefused(yield* mine.scim("DELETE", route), 404)
      }
      const found = yield* mine.scim("GET", `/Users?filter=${encodeURIComponent(`id eq "${ben.id}" or userName pr`)}`)
      assert.strictEqual(found.body.totalResults, 0)
      scimRefused(
        yield* mine.scim("POST", "/Groups", { displayName: "sre", members: [{ value: ben.id }] }),
        400,
        "invalidValue",
        /no user of this organization/
      )
      scimRefused(yield* mine.scim("POST", "/Users", user(ben.userName)), 400, "invalidValue", /not proven/)
      // Members whom nobody provisioned are not shown either.
      scimRefused(yield* mine.scim("GET", `/Users/${mine.owner.userId}`), 404)
      assert.strictEqual((yield* mine.scim("GET", "/Users")).body.totalResults, 0)
      refused(yield* mine.owner.withSession("GET", `${theirs.route}/scim-tokens`), 404, "not_found")
      refused(yield* mine.owner.withSession("DELETE", `${mine.route}/scim-tokens/${theirs.token.id}`), 404, "not_found")
      assert.strictEqual((yield* theirs.scim("GET", `/Users/${ben.id}`)).body.active, true)
    })
  )

  it.effect("takes no account over: its address has to be of a proven domain, before and after", () =>
    Effect.gen(function* () {
      const { domain, members, organizationId, provision, scim } = yield* tenant
      const sql = yield* SqlClient.SqlClient
      const victim = yield* person
      for (const body of [
        user(victim.email),
        user("victim", { emails: [{ value: victim.email }] }),
        user(`x@${domain}`, { emails: [{ value: victim.email, primary: true }] }),
        user(`x@sub.${domain}`),
        user(`x@${domain}.evil.example`)
      ])
        scimRefused(yield* scim("POST", "/Users", body), 400, "invalidValue", /not proven/)
      scimRefused(yield* scim("POST", "/Users", user("nobody")), 400, "invalidValue", /e-mail address/)

      const ben = yield* provision("ben")
      const cleo = yield* provision("cleo")
      const readdress = (email: string) =>
        scim("PATCH", `/Users/${ben.id}`, patch({ op: "replace", path: "userName", value: email }))
      scimRefused(yield* readdress(victim.email), 400, "invalidValue", /not proven/)
      scimRefused(yield* readdress(cleo.userName), 409, "uniqueness")
      yield* sql`INSERT INTO users (id, email, name, email_verified, is_admin, created_at, updated_at)
        VALUES ('usr_dora', ${`dora@${domain}`}, 'Dora', true, false, now(), now())`
      scimRefused(yield* readdress(`dora@${domain}`), 409, "uniqueness")
      // Somebody moved the account to an address of their own: it is not moved back.
      yield* sql`UPDATE users SET email = 'private@elsewhere.example' WHERE id = ${ben.id}`
      scimRefused(yield* readdress(`moved@${domain}`), 400, "invalidValue", /private@elsewhere/)

      // A domain that was given up: nobody comes in by it any more, and access can still be taken away.
      yield* sql`UPDATE sign_on_domains SET verified_at = NULL WHERE organization_id = ${organizationId}`
      scimRefused(yield* scim("POST", "/Users", user(`new@${domain}`)), 400, "invalidValue")
      const off = patch({ op: "replace", path: "active", value: false })
      assert.isFalse((yield* scim("PATCH", `/Users/${cleo.id}`, off)).body.active)
      assert.notProperty(yield* members, cleo.userName)
      const on = patch({ op: "replace", path: "active", value: true })
      scimRefused(yield* scim("PATCH", `/Users/${cleo.id}`, on), 400, "invalidValue")
      assert.strictEqual((yield* scim("DELETE", `/Users/${ben.id}`)).status, 204)
    })
  )

  it.effect("takes back what somebody invited with a role that the directory has lowered", () =>
    Effect.gen(function* () {
      const { mapped, organizationId, provision, scim } = yield* tenant
      const sql = yield* SqlClient.SqlClient
      yield* mapped({ leads: "admin", staff: "editor" })
      const ada = yield* provision("ada")
      const members = [{ value: ada.id }]
      const made = yield* scim("POST", "/Groups", { displayName: "leads", members })
      yield* scim("POST", "/Groups", { displayName: "staff", members })
      yield* sql`INSERT INTO invitations (id, organization_id, email, role, token_hash, invited_by, created_at, sent_at,
          expires_at)
        VALUES ('inv_ada', ${organizationId}, 'friend@home.example', 'admin', 'hash', ${ada.id}, now(), now(), now() + interval '7 days')`
      yield* scim("DELETE", `/Groups/${made.body.id}`)
      const role = yield* sql`SELECT role FROM organization_members WHERE user_id = ${ada.id}`
      assert.deepStrictEqual(role, [{ role: "editor" }])
      assert.isEmpty(yield* sql`SELECT 1 FROM invitations WHERE organization_id = ${organizationId}`)
    })
  )

  it.effect("answers requests that nobody should send with errors of SCIM", () =>
    Effect.gen(function* () {
      const { domain, provision, scim } = yield* tenant
      const sql = yield* SqlClient.SqlClient
      const ben = yield* provision("ben")
      const filtered = (filter: string) => scim("GET", `/Users?filter=${encodeURIComponent(filter)}`)
      for (const filter of [
        `${"(".repeat(3000)}userName pr`,
        `${"not (".repeat(200)}userName pr${")".repeat(200)}`,
        `userName eq "${"x".repeat(5000)}"`,
        "'; DROP TABLE scim_users; --",
        "userName eq 'ben'",
        'userName eq "\\u0000"',
        '__proto__.polluted eq "x"'
      ])
        scimRefused(yield* filtered(filter), 400, "invalidFilter")
      for (const filter of [
        `userName eq "'; DROP TABLE scim_users; --"`,
        `userName eq "x' OR '1'='1"`,
        `externalId eq "%"`,
        `constructor pr`
      ])
        assert.strictEqual((yield* filtered(filter)).body.totalResults, 0, filter)
      scimRefused(
        yield* scim("GET", `/Users?filter=${encodeURIComponent('userName eq "a')}%00%22`),
        400,
        "invalidFilter"
      )
      for (const id of ["%00", "'%20OR%201=1", "__proto__", "..%2F..%2Fprojects", "%E0%A4%A"])
        scimRefused(yield* scim("GET", `/Users/${id}`), 404)

      const polluting = [
        `{"userName":"p@${domain}","__proto__":{"active":false,"polluted":true}}`,
        `{"userName":"q@${domain}","constructor":{"prototype":{"polluted":true}},"name":{"__proto__":{"polluted":true}}}`
      ]
      for (const body of polluting) assert.strictEqual((yield* scim("POST", "/Users", body)).body.active, true)
      for (const operation of [
        '{"op":"add","path":"__proto__.polluted","value":true}',
        '{"op":"add","path":"name.__proto__.polluted","value":true}',
        '{"op":"replace","value":{"__proto__":{"polluted":true}}}',
        '{"op":"add","path":"emails[__proto__ eq 1].value","value":true}'
      ])
        scimRefused(yield* scim("PATCH", `/Users/${ben.id}`, `{"Operations":[${operation}]}`), 400, "invalidPath")
      const harmless = '{"Operations":[{"op":"add","path":"constructor.prototype","value":{"polluted":true}}]}'
      assert.strictEqual((yield* scim("PATCH", `/Users/${ben.id}`, harmless)).status, 200)
      assert.notProperty({}, "polluted")

      scimRefused(yield* scim("POST", "/Users", "{"), 400, "invalidSyntax")
      scimRefused(yield* scim("POST", "/Users", "[]"), 400, "invalidValue")
      scimRefused(yield* scim("POST", "/Users", `{"userName":"\\u0000@${domain}"}`), 400, "invalidValue")
      scimRefused(yield* scim("POST", "/Users", `${"[".repeat(600)}${"]".repeat(600)}`), 400, "invalidValue")
      scimRefused(yield* scim("POST", "/Users", user(`x@${domain}`), { "content-type": "text/xml" }), 415)
      scimRefused(yield* scim("POST", "/Users", user(`x@${domain}`), { "content-encoding": "gzip" }), 415)
      const plain = { "content-type": "application/json; charset=utf-8" }
      assert.strictEqual((yield* scim("POST", "/Users", user(`plain@${domain}`), plain)).status, 201)
      scimRefused(yield* scim("POST", "/Users", { userName: "x".repeat(1024 * 1024) }), 413)
      scimRefused(yield* scim("PUT", `/Users/${ben.id}`, { displayName: "no name" }), 400, "invalidValue", /userName/)
      assert.strictEqual((yield* scim("GET", `/Users/${ben.id}`)).body.userName, `ben@${domain}`)
      assert.isAbove((yield* sql`SELECT 1 FROM scim_users`).length, 0)
    })
  )

  it.effect("decides changes of the same person at the same time one after the other", () =>
    Effect.gen(function* () {
      const { domain, members, scim } = yield* tenant
      const answers = yield* Effect.all(
        Array.from({ length: 6 }, () => scim("POST", "/Users", user(`twin@${domain}`))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409, 409, 409, 409])
      const { id } = answers.find(({ status }) => status === 201)!.body
      const toggled = yield* Effect.all(
        [true, false, true, false].map((value) =>
          scim("PATCH", `/Users/${id}`, patch({ op: "replace", path: "active", value }))
        ),
        { concurrency: "unbounded" }
      )
      assert.isTrue(toggled.every(({ status }) => status === 200))
      const { active } = (yield* scim("GET", `/Users/${id}`)).body
      assert.strictEqual(`twin@${domain}` in (yield* members), active)
    })
  )
})

layer(server({ defaultPlan: "plan_free" }), live)("provisioning and the plan", (it) => {
  it.effect("needs single sign-on in the plan, at every request", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const owner = yield* person
      const route = `/organizations/${yield* organizationOf(owner)}/scim-tokens`
      refused(yield* owner.withSession("POST", route, { name: "Directory" }), 402, "plan_limit_reached")
      yield* sql`UPDATE plans SET sso = true WHERE id = 'plan_free'`
      const { domain, members, organizationId, scim } = yield* tenant
      assert.strictEqual((yield* scim("GET", "/Users")).status, 200)
      yield* sql`UPDATE plans SET sso = false WHERE id = 'plan_free'`
      scimRefused(yield* scim("GET", "/Users"), 403, undefined, /plan/)
      scimRefused(yield* scim("POST", "/Users", user(`x@${domain}`)), 403, undefined, /plan/)
      assert.lengthOf(Object.keys(yield* members), 1)
      assert.isNotEmpty(organizationId)
    })
  )

  it.effect("makes no more members than the plan includes, and as many viewers as there are", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE plans SET sso = true WHERE id = 'plan_free'`
      const { domain, mapped, members, scim } = yield* tenant
      yield* mapped({ sre: "editor" })
      const ids: Array<string> = []
      for (let each = 0; each < 5; each++) ids.push((yield* scim("POST", "/Users", user(`p${each}@${domain}`))).body.id)
      const group = (yield* scim("POST", "/Groups", { displayName: "sre" })).body.id
      const all = patch({ op: "add", path: "members", value: ids.map((value) => ({ value })) })
      scimRefused(yield* scim("PATCH", `/Groups/${group}`, all), 403, undefined, /has no room/)
      // As a whole or not at all.
      assert.lengthOf((yield* scim("GET", `/Groups/${group}`)).body.members, 0)
      assert.deepStrictEqual(
        Object.values(yield* members).toSorted(),
        ["owner by founder", ...Array(5).fill("viewer by scim")].toSorted()
      )
      const two = patch({ op: "add", path: "members", value: ids.slice(0, 2).map((value) => ({ value })) })
      assert.strictEqual((yield* scim("PATCH", `/Groups/${group}`, two)).status, 200)
      assert.strictEqual((yield* members)[`p0@${domain}`], "editor by scim")
    })
  )
})

layer(server({ limits: { reads: 5, writes: 3, signIns: 1 } }), live)("provisioning that never stops", (it) => {
  it.effect("is limited by the token, and guesses of tokens by their address", () =>
    Effect.gen(function* () {
      const { scim } = yield* tenant
      yield* Effect.repeat(scim("GET", "/Users"), { times: 4 })
      const limited = yield* scim("GET", "/Users")
      scimRefused(limited, 429)
      assert.isNotNull(limited.headers.get("retry-after"))
      assert.include(limited.headers.get("ratelimit") ?? "", "r=0")
      const stranger = yield* scimWith(`kms_${"0".repeat(43)}`)
      yield* Effect.repeat(stranger("GET", "/Users"), { times: 9 })
      scimRefused(yield* stranger("GET", "/Users"), 429)
      assert.isDefined(yield* HttpServer.HttpServer)
    })
  )
})
