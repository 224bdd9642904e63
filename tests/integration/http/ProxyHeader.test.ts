/** Accounts that a proxy in front names in a header: who they are, what they may do, and from where the header counts. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { call, layer as server, person, publicUrl, refused } from "./Server.ts"

const live = { excludeTestServices: true } as const
const header = "remote-email"
const behind = (addresses: string) =>
  server({
    authPlugins: new Map([
      ["proxy-header", { KANMON_AUTH_PROXY_HEADER: "Remote-Email", KANMON_AUTH_PROXY_ADDRESSES: addresses }]
    ])
  })

const set = (email: string, column: "email_verified" | "is_admin" | "disabled_at", value: unknown) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE users SET ${sql(column)} = ${value} WHERE email = ${email}`)

const verified = Effect.tap(person, ({ email }) => set(email, "email_verified", true))

/** A call as the proxy passes it on. */
const as = (email: string, method: string, route: string, body?: unknown, headers: Record<string, string> = {}) =>
  call(method, route, body, { [header]: email, ...headers })

const organization = { name: "Somebody's own" }
const own = { origin: publicUrl }

layer(behind("127.0.0.1,::1"), live)("an account that a trusted proxy names", (it) => {
  it.effect("is the caller, whatever the case of its address, once it has verified it", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const unproven = yield* as(ada.email, "GET", "/projects")
      refused(unproven, 401, "unauthorized")
      assert.include(unproven.body.detail, "No account has verified")
      yield* set(ada.email, "email_verified", true)
      const found = yield* as(ada.email.toUpperCase(), "GET", "/projects")
      assert.deepStrictEqual(
        found.body.map(({ id }: any) => id),
        [ada.projectId]
      )
      assert.strictEqual(
        (yield* as(ada.email, "GET", "/monitors", undefined, { "kanmon-project": ada.projectId })).status,
        200
      )
    })
  )

  it.effect("is refused with the reason when there is none, or it is disabled; none is created", () =>
    Effect.gen(function* () {
      refused(yield* as("stranger@example.org", "GET", "/projects"), 401, "unauthorized")
      refused(yield* as("stranger@example.org", "GET", "/projects"), 401, "unauthorized")
      const odd = yield* as("stranger", "GET", "/projects")
      refused(odd, 401, "unauthorized")
      assert.include(odd.body.detail, "Remote-Email")
      const ada = yield* verified
      yield* set(ada.email, "disabled_at", new Date(0))
      const disabled = yield* as(ada.email, "GET", "/projects")
      refused(disabled, 401, "unauthorized")
      assert.include(disabled.body.detail, "disabled")
    })
  )

  it.effect("changes things from this installation's pages alone, as with a session", () =>
    Effect.gen(function* () {
      const ada = yield* verified
      refused(
        yield* as(ada.email, "POST", "/organizations", organization, { origin: "https://evil.example" }),
        403,
        "forbidden"
      )
      assert.strictEqual((yield* as(ada.email, "POST", "/organizations", organization, own)).status, 201)
    })
  )

  it.effect("is an administrator only if the account is one, and gives no proof that somebody owns it", () =>
    Effect.gen(function* () {
      const [ada, boss] = [yield* verified, yield* verified]
      yield* set(boss.email, "is_admin", true)
      assert.strictEqual((yield* as(ada.email, "GET", "/installation/accounts")).status, 403)
      assert.strictEqual((yield* as(boss.email, "GET", "/installation/accounts")).status, 200)
      const acting = yield* as(boss.email, "POST", `/installation/accounts/${ada.userId}/impersonate`, {}, own)
      refused(acting, 403, "proof_required")
    })
  )

  it.effect("is not the caller where a session or a key says who calls", () =>
    Effect.gen(function* () {
      const [ada, eve] = [yield* verified, yield* verified]
      const { cookie } = eve
      for (const email of [ada.email, "stranger@example.org", "no address"]) {
        const listed = yield* as(email, "GET", "/projects", undefined, { cookie })
        assert.deepStrictEqual(
          listed.body.map(({ id }: any) => id),
          [eve.projectId]
        )
        const project = { cookie, "kanmon-project": eve.projectId }
        assert.strictEqual((yield* as(email, "GET", "/monitors", undefined, project)).status, 200)
        assert.strictEqual((yield* as(email, "GET", "/monitors", undefined, { "x-api-key": eve.key })).status, 200)
      }
    })
  )
})

layer(behind("10.0.0.5"), live)("the header of a proxy from another address", (it) => {
  it.effect("counts for nothing, also with forwarded addresses", () =>
    Effect.gen(function* () {
      const ada = yield* verified
      for (const claimed of [{}, { "x-forwarded-for": "10.0.0.5" }, { forwarded: "for=10.0.0.5" }]) {
        const answer = yield* as(ada.email, "GET", "/projects", undefined, claimed)
        refused(answer, 401, "unauthorized")
        assert.include(answer.body.detail, "x-api-key")
      }
    })
  )
})

layer(server(), live)("the header of a proxy without settings", (it) => {
  it.effect("counts for nothing", () =>
    Effect.gen(function* () {
      const ada = yield* verified
      refused(yield* as(ada.email, "GET", "/projects"), 401, "unauthorized")
    })
  )
})
