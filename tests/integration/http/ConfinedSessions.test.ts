/** The identity provider of one organization opens that organization, and nothing else of an account. */
import { assert, layer } from "@effect/vitest"
import { basePath } from "@kanmon/protocol/BasePath"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as OidcProvider from "../../support/OidcProvider.ts"
import { mailTo, withMail } from "./Mailbox.ts"
import { call, cookieOf, password, person, publicUrl, refused } from "./Server.ts"
import { browser, Provider, redirectUri, signIn } from "./SignOnStage.ts"

const live = { excludeTestServices: true } as const
const acme = "org_00000000000000000000000001"
const start = { organization: acme, callbackURL: "/monitors" }
const api = `${publicUrl}${basePath}`

/** Acme, whose provider says what it likes about the people of its domain. */
const set = Layer.effectDiscard(
  Effect.gen(function* () {
    const provider = yield* Provider
    const sql = yield* SqlClient.SqlClient
    const owner = yield* person
    yield* sql`INSERT INTO organizations (id, name, created_at, updated_at) VALUES (${acme}, 'Acme', now(), now())`
    yield* sql`INSERT INTO organization_members (organization_id, user_id, role, source, created_at)
      VALUES (${acme}, ${owner.userId}, 'owner', 'founder', now())`
    const saved = yield* owner.withSession("PUT", `/organizations/${acme}/sso`, {
      protocol: "oidc",
      enabled: true,
      enforced: false,
      roles: [],
      defaultRole: "admin",
      issuer: provider.issuer,
      clientId: provider.clientId,
      clientSecret: provider.clientSecret,
      scopes: ["email"],
      groupsClaim: "groups"
    })
    assert.strictEqual(saved.status, 200, JSON.stringify(saved.body))
    yield* sql`INSERT INTO sign_on_domains (organization_id, domain, proof, verified_at, created_at)
      VALUES (${acme}, 'acme.example', 'proof', now(), now())`
    const made = yield* owner.withSession("POST", "/projects", { name: "Ours", organizationId: acme })
    assert.strictEqual(made.status, 201, JSON.stringify(made.body))
  })
)

const stage = set.pipe(
  Layer.provideMerge(withMail()),
  Layer.provideMerge(Layer.effect(Provider, OidcProvider.make([redirectUri(acme)])))
)

/** An account with an organization of its own, whose address is in Acme's domain, and which administers the installation. */
const kate = Effect.gen(function* () {
  const account = yield* person
  const email = account.email.replace("example.org", "acme.example")
  yield* (yield* SqlClient.SqlClient)`UPDATE users SET email = ${email}, email_verified = true, is_admin = true
    WHERE id = ${account.userId}`
  return { ...account, email }
})

/** Signs in through Acme's provider, and returns the cookies. */
const throughAcme = Effect.fnUntraced(function* (email: string) {
  const provider = yield* Provider
  provider.arrive({ sub: email, email, email_verified: true })
  const visitor = yield* browser
  const landed = yield* signIn(visitor, start)
  assert.strictEqual(landed.url.pathname, "/monitors", landed.text)
  return { cookie: visitor.cookies(api) }
})

const names = (body: unknown) => (body as ReadonlyArray<{ readonly name: string }>).map(({ name }) => name)

layer(stage, live)("a session that the identity provider of an organization began", (it) => {
  it.effect("opens that organization alone, while the account's own sign-in opens all of them", () =>
    Effect.gen(function* () {
      const { email, projectId, userId } = yield* kate
      const inside = yield* throughAcme(email)
      const ask = (method: string, route: string, body?: unknown, more: Readonly<Record<string, string>> = {}) =>
        call(method, route, body, { ...inside, ...more })
      assert.strictEqual((yield* ask("GET", "/auth/get-session")).body.session.organizationId, acme)
      assert.deepStrictEqual(names((yield* ask("GET", "/organizations")).body), ["Acme"])
      const projects = yield* ask("GET", "/projects")
      assert.deepStrictEqual(names(projects.body), ["Ours"])
      const ours = { "kanmon-project": projects.body[0].id as string }
      assert.strictEqual((yield* ask("GET", "/monitors", undefined, ours)).status, 200)
      assert.strictEqual((yield* ask("GET", `/organizations/${acme}/members`)).status, 200)
      assert.strictEqual((yield* ask("POST", "/projects", { name: "Another" })).body.organizationId, acme)

      const sql = yield* SqlClient.SqlClient
      const [own] = yield* sql`SELECT organization_id AS id FROM projects WHERE id = ${projectId}`
      const theirs = { "kanmon-project": projectId }
      refused(yield* ask("GET", "/monitors", undefined, theirs), 403, "forbidden")
      refused(yield* ask("GET", `/projects/${projectId}`), 403, "forbidden")
      refused(yield* ask("POST", `/projects/${projectId}/api-key`), 403, "forbidden")
      refused(yield* ask("GET", `/organizations/${String(own!["id"])}`), 403, "forbidden")
      const elsewhere = { name: "Mine", organizationId: String(own!["id"]) }
      refused(yield* ask("POST", "/projects", elsewhere), 403, "forbidden")
      // Nor the account, nor the installation.
      refused(yield* ask("POST", "/organizations", { name: "New" }), 403, "forbidden")
      refused(yield* ask("GET", "/account/export"), 403, "forbidden")
      refused(yield* ask("DELETE", "/account", {}), 403, "forbidden")
      refused(yield* ask("DELETE", "/account/sessions"), 403, "forbidden")
      refused(yield* ask("GET", "/installation/accounts"), 403, "forbidden")
      refused(yield* ask("GET", "/auth/passkey/generate-register-options"), 403, "forbidden")
      refused(yield* ask("POST", "/auth/change-email", { newEmail: "eve@example.org" }), 403, "forbidden")
      const log = yield* ask("GET", "/audit-log/account")
      assert.strictEqual(log.status, 200)
      assert.notInclude(JSON.stringify(log.body), projectId)

      const signedIn = cookieOf(yield* call("POST", "/auth/sign-in/email", { email, password }))
      const all = yield* call("GET", "/organizations", undefined, { cookie: signedIn })
      assert.strictEqual((all.body as ReadonlyArray<unknown>).length, 2)
      const read = yield* call("GET", "/monitors", undefined, { cookie: signedIn, ...theirs })
      assert.strictEqual(read.status, 200)
      assert.strictEqual(
        (yield* call("GET", "/installation/accounts", undefined, { cookie: signedIn })).status,
        200,
        userId
      )
    })
  )

  it.effect("gives a program no more than it reaches itself", () =>
    Effect.gen(function* () {
      const { email, projectId } = yield* kate
      const inside = yield* throughAcme(email)
      const { body } = yield* call("POST", "/auth/device/code", { client_id: "kanmon-cli" })
      const approved = yield* call("POST", "/auth/device/approve", { userCode: body.user_code }, inside)
      assert.strictEqual(approved.status, 200, JSON.stringify(approved.body))
      const fetched = yield* call("POST", "/auth/device/token", {
        grant_type: "urn:ietf:params:oauth:grant-type:device_code",
        client_id: "kanmon-cli",
        device_code: body.device_code
      })
      const program = { authorization: `Bearer ${fetched.body.access_token}` }
      assert.include(names((yield* call("GET", "/projects", undefined, program)).body), "Ours")
      refused(yield* call("GET", "/monitors", undefined, { ...program, "kanmon-project": projectId }), 403, "forbidden")
      refused(yield* call("GET", "/installation/accounts", undefined, program), 403, "forbidden")
    })
  )

  it.effect("is told to the owner of the account the first time, and only then", () =>
    Effect.gen(function* () {
      const { email } = yield* kate
      yield* throughAcme(email)
      const { parsed } = yield* mailTo(email, { subject: /single sign-on was connected/i })
      assert.include(parsed.text!, "“Acme”")
      yield* throughAcme(email)
      yield* call("POST", "/auth/request-password-reset", { email })
      yield* mailTo(email, { subject: /reset/i })
      yield* mailTo(email, { subject: /single sign-on was connected/i, count: 1 })
    })
  )
})
