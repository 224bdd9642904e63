/** The names of cookies: no other host plants one, and no other installation on the host overwrites one. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { totp } from "../../support/Totp.ts"
import { call, cookieOf, layer as server, password, person, refused } from "./Server.ts"

const live = { excludeTestServices: true } as const

layer(server({ baseUrl: "https://kanmon.example" }), live)("cookies behind https", (it) => {
  it.effect("are of this host alone, all of them", () =>
    Effect.gen(function* () {
      const [ada, boss] = [yield* person, yield* person]
      yield* (yield* SqlClient.SqlClient)`UPDATE users SET is_admin = true WHERE id = ${boss.userId}`
      const challenge = yield* ada.withSession("GET", "/auth/passkey/generate-register-options")
      const { body } = yield* ada.withSession("POST", "/auth/two-factor/enable", { password })
      const on = yield* ada.withSession("POST", "/auth/two-factor/verify-totp", { code: totp(body.totpURI) })
      const pending = yield* call("POST", "/auth/sign-in/email", { email: ada.email, password })
      const inside = yield* call(
        "POST",
        "/auth/two-factor/verify-totp",
        { code: totp(body.totpURI, 1), trustDevice: true },
        { cookie: cookieOf(pending) }
      )
      const acting = yield* boss.withSession("POST", `/installation/accounts/${ada.userId}/impersonate`)
      const out = yield* call("POST", "/auth/sign-out", {}, { cookie: cookieOf(inside) })
      const all = [challenge, on, pending, inside, acting, out].flatMap(({ headers, status }) => {
        assert.strictEqual(status, 200)
        return headers.getSetCookie()
      })
      assert.isAbove(all.length, 6)
      for (const cookie of all) {
        assert.match(cookie, /^__Host-kanmon\.\w+=/)
        assert.match(cookie, /; Secure(;|$)/)
        assert.match(cookie, /; Path=\/(;|$)/)
        assert.notMatch(cookie, /domain=/i)
      }
    })
  )

  it.effect(
    "count under no name that only a parser's blanks turn into theirs, which browsers let every host plant",
    () =>
      Effect.gen(function* () {
        const [ada, eve] = [yield* person, yield* person]
        const planted = `\u00a0${eve.cookie}`
        assert.isNull((yield* call("GET", "/auth/get-session", undefined, { cookie: planted })).body)
        refused(yield* call("GET", "/projects", undefined, { cookie: `a=b;${planted}` }), 401, "unauthorized")
        const own = yield* call("GET", "/projects", undefined, { cookie: `${planted}; ${ada.cookie}` })
        assert.strictEqual(own.body[0].id, ada.projectId)
      })
  )

  it.effect("count under no other name: another host of the domain could have planted it", () =>
    Effect.gen(function* () {
      const ada = yield* person
      assert.strictEqual((yield* ada.withSession("GET", "/projects")).status, 200)
      for (const prefix of ["", "__Secure-"]) {
        const planted = ada.cookie.replace("__Host-", prefix)
        assert.notStrictEqual(planted, ada.cookie)
        refused(yield* call("GET", "/projects", undefined, { cookie: planted }), 401, "unauthorized")
        const session = yield* call("GET", "/auth/get-session", undefined, { cookie: planted })
        assert.isNull(session.body)
      }
    })
  )
})

layer(server({ baseUrl: "http://kanmon.example:3100" }), live)("an installation on a port of its host", (it) => {
  it.effect("sets and ends its own session, and leaves that of another port alone", () =>
    Effect.gen(function* () {
      const ada = yield* person
      assert.match(ada.cookie, /^kanmon-3100\.session_token=/)
      const others = "kanmon-3000.session_token=another.AAAA; kanmon.session_token=older.AAAA"
      const both = yield* call("GET", "/projects", undefined, { cookie: `${others}; ${ada.cookie}` })
      assert.strictEqual(both.status, 200)
      const anonymous = yield* call("GET", "/projects", undefined, { cookie: others })
      refused(anonymous, 401, "unauthorized")
      assert.include(anonymous.body.detail, "sign in")
      const out = yield* call("POST", "/auth/sign-out", {}, { cookie: `${others}; ${ada.cookie}` })
      for (const cookie of out.headers.getSetCookie()) assert.match(cookie, /^kanmon-3100\./)
    })
  )
})

layer(server({ baseUrl: "http://kanmon.example:3100/status" }), live)(
  "an installation below a path of its host",
  (it) => {
    it.effect("keeps its cookies below the path, also those of an administrator who acts as an account", () =>
      Effect.gen(function* () {
        const [ada, boss] = [yield* person, yield* person]
        yield* (yield* SqlClient.SqlClient)`UPDATE users SET is_admin = true WHERE id = ${boss.userId}`
        const entering = yield* call("POST", "/auth/sign-in/email", { email: boss.email, password })
        const acting = yield* boss.withSession("POST", `/installation/accounts/${ada.userId}/impersonate`)
        const over = yield* call("DELETE", "/account/impersonation", undefined, { cookie: cookieOf(acting) })
        // Of two cookies with one name browsers send that of the longer path first, which would go on being the administrator's.
        for (const answer of [entering, acting, over]) {
          assert.strictEqual(answer.status, 200)
          assert.isNotEmpty(answer.headers.getSetCookie())
          for (const cookie of answer.headers.getSetCookie()) assert.match(cookie, /; Path=\/status(;|$)/)
        }
      })
    )
  }
)
