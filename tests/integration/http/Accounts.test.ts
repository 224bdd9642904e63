/** Sign-up, sign-in and sign-out, and endpoints that accept only sessions. */
import { assert, layer } from "@effect/vitest"
import { AuthRecords, type Where } from "@kanmon/identity/accounts"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { NewHashCost } from "@kanmon/identity/testing/accounts/better-auth/PasswordHash.ts"
import * as Passwords from "@kanmon/identity/testing/accounts/better-auth/Passwords.ts"
import { make } from "@kanmon/identity/testing/accounts/better-auth/BetterAuth.ts"
import { served } from "@kanmon/identity/testing/accounts/better-auth/ServedRoutes.ts"
import { call, cookieOf, layer as server, Logs, password, person, publicUrl, refused, shop } from "./Server.ts"

const is = (field: string, value: unknown): Where => ({
  field,
  operator: "eq",
  value,
  connector: "AND",
  insensitive: false
})

const settings = {
  baseUrl: publicUrl,
  apiUrl: `${publicUrl}/api/v1`,
  secret: Redacted.make("a secret for tests that is long enough"),
  signUp: "open",
  adminEmails: []
} as const

const noEvents = { forgotten: () => Promise.resolve(), replaced: () => Promise.resolve() }

const live = { excludeTestServices: true } as const

layer(server({ costlyPasswords: true }), live)("accounts", (it) => {
  const signUp = (body: unknown) => call("POST", "/auth/sign-up/email", body)
  const signIn = (body: unknown) => call("POST", "/auth/sign-in/email", body)

  it.effect("signs up, in and out, with a first project", () =>
    Effect.gen(function* () {
      const up = yield* signUp({ name: "Ada", email: "Ada@Example.org", password })
      assert.strictEqual(up.status, 200)
      assert.hasAllKeys(up.body, ["token", "user"])
      assert.deepInclude(up.body.user, { name: "Ada", email: "ada@example.org" })
      assert.match(up.body.user.id, /^usr_[0-9a-z]{26}$/)
      assert.notInclude(JSON.stringify(up.body), "isAdmin")

      const inside = yield* signIn({ email: "ADA@example.org", password })
      const cookie = cookieOf(inside)
      const [header = ""] = inside.headers.getSetCookie()
      assert.match(header, /^kanmon\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/)
      const session = yield* call("GET", "/auth/get-session", undefined, { cookie })
      assert.deepInclude(session.body.user, { email: "ada@example.org" })
      const projects = yield* call("GET", "/projects", undefined, { cookie })
      assert.deepInclude(projects.body[0], { name: "Default" })
      assert.match(projects.body[0].apiKey, /^km_[0-9A-Za-z]{43}$/)

      assert.deepStrictEqual((yield* call("POST", "/auth/sign-out", undefined, { cookie })).body, { success: true })
      assert.isNull((yield* call("GET", "/auth/get-session", undefined, { cookie })).body)
      refused(yield* call("GET", "/projects", undefined, { cookie }), 401, "unauthorized")
    })
  )

  it.effect.each([
    ["no body", undefined, 422, "validation_failed", [""]],
    ["broken JSON", '{"name":', 400, "malformed_request", []],
    ["no name", { email: "x@example.org", password }, 422, "validation_failed", ["name"]],
    ["a blank name", { name: " ", email: "x@example.org", password }, 422, "validation_failed", ["name"]],
    [
      "nothing right",
      { name: 1, email: "x", password: "short" },
      422,
      "validation_failed",
      ["email", "name", "password"]
    ],
    ["an address with a space", { name: "x", email: "x y@example.org", password }, 422, "validation_failed", ["email"]],
    ["an address without a domain", { name: "x", email: "x@y", password }, 422, "validation_failed", ["email"]],
    [
      "a null character",
      { name: "x", email: "x@example.org", password: `${password}\u0000` },
      422,
      "validation_failed",
      ["password"]
    ],
    [
      "a long password",
      { name: "x", email: "x@example.org", password: "x".repeat(129) },
      422,
      "validation_failed",
      ["password"]
    ],
    [
      "an admin by wish",
      { name: "x", email: "x@example.org", password, isAdmin: true },
      422,
      "validation_failed",
      ["isAdmin"]
    ],
    [
      "a way out",
      { name: "x", email: "x@example.org", password, callbackURL: "https://evil.example" },
      422,
      "validation_failed",
      ["callbackURL"]
    ]
  ] as const)("refuses to sign up with %s", ([, body, status, code, paths]) =>
    Effect.gen(function* () {
      refused(yield* signUp(body), status, code, ...paths)
      assert.strictEqual(yield* (yield* AuthRecords).count("user", [is("email", "x@example.org")]), 0)
    })
  )

  it.effect("gives an e-mail address to one account, also with concurrent sign-ups", () =>
    Effect.gen(function* () {
      const wanted = { name: "Ben", email: "ben@example.org", password }
      const answers = yield* Effect.all(
        Array.from({ length: 5 }, () => signUp(wanted)),
        { concurrency: 5 }
      )
      assert.lengthOf(
        answers.filter(({ status }) => status === 200),
        1
      )
      for (const answer of answers.filter(({ status }) => status !== 200)) refused(answer, 409, "conflict", "email")
      refused(yield* signUp({ ...wanted, email: "BEN@example.org" }), 409, "conflict", "email")
      assert.deepStrictEqual(
        (yield* Logs).filter(({ level }) => level === "ERROR"),
        []
      )
    })
  )

  it.effect("frees the address of an interrupted sign-up", () =>
    Effect.gen(function* () {
      const records = yield* AuthRecords
      const email = "cleo@example.org"
      const at = new Date("2026-01-01T00:00:00Z")
      const row = { id: "usr_unfinished", name: "Cleo", email, emailVerified: false, createdAt: at, updatedAt: at }
      yield* records.create("user", row)
      assert.strictEqual((yield* signUp({ name: "Cleo", email, password })).status, 200)
      assert.strictEqual((yield* signIn({ email, password })).status, 200)
    })
  )

  it.effect("answers a wrong password and an unknown account alike", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const wrong = yield* signIn({ email: ada.email, password: "not this one" })
      const unknown = yield* signIn({ email: "nobody@example.org", password: "not this one" })
      const short = yield* signIn({ email: ada.email, password: "x" })
      for (const answer of [wrong, unknown, short]) refused(answer, 401, "unauthorized")
      assert.strictEqual(wrong.body.detail, unknown.body.detail)
    })
  )

  it.effect("serves only the listed routes of Better Auth", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const { api } = make(
        yield* AuthRecords,
        settings,
        Passwords.make(yield* NewHashCost),
        noEvents,
        Effect.runPromise
      )
      const routes = Object.values(api as Record<string, { path?: string; options?: { method?: string | string[] } }>)
      const offered = routes.flatMap(({ options, path }) =>
        path === undefined ? [] : [[path, options?.method] as const]
      )
      assert.isAbove(offered.length, 25)
      const closed = offered.filter(([path]) => !Object.hasOwn(served, `/auth${path}`))
      assert.includeMembers(
        closed.map(([path]) => path),
        [
          "/reset-password/:token",
          "/revoke-sessions",
          "/delete-user",
          "/list-accounts",
          "/link-social",
          "/two-factor/send-otp",
          "/ok"
        ]
      )
      for (const [path, offers] of [...closed, ["/hasOwnProperty", "GET"] as const]) {
        const route = `/auth${path.replaceAll(/:\w+/g, "x")}`
        for (const method of new Set(["GET", "POST", ...[offers ?? []].flat()])) {
          const body = method === "GET" ? undefined : {}
          for (const written of [route, `${route}/`, `${route}?x=1`, route.replace("/auth/", "/auth//")])
            refused(yield* ada.withSession(method, written, body), 404, "not_found")
        }
      }
      for (const [route, methods] of Object.entries(served))
        for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((one) => !methods.includes(one)))
          refused(yield* call(method, route, method === "GET" ? undefined : {}), 405, "method_not_allowed")
    })
  )

  it.effect("keeps passwords as slow hashes, and tokens out of logs", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const rows = yield* (yield* SqlClient.SqlClient)`SELECT password FROM accounts`
      assert.match(String(rows[0]!["password"]), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
      const lines = JSON.stringify(yield* Logs)
      for (const secret of [password, ada.cookie, ada.key]) assert.notInclude(lines, secret)
    })
  )
})

layer(server(), live)("a session", (it) => {
  it.effect("has the rights of its projects' keys, and may list and create projects", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const made = yield* ada.withSession("POST", "/projects", { name: "Second" })
      assert.strictEqual(made.status, 201)
      const route = `/projects/${made.body.id}`
      assert.strictEqual((yield* ada.withSession("PATCH", route, { name: "Renamed" })).body.name, "Renamed")
      const rotated = yield* ada.withSession("POST", `${route}/api-key`)
      assert.notStrictEqual(rotated.body.apiKey, made.body.apiKey)
      assert.strictEqual((yield* call("GET", route, undefined, { "x-api-key": rotated.body.apiKey })).status, 200)
      refused(yield* ada.withKey("GET", route), 404, "not_found")
      assert.strictEqual((yield* ada.withSession("DELETE", route)).status, 200)
      refused(yield* ada.withSession("GET", route), 404, "not_found")
      refused(yield* ada.withSession("GET", "/monitors"), 403, "forbidden")
      refused(yield* ada.withKey("POST", "/projects", { name: "x" }), 403, "forbidden")
    })
  )

  it.effect("lists its sessions and ends them, and those of nobody else", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const eve = yield* person
      const again = { email: ada.email, password }
      const agents = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0" }
      const second = cookieOf(yield* call("POST", "/auth/sign-in/email", again, agents))
      const third = cookieOf(yield* call("POST", "/auth/sign-in/email", again))
      const listed = yield* ada.withSession("GET", "/account/sessions")
      assert.lengthOf(listed.body, 3)
      assert.deepStrictEqual(
        listed.body.map(({ current }: any) => current),
        [false, false, true]
      )
      assert.include(listed.body[1].userAgent, "Firefox/150")
      assert.strictEqual(listed.body[1].ipAddress, "127.0.0.1")
      // Nothing that signs anybody in is shown.
      for (const cookie of [ada.cookie, second, third])
        assert.notInclude(JSON.stringify(listed.body), decodeURIComponent(cookie).split(/[=.]/)[2]!)

      const one = `/account/sessions/${listed.body[1].id}`
      refused(yield* eve.withSession("DELETE", one), 404, "not_found")
      refused(yield* ada.withKey("GET", "/account/sessions"), 403, "forbidden")
      assert.strictEqual((yield* call("GET", "/projects", undefined, { cookie: second })).status, 200)
      assert.deepStrictEqual((yield* ada.withSession("DELETE", one)).body, { id: listed.body[1].id, deleted: true })
      refused(yield* call("GET", "/projects", undefined, { cookie: second }), 401, "unauthorized")
      refused(yield* ada.withSession("DELETE", one), 404, "not_found")

      assert.deepStrictEqual((yield* ada.withSession("DELETE", "/account/sessions")).body, { ended: 1 })
      refused(yield* call("GET", "/projects", undefined, { cookie: third }), 401, "unauthorized")
      const [own] = (yield* ada.withSession("GET", "/account/sessions")).body
      assert.strictEqual((yield* ada.withSession("DELETE", `/account/sessions/${own.id}`)).status, 200)
      refused(yield* ada.withSession("GET", "/projects"), 401, "unauthorized")
      assert.lengthOf((yield* eve.withSession("GET", "/account/sessions")).body, 1)
    })
  )

  it.effect("cannot see other accounts' projects", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const ben = yield* person
      const route = `/projects/${ada.projectId}`
      for (const [method, path, body] of [
        ["GET", route, undefined],
        ["PATCH", route, { name: "Mine" }],
        ["DELETE", route, undefined],
        ["POST", `${route}/api-key`, undefined]
      ] as const) {
        refused(yield* ben.withSession(method, path, body), 404, "not_found")
        refused(yield* ben.withKey(method, path, body), 404, "not_found")
      }
      assert.strictEqual((yield* ada.withKey("GET", route)).body.name, "Default")
    })
  )

  it.effect.each(["https://evil.example", "null", "http://kanmon.example.evil.example", "https://kanmon.example"])(
    "changes nothing for a page of %s",
    (origin) =>
      Effect.gen(function* () {
        const ada = yield* person
        refused(yield* ada.withSession("POST", "/projects", { name: "x" }, { origin }), 403, "forbidden")
        refused(yield* ada.withSession("DELETE", `/projects/${ada.projectId}`, undefined, { origin }), 403, "forbidden")
        refused(yield* ada.withSession("POST", "/auth/sign-out", undefined, { origin }), 403, "forbidden")
        refused(
          yield* call("POST", "/auth/sign-in/email", { email: ada.email, password }, { origin }),
          403,
          "forbidden"
        )
        const list = yield* ada.withSession("GET", "/projects", undefined, { origin })
        assert.deepStrictEqual([list.status, list.body.length], [200, 1])
        assert.isNull(list.headers.get("access-control-allow-origin"))
      })
  )

  it.effect("works from the installation's own pages", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const made = yield* ada.withSession("POST", "/projects", { name: "x" }, { origin: publicUrl })
      assert.strictEqual(made.status, 201)
    })
  )

  it.effect.each(["kanmon.session_token=x", "kanmon.session_token=x.y", "a=b; kanmon.session_token="])(
    "is not what a forged cookie makes (%s)",
    (cookie) =>
      Effect.map(call("GET", "/projects", undefined, { cookie }), (answer) => refused(answer, 401, "unauthorized"))
  )
})

layer(server({ signUp: "closed", baseUrl: "https://kanmon.example/base" }), live)(
  "a closed installation behind https",
  (it) => {
    it.effect("refuses sign-up", () =>
      Effect.gen(function* () {
        refused(
          yield* call("POST", "/auth/sign-up/email", { name: "Eve", email: "eve@example.org", password }),
          403,
          "forbidden"
        )
      })
    )

    it.effect("sends an HSTS header", () =>
      Effect.gen(function* () {
        const answer = yield* call("GET", "/health/live")
        assert.include(answer.headers.get("strict-transport-security") ?? "", "max-age=")
        assert.strictEqual(answer.headers.get("cross-origin-opener-policy"), "same-origin-allow-popups")
      })
    )
  }
)

layer(server({ baseUrl: "https://kanmon.example" }), live)("behind https", (it) => {
  it.effect("sets a Secure cookie", () =>
    Effect.gen(function* () {
      const ada = yield* person
      assert.match(ada.cookie, /^__Host-kanmon\.session_token=/)
      const [header = ""] = (yield* call("POST", "/auth/sign-in/email", {
        email: ada.email,
        password
      })).headers.getSetCookie()
      assert.include(header, "; Secure")
      assert.strictEqual((yield* ada.withKey("POST", "/monitors", shop)).status, 201)
    })
  )
})
