/** What the audit log says of signing in and out: also of what failed, without letting strangers fill it. */
import { eventually } from "@kanmon/testkit/Eventually"
import { assert, layer } from "@effect/vitest"
import { Retention } from "@kanmon/monitoring/retention"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { call, cookieOf, layer as server, password, person, refused } from "./Server.ts"

const live = { excludeTestServices: true } as const
const client = "kanmon-cli"

const personal = (cookie: string, action: string) =>
  Effect.map(
    call("GET", `/audit-log/account?action=${action}`, undefined, { cookie }),
    ({ body }) => body as ReadonlyArray<any>
  )

layer(server({ trustedProxy: true }), live)("the audit log of an account", (it) => {
  const signIn = (email: string, from: string, tried = "not this one") =>
    call("POST", "/auth/sign-in/email", { email, password: tried }, { "x-forwarded-for": from })

  /** They are counted in the background. */
  const counted = (email: string, expected: number) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql`SELECT coalesce(sum(f.attempts), 0)::int AS attempts
        FROM failed_sign_ins f JOIN users u ON u.id = f.account_id WHERE u.email = ${email}`
      return row!["attempts"]
    }).pipe((look) => eventually(look, (attempts) => attempts === expected))

  it.effect("sums failed sign-ins up by network once their hour is over", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const ada = yield* person
      for (const from of ["203.0.113.5", "203.0.113.5", "2001:db8:1:2::7", "203.0.113.5", "2001:db8:1:2:9::1"])
        refused(yield* signIn(ada.email.toUpperCase(), from), 401, "unauthorized")
      yield* counted(ada.email, 5)
      const { expire } = yield* Retention
      yield* expire
      assert.lengthOf(yield* personal(ada.cookie, "account.sign_in_failed"), 0)
      yield* sql`UPDATE failed_sign_ins SET first_at = first_at - interval '61 minutes'`
      yield* expire
      const log = yield* personal(ada.cookie, "account.sign_in_failed")
      assert.sameDeepMembers(
        log.map(({ actor, address, after }) => [actor.kind, address, after.attempts, after.factor]),
        [
          ["system", "203.0.113.5", 3, "password"],
          ["system", "2001:db8:1:2", 2, "password"]
        ]
      )
      assert.isBelow(Date.parse(log[0].after.from), Date.parse(log[0].after.until))
      yield* counted(ada.email, 0)
    })
  )

  it.effect("has them at once when the owner signs in, before that sign-in", () =>
    Effect.gen(function* () {
      const ada = yield* person
      yield* signIn(ada.email, "203.0.113.5")
      yield* counted(ada.email, 1)
      const cookie = cookieOf(yield* signIn(ada.email, "198.51.100.1", password))
      const log = yield* personal(cookie, "account.*")
      assert.deepStrictEqual(
        log.slice(0, 2).map(({ action, address }) => [action, address]),
        [
          ["account.signed_in", "198.51.100.1"],
          ["account.sign_in_failed", "203.0.113.5"]
        ]
      )
    })
  )

  it.effect("knows nothing of addresses without an account, and little of many guesses", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const ada = yield* person
      yield* Effect.forEach(
        Array.from({ length: 12 }),
        (_, index) =>
          Effect.andThen(
            signIn(`nobody${index}@example.org`, `192.0.2.${index}`),
            signIn(ada.email, `192.0.2.${index}`)
          ),
        { concurrency: 10 }
      )
      yield* counted(ada.email, 6)
      const [{ count }] = (yield* sql`SELECT count(*)::int AS count FROM failed_sign_ins`) as any
      assert.isAtMost(count, 6)
    })
  )

  it.effect("has wrong codes of a second factor apart, and says nothing of what was typed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const ada = yield* person
      yield* ada.withSession("POST", "/auth/two-factor/enable", { password })
      refused(
        yield* ada.withSession("POST", "/auth/two-factor/verify-totp", { code: "000000" }),
        422,
        "validation_failed",
        "code"
      )
      yield* counted(ada.email, 1)
      yield* sql`UPDATE failed_sign_ins SET first_at = first_at - interval '61 minutes'`
      yield* (yield* Retention).expire
      const [entry] = yield* personal(ada.cookie, "account.sign_in_failed")
      assert.deepInclude(entry.after, { attempts: 1, factor: "second factor" })
      assert.notInclude(JSON.stringify(entry), "000000")
    })
  )

  it.effect("has sign-outs: one's own, a program's, and those that the account or the operator forces", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const signedIn = Effect.map(signIn(ada.email, "198.51.100.1", password), cookieOf)
      const [here, there] = [yield* signedIn, yield* signedIn]
      yield* call("POST", "/auth/sign-out", undefined, { cookie: there })
      // Whoever has no session any more signs out of nothing.
      yield* call("POST", "/auth/sign-out", undefined, { cookie: there })
      assert.lengthOf(yield* personal(here, "account.signed_out"), 1)
      yield* call("DELETE", "/account/sessions", undefined, { cookie: here })
      const [ended] = yield* personal(here, "account.sessions_revoked")
      assert.deepInclude(ended.actor, { kind: "person", name: ada.email })
      refused(yield* ada.withSession("GET", "/projects"), 401, "unauthorized")
    })
  )

  it.effect("has programs that were let in or refused, with what they called themselves", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const start = call("POST", "/auth/device/code", { client_id: client, device_name: "kanmon on laptop" })
      const answer = (what: string, user: string) =>
        call("POST", `/auth/device/${what}`, { userCode: user }, { cookie: ada.cookie })
      const [denied, approved] = [(yield* start).body, (yield* start).body]
      yield* answer("deny", denied.user_code)
      yield* answer("approve", approved.user_code)
      refused(yield* answer("approve", approved.user_code), 404, "not_found")
      const { body } = yield* call("POST", "/auth/device/token", {
        grant_type: "urn:ietf:params:oauth:grant-type:device_code",
        client_id: client,
        device_code: approved.device_code
      })
      yield* call("POST", "/auth/sign-out", undefined, { authorization: `Bearer ${body.access_token}` })
      const log = yield* personal(ada.cookie, "account.*")
      assert.deepStrictEqual(
        log.slice(0, 4).map(({ action, after }) => [action, after]),
        [
          ["account.signed_out", {}],
          ["account.signed_in", { method: "program" }],
          ["account.device_approved", { program: "kanmon on laptop", address: "127.0.0.1" }],
          ["account.device_denied", { program: "kanmon on laptop", address: "127.0.0.1" }]
        ]
      )
    })
  )
})
