/** Single sign-on for the whole installation, with a real provider of OpenID Connect on loopback. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SignOnBrowser } from "../../support/SignOnBrowser.ts"
import { ask, begin, browser, Provider, redirectUri, signIn, withProvider } from "./SignOnStage.ts"
import { call, password, person, publicUrl, refused } from "./Server.ts"

const live = { excludeTestServices: true } as const

const ada = { sub: "ada-1", email: "ada@work.example", email_verified: true, name: "Ada Lovelace", groups: ["staff"] }

/** Goes to the provider and stops before the way back: the address of its answer. */
const answerOf = Effect.fnUntraced(function* (visitor: SignOnBrowser) {
  const { body } = yield* begin(visitor)
  return (yield* Effect.promise(() => visitor.open(body.url, { stopAt: redirectUri("installation") }))).url
})

/** Opens an address as far as the dashboard, or the page that says why not. */
const follow = (visitor: SignOnBrowser, { href }: URL) =>
  Effect.promise(() => visitor.open(href, { stopAt: `${publicUrl}/monitors` }))

const auditOf = (action: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.orDie(sql`SELECT * FROM audit_log WHERE action = ${action}`))

layer(withProvider(), live)("single sign-on of the installation", (it) => {
  it.effect("shows no text of a stranger's link where it asks for a password", () =>
    Effect.gen(function* () {
      const route = "/auth/sign-in/sso/connect?code=x&email="
      assert.include((yield* call("GET", `${route}ada@work.example`)).body, "ada@work.example")
      const answer = yield* call("GET", `${route}you.+Call+0800+123456+at+once`)
      assert.strictEqual(answer.status, 400)
      assert.notInclude(answer.body, "0800")
    })
  )

  it.effect("says how people can sign in", () =>
    Effect.gen(function* () {
      assert.deepInclude((yield* call("GET", "/auth/methods")).body, {
        password: true,
        singleSignOn: { label: "Sign in at work" },
        signUp: "open"
      })
    })
  )

  it.effect("creates an account with an organization of its own at the first sign-in, and finds it at the next", () =>
    Effect.gen(function* () {
      const provider = yield* Provider
      provider.arrive(ada)
      const visitor = yield* browser
      const arrived = yield* signIn(visitor)
      assert.strictEqual(arrived.url.href, `${publicUrl}/monitors`, arrived.text)
      const session = yield* ask(visitor, "/auth/get-session")
      assert.deepInclude(session.body.user, { email: ada.email, name: "Ada Lovelace", emailVerified: true })
      const projects = yield* ask(visitor, "/projects")
      assert.deepInclude(projects.body[0], { name: "Default" })

      const again = yield* browser
      provider.arrive({ ...ada, email: "ada.lovelace@work.example" })
      assert.strictEqual((yield* signIn(again)).url.pathname, "/monitors")
      assert.strictEqual((yield* ask(again, "/auth/get-session")).body.user.id, session.body.user.id)
      assert.lengthOf(yield* auditOf("sso.signed_in"), 2)
    })
  )

  it.effect("sends PKCE, state and nonce, and ties the sign-in to the browser", () =>
    Effect.gen(function* () {
      const visitor = yield* browser
      const { body } = yield* begin(visitor)
      const query = new URL(body.url).searchParams
      assert.strictEqual(query.get("code_challenge_method"), "S256")
      assert.match(query.get("code_challenge")!, /^[\w-]{43}$/)
      assert.match(query.get("state")!, /^[\w-]{43}$/)
      assert.isAtLeast(query.get("nonce")!.length, 40)
      assert.strictEqual(query.get("redirect_uri"), redirectUri("installation"))
      assert.match(visitor.cookies(publicUrl), /kanmon-sso=[\w-]{43}/)
      assert.isFalse(query.has("code_verifier"))
    })
  )

  it.effect("refuses an answer in a browser that did not begin the sign-in", () =>
    Effect.gen(function* () {
      const provider = yield* Provider
      provider.arrive(ada)
      const attacker = yield* browser
      const answer = yield* answerOf(attacker)
      const victim = yield* browser
      const landed = yield* follow(victim, answer)
      assert.strictEqual(landed.status, 400)
      assert.include(landed.text, "started in another browser")
      assert.isNull((yield* ask(victim, "/auth/get-session")).body)
      // A browser with a sign-in of its own is not fooled either.
      yield* begin(victim)
      const again = yield* follow(victim, answer)
      assert.strictEqual(again.status, 400)
      assert.include(again.text, "started in another browser")
      // The sign-in is still its own browser's.
      const own = yield* follow(attacker, answer)
      assert.strictEqual(own.url.pathname, "/monitors")
    })
  )

  it.effect("takes an answer once, and a code once", () =>
    Effect.gen(function* () {
      const provider = yield* Provider
      provider.arrive(ada)
      const visitor = yield* browser
      const url = yield* answerOf(visitor)
      const first = yield* follow(visitor, url)
      assert.strictEqual(first.url.pathname, "/monitors")
      const second = yield* follow(visitor, url)
      assert.strictEqual(second.status, 400)
      // The same code with the state of a fresh sign-in.
      const fresh = yield* begin(visitor)
      const forged = new URL(url)
      forged.searchParams.set("state", new URL(fresh.body.url).searchParams.get("state")!)
      const third = yield* follow(visitor, forged)
      assert.strictEqual(third.status, 400)
      assert.include(third.text, "refused the code")
    })
  )

  it.effect.each([
    ["a wrong state", (url: URL) => url.searchParams.set("state", "x".repeat(43))],
    ["no state", (url: URL) => url.searchParams.delete("state")],
    ["another connection", (url: URL) => (url.pathname = url.pathname.replace("installation", "org_other"))]
  ] as const)("refuses an answer with %s", ([, change]) =>
    Effect.gen(function* () {
      const provider = yield* Provider
      provider.arrive(ada)
      const visitor = yield* browser
      const url = yield* answerOf(visitor)
      change(url)
      const landed = yield* follow(visitor, url)
      assert.strictEqual(landed.status, 400)
      assert.isNull((yield* ask(visitor, "/auth/get-session")).body)
    })
  )

  it.effect("refuses an answer that names another issuer", () =>
    Effect.gen(function* () {
      const provider = yield* Provider
      provider.arrive(ada)
      const visitor = yield* browser
      const url = yield* answerOf(visitor)
      assert.strictEqual(url.searchParams.get("iss"), provider.issuer)
      url.searchParams.set("iss", "https://evil.example")
      const landed = yield* follow(visitor, url)
      assert.strictEqual(landed.status, 400)
      assert.include(landed.text, "not valid")
    })
  )

  it.effect.each([
    ["an address that is not verified", { email_verified: false }, "does not say that your e-mail address is verified"],
    ["an address that nobody vouches for", { email_verified: undefined }, "does not say that your e-mail"],
    ["no address", { email: undefined }, "sent no e-mail address"],
    ["an address that is none", { email: "not an address" }, "sent no e-mail address"]
  ] as const)("refuses %s", ([, change, words]) =>
    Effect.gen(function* () {
      const provider = yield* Provider
      provider.arrive({ ...ada, sub: `other-${words.length}`, email: "other@work.example", ...change } as never)
      const visitor = yield* browser
      const landed = yield* signIn(visitor)
      assert.strictEqual(landed.status, 403)
      assert.include(landed.text, words)
      assert.isNull((yield* ask(visitor, "/auth/get-session")).body)
    })
  )

  it.effect.each([
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example/",
    "/\t/evil.example",
    "http://kanmon.example@evil.example/",
    "javascript:alert(1)",
    "http://kanmon.example.evil.example/",
    "http://user@kanmon.example/"
  ])("refuses to lead to %s", (callbackURL) =>
    Effect.gen(function* () {
      const { body, status } = yield* begin(yield* browser, { callbackURL })
      assert.strictEqual(status, 422)
      assert.deepStrictEqual(body.errors[0].path, "callbackURL")
      const visitor = yield* browser
      const at = `${publicUrl}/api/v1/auth/sso/start`
      const page = yield* Effect.promise(() => visitor.open(`${at}?callbackURL=${encodeURIComponent(callbackURL)}`))
      assert.notInclude(page.text, "evil")
      const going = /href="([^"]+)"/.exec(page.text)![1]!.replaceAll("&amp;", "&")
      const opened = yield* Effect.promise(() => visitor.open(`${at}${going}`, { stopAt: "http://127.0.0.1" }))
      assert.notInclude(opened.url.href, "evil")
    })
  )

  it.effect("connects an existing account of a verified address, and audits it", () =>
    Effect.gen(function* () {
      const provider = yield* Provider
      const grace = yield* person
      yield* (yield* SqlClient.SqlClient)`UPDATE users SET email_verified = true WHERE email = ${grace.email}`
      provider.arrive({ sub: "grace", email: grace.email.toUpperCase(), email_verified: true })
      const visitor = yield* browser
      assert.strictEqual((yield* signIn(visitor)).url.pathname, "/monitors")
      assert.strictEqual((yield* ask(visitor, "/projects")).body[0].id, grace.projectId)
      assert.isNotEmpty(yield* auditOf("sso.connected"))
    })
  )

  it.effect("asks for the password of an existing account whose address nobody has verified", () =>
    Effect.gen(function* () {
      const provider = yield* Provider
      const squatter = yield* person
      provider.arrive({ sub: "owner-of-the-address", email: squatter.email, email_verified: true })
      const visitor = yield* browser
      const asked = yield* signIn(visitor)
      assert.strictEqual(asked.status, 200)
      assert.include(asked.text, "Connect your account")
      assert.isNull((yield* ask(visitor, "/auth/get-session")).body)
      const code = /name="code" value="([^"]+)"/.exec(asked.text)![1]!
      const post = (fields: Readonly<Record<string, string>>) =>
        Effect.promise(() =>
          visitor.post(asked.url.href, { email: squatter.email, code, ...fields }, publicUrl, {
            stopAt: `${publicUrl}/monitors`
          })
        )
      const wrong = yield* post({ password: "not this one" })
      assert.strictEqual(wrong.status, 401)
      // Somebody else's password does not count.
      const other = yield* person
      assert.strictEqual((yield* post({ email: other.email, password })).status, 400)
      const again = yield* signIn(visitor)
      const next = /name="code" value="([^"]+)"/.exec(again.text)![1]!
      const right = yield* post({ code: next, password })
      assert.strictEqual(right.url.pathname, "/monitors")
      assert.strictEqual((yield* ask(visitor, "/auth/get-session")).body.user.email, squatter.email)
    })
  )

  it.effect("does not let a stranger's page post to it", () =>
    Effect.gen(function* () {
      const answer = yield* call("POST", "/auth/sign-in/sso", { callbackURL: "/" }, { origin: "https://evil.example" })
      refused(answer, 403, "forbidden")
    })
  )
})

layer(withProvider({ trustsEmail: true }), live)("a provider whose addresses the operator trusts", (it) => {
  it.effect("signs in people of whom it says nothing, and nobody of whom it says the contrary", () =>
    Effect.gen(function* () {
      const provider = yield* Provider
      provider.arrive({ sub: "eve", email: "eve@work.example", email_verified: false })
      assert.strictEqual((yield* signIn(yield* browser)).status, 403)
      provider.arrive({ sub: "bob", email: "bob@work.example" })
      assert.strictEqual((yield* signIn(yield* browser)).url.pathname, "/monitors")
    })
  )
})

const roles = [
  { group: "staff", organization: "Example Ltd", role: "viewer" },
  { group: "sre", organization: "Example Ltd", role: "admin" },
  { group: "sre", organization: "org_00000000000000000000000000", role: "owner" }
] as const

layer(withProvider({ roles }), live)("roles by group", (it) => {
  const membersOf = (email: string) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.orDie(sql`SELECT o.id, o.name, m.role, m.source FROM organization_members m
        JOIN organizations o ON o.id = m.organization_id JOIN users u ON u.id = m.user_id WHERE u.email = ${email}`)
    )

  it.effect("creates the organization that the settings name, and follows the groups at every sign-in", () =>
    Effect.gen(function* () {
      const provider = yield* Provider
      provider.arrive({ ...ada, groups: ["staff"] })
      assert.strictEqual((yield* signIn(yield* browser)).url.pathname, "/monitors")
      const [member, ...more] = yield* membersOf(ada.email)
      assert.deepInclude(member, { name: "Example Ltd", role: "viewer", source: "sso" })
      assert.isEmpty(more)
      provider.arrive({ ...ada, groups: ["staff", "sre"] })
      yield* signIn(yield* browser)
      assert.deepInclude((yield* membersOf(ada.email))[0], { role: "admin" })
      provider.arrive({ ...ada, groups: ["staff"] })
      yield* signIn(yield* browser)
      assert.deepInclude((yield* membersOf(ada.email))[0], { role: "viewer" })
      provider.arrive({ ...ada, groups: ["others"] })
      const landed = yield* signIn(yield* browser)
      assert.strictEqual(landed.status, 403)
      assert.include(landed.text, "None of your groups")
    })
  )

  it.effect("leaves no account behind of somebody whose groups give nothing", () =>
    Effect.gen(function* () {
      const provider = yield* Provider
      provider.arrive({ sub: "zoe", email: "zoe@work.example", email_verified: true, groups: [] })
      assert.strictEqual((yield* signIn(yield* browser)).status, 403)
      const rows = yield* (yield* SqlClient.SqlClient)`SELECT 1 FROM users WHERE email = 'zoe@work.example'`
      assert.isEmpty(rows)
      assert.isNotEmpty(yield* auditOf("sso.refused"))
    })
  )

  it.effect("does not mix up an organization that a stranger gave the same name", () =>
    Effect.gen(function* () {
      const mallory = yield* person
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE organizations SET name = 'Example Ltd' WHERE id IN (SELECT organization_id FROM projects
        WHERE id = ${mallory.projectId})`
      const provider = yield* Provider
      provider.arrive({ sub: "tom", email: "tom@work.example", email_verified: true, groups: ["staff"] })
      yield* signIn(yield* browser)
      const [member] = yield* membersOf("tom@work.example")
      const [stranger] = yield* sql`SELECT organization_id AS id FROM projects WHERE id = ${mallory.projectId}`
      assert.notStrictEqual(member!["id"], stranger!["id"])
    })
  )
})

layer(withProvider({}, {}, false), live)("an installation without local sign-in", (it) => {
  it.effect("refuses passwords and signs in through the provider", () =>
    Effect.gen(function* () {
      refused(yield* call("POST", "/auth/sign-in/email", { email: ada.email, password }), 403, "forbidden")
      const body = { name: "Ada", email: ada.email, password }
      refused(yield* call("POST", "/auth/sign-up/email", body), 403, "forbidden")
      assert.deepInclude((yield* call("GET", "/auth/methods")).body, {
        password: false,
        passkeys: false,
        signUp: "closed"
      })
      const provider = yield* Provider
      provider.arrive(ada)
      assert.strictEqual((yield* signIn(yield* browser)).url.pathname, "/monitors")
    })
  )
})
