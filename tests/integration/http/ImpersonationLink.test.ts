/** The links of `kanmon account impersonate`: once, within a minute, and only while the one may act as the other. */
import { assert, layer } from "@effect/vitest"
import { AuthSettings, BetterAuthSignIn, SignIn } from "@kanmon/identity/accounts"
import type { UserId } from "@kanmon/domain/Ids"
import { basePath } from "@kanmon/protocol/BasePath"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { call, cookieOf, layer as server, password, person, publicUrl, refused } from "./Server.ts"

const live = { excludeTestServices: true } as const

const settings = AuthSettings.of({
  baseUrl: publicUrl,
  apiUrl: `${publicUrl}${basePath}`,
  secret: Redacted.make("a secret for tests that is long enough"),
  signUp: "open",
  adminEmails: []
})

const account = Effect.gen(function* () {
  const made = yield* person
  const { body } = yield* call("GET", "/auth/get-session", undefined, { cookie: made.cookie })
  return { ...made, id: body.user.id as UserId }
})

const setAdmin = (id: UserId, isAdmin: boolean) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE users SET is_admin = ${isAdmin} WHERE id = ${id}`)

/** As the command makes it. */
const linked = Effect.gen(function* () {
  const [boss, ada] = [yield* account, yield* account]
  yield* setAdmin(boss.id, true)
  const { impersonation } = yield* Effect.provide(SignIn, BetterAuthSignIn.layer)
  const link = yield* impersonation.link(ada, boss.id)
  return { boss, ada, token: new URL(link).searchParams.get("token")! }
}).pipe(Effect.provideService(AuthSettings, settings))

const route = "/auth/impersonation"
const asPage = { accept: "text/html" }

layer(server(), live)("a link to act as an account", (it) => {
  it.effect(
    "shows whom it is about in the reader's language, and leads to the dashboard when its button is pressed",
    () =>
      Effect.gen(function* () {
        const { ada, boss, token } = yield* linked
        for (const [language, title] of [
          ["en", "Act as somebody else"],
          ["de", "Als jemand anderes handeln"],
          ["ja", "別のアカウントとして操作"]
        ]) {
          const { body: page } = yield* call("GET", `${route}?token=${token}`, undefined, {
            ...asPage,
            "accept-language": language!
          })
          for (const text of [title!, ada.email, boss.email, `value="${token}"`]) assert.include(page, text)
        }
        const form = { ...asPage, "content-type": "application/x-www-form-urlencoded", cookie: boss.cookie }
        const strange = yield* call("POST", route, `token=${token}`, { ...form, origin: "https://evil.example" })
        refused(strange, 403, "forbidden")
        const pressed = yield* call("POST", route, `token=${token}`, form)
        assert.strictEqual(pressed.status, 303, pressed.body)
        assert.strictEqual(pressed.headers.get("location"), `${publicUrl}/`)
        const cookie = cookieOf(pressed)
        const { body } = yield* call("GET", "/auth/get-session", undefined, { cookie })
        assert.deepInclude(body.user, { email: ada.email })
        assert.strictEqual(body.session.impersonatedBy, boss.id)
        const { body: log } = yield* ada.withSession("GET", `/audit-log/account?action=account.impersonated`)
        assert.deepInclude(log[0].actor, { kind: "person", id: boss.id, name: boss.email })
        assert.strictEqual(log[0].address, "127.0.0.1")
        // The administrator's own session waits.
        const ended = yield* call("DELETE", "/account/impersonation", undefined, { cookie })
        assert.deepStrictEqual(ended.body, { success: true, restored: true })
        const again = yield* call("POST", route, `token=${token}`, form)
        assert.deepStrictEqual([again.status, again.body.includes("This link is not valid")], [422, true])
      })
  )

  it.effect("works for one of many that use it at once", () =>
    Effect.gen(function* () {
      const { token } = yield* linked
      const answers = yield* Effect.all(
        Array.from({ length: 6 }, () => call("POST", route, { token })),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [200, 422, 422, 422, 422, 422])
    })
  )

  it.effect("is over after a minute, and when either stands otherwise", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const late = yield* linked
      yield* sql`UPDATE verifications SET expires_at = expires_at - interval '61 seconds'`
      refused(yield* call("POST", route, { token: late.token }), 422, "validation_failed", "token")
      const [left] = yield* sql`SELECT count(*)::int AS count FROM sessions WHERE impersonated_by = ${late.boss.id}`
      assert.strictEqual(left!["count"], 0)
      for (const change of [
        ({ boss }: Effect.Success<typeof linked>) => setAdmin(boss.id, false),
        ({ ada }: Effect.Success<typeof linked>) => setAdmin(ada.id, true),
        ({ ada }: Effect.Success<typeof linked>) => sql`UPDATE users SET disabled_at = now() WHERE id = ${ada.id}`,
        ({ boss }: Effect.Success<typeof linked>) => sql`UPDATE users SET disabled_at = now() WHERE id = ${boss.id}`,
        ({ ada }: Effect.Success<typeof linked>) =>
          ada.withSession("POST", "/auth/change-password", {
            currentPassword: password,
            newPassword: "another good password"
          })
      ]) {
        const made = yield* linked
        yield* change(made)
        assert.include(
          (yield* call("GET", `${route}?token=${made.token}`, undefined, asPage)).body,
          "This link is not valid"
        )
        refused(yield* call("POST", route, { token: made.token }), 422, "validation_failed", "token")
      }
      refused(yield* call("POST", route, { token: "guessed" }), 422, "validation_failed", "token")
    })
  )
})
