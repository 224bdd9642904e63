/** Device authorization: programs sign in when a person approves it in the browser, and nobody else gets their tokens. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { call, Logs, layer as server, person, publicUrl, refused } from "./Server.ts"
import { shared } from "./SharedServer.ts"

const live = { excludeTestServices: true } as const
const grant_type = "urn:ietf:params:oauth:grant-type:device_code"
const client_id = "kanmon-cli"

const begin = Effect.map(
  call(
    "POST",
    "/auth/device/code",
    { client_id, device_name: "kanmon on ada-laptop" },
    { "user-agent": "kanmon-cli/1" }
  ),
  ({ body }) => body as { readonly device_code: string; readonly user_code: string; readonly interval: number }
)
const poll = (device_code: string, client = client_id) =>
  call("POST", "/auth/device/token", { grant_type, client_id: client, device_code })
const answer = (what: "approve" | "deny", userCode: string, cookie: string, origin = publicUrl) =>
  call("POST", `/auth/device/${what}`, { userCode }, { cookie, origin })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const signIn = (cookie: string) =>
  Effect.gen(function* () {
    const { device_code, user_code } = yield* begin
    yield* answer("approve", user_code, cookie)
    return String((yield* poll(device_code)).body.access_token)
  })

layer(shared, live)("device authorization", (it) => {
  it.effect("signs a program in once a person has approved, and only once", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const begun = yield* call("POST", "/auth/device/code", { client_id, device_name: "laptop" })
      assert.strictEqual(begun.status, 200)
      assert.strictEqual(begun.headers.get("cache-control"), "no-store")
      const { device_code, user_code } = begun.body
      assert.deepInclude(begun.body, {
        verification_uri: `${publicUrl}/device`,
        verification_uri_complete: `${publicUrl}/device?user_code=${user_code}`,
        expires_in: 600,
        interval: 5
      })

      const early = yield* poll(device_code)
      refused(early, 400, "authorization_pending")
      assert.strictEqual(early.body.error, "authorization_pending")
      const tooSoon = yield* poll(device_code)
      refused(tooSoon, 400, "slow_down")
      assert.include(tooSoon.body.detail, "10 seconds")

      const shown = yield* call("GET", `/auth/device?user_code=${user_code.toLowerCase()}`, undefined, {
        cookie: ada.cookie
      })
      assert.deepInclude(shown.body, {
        userCode: user_code,
        clientId: client_id,
        name: "laptop",
        ipAddress: "127.0.0.1"
      })
      assert.deepStrictEqual((yield* answer("approve", user_code, ada.cookie)).body, { status: "approved" })
      refused(yield* answer("approve", user_code, ada.cookie), 404, "not_found")
      refused(yield* answer("deny", user_code, ada.cookie), 404, "not_found")

      // Of several that ask at the same time one gets the token.
      const all = yield* Effect.all(
        Array.from({ length: 5 }, () => poll(device_code)),
        { concurrency: 5 }
      )
      const tokens = all.filter(({ status }) => status === 200)
      assert.lengthOf(tokens, 1)
      for (const late of all.filter(({ status }) => status !== 200)) refused(late, 400, "invalid_grant")
      const { access_token, expires_in, token_type } = tokens[0]!.body
      assert.match(access_token, /^kmu_[0-9A-Za-z]{43}$/)
      assert.deepStrictEqual([token_type, expires_in], ["Bearer", 90 * 86_400])

      // It is a session of the account, by its name, and can be ended there.
      const program = bearer(access_token)
      const who = yield* call("GET", "/auth/get-session", undefined, program)
      assert.deepInclude(who.body.user, { email: ada.email })
      assert.notInclude(JSON.stringify(who.body), "token")
      assert.strictEqual((yield* call("GET", "/projects", undefined, program)).body[0].id, ada.projectId)
      const { body: sessions } = yield* call("GET", "/account/sessions", undefined, program)
      assert.deepStrictEqual(
        sessions.map(({ current, name }: any) => ({ current, name })),
        [
          { current: true, name: "laptop" },
          { current: false, name: null }
        ]
      )
      assert.strictEqual((yield* ada.withSession("DELETE", `/account/sessions/${sessions[0].id}`)).status, 200)
      const ended = yield* call("GET", "/projects", undefined, program)
      refused(ended, 401, "unauthorized")
      assert.include(ended.body.detail, "sign in again")
    })
  )

  it.effect("takes no name that reads otherwise than it is written", () =>
    Effect.gen(function* () {
      const odd = { client_id: "kanmon\u202Eilc", device_name: "ada\u2066laptop" }
      const answer = yield* call("POST", "/auth/device/code", odd)
      refused(answer, 422, "validation_failed", "client_id", "device_name")
    })
  )

  it.effect("takes forms, as OAuth clients send them", () =>
    Effect.gen(function* () {
      const form = { "content-type": "application/x-www-form-urlencoded" }
      const begun = yield* call("POST", "/auth/device/code", "client_id=other-client&scope=", form)
      assert.strictEqual(begun.status, 200, JSON.stringify(begun.body))
      const asked = `grant_type=${encodeURIComponent(grant_type)}&client_id=other-client&device_code=${begun.body.device_code}`
      refused(yield* call("POST", "/auth/device/token", asked, form), 400, "authorization_pending")
    })
  )

  it.effect("tells a program that it was refused, and that it is too late", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const sql = yield* SqlClient.SqlClient
      const denied = yield* begin
      assert.deepStrictEqual((yield* answer("deny", denied.user_code, ada.cookie)).body, { status: "denied" })
      refused(yield* poll(denied.device_code), 400, "access_denied")
      const late = yield* begin
      yield* answer("approve", late.user_code, ada.cookie)
      yield* sql`UPDATE device_codes SET expires_at = now() - interval '1 second' WHERE status = 'approved'`
      refused(yield* poll(late.device_code), 400, "expired_token")
      refused(yield* poll("made-up"), 400, "invalid_grant")
      const begun = yield* begin
      yield* answer("approve", begun.user_code, ada.cookie)
      refused(yield* poll(begun.device_code, "another-client"), 400, "invalid_grant")
      assert.strictEqual((yield* poll(begun.device_code)).status, 200, "the right client still gets it")
    })
  )

  it.effect("asks for a browser's session from here before anything is shown or approved", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const token = yield* signIn(ada.cookie)
      const { device_code, user_code } = yield* begin
      const asks = [
        ["GET", `/auth/device?user_code=${user_code}`, undefined],
        ["POST", "/auth/device/approve", { userCode: user_code }],
        ["POST", "/auth/device/deny", { userCode: user_code }]
      ] as const
      for (const [method, route, body] of asks) {
        refused(yield* call(method, route, body), 401, "unauthorized")
        refused(yield* call(method, route, body, bearer(token)), 401, "unauthorized")
        refused(yield* call(method, route, body, { "x-api-key": ada.key }), 401, "unauthorized")
      }
      refused(yield* answer("approve", user_code, ada.cookie, "https://evil.example"), 403, "forbidden")
      refused(yield* poll(device_code), 400, "authorization_pending")
    })
  )

  it.effect("checks no origin where no cookie is, and counts no cookie beside a token", () =>
    Effect.gen(function* () {
      const [ada, ben] = [yield* person, yield* person]
      const token = yield* signIn(ada.cookie)
      const elsewhere = { origin: "https://elsewhere.example" }
      refused(yield* ada.withSession("POST", "/projects", { name: "x" }, elsewhere), 403, "forbidden")
      const made = yield* call("POST", "/projects", { name: "By a program" }, { ...bearer(token), ...elsewhere })
      assert.strictEqual(made.status, 201)
      const both = yield* call("GET", "/projects", undefined, { ...bearer(token), cookie: ben.cookie })
      assert.include(JSON.stringify(both.body), ada.projectId)
      const wrong = { ...bearer(`kmu_${"0".repeat(43)}`), cookie: ben.cookie }
      refused(yield* call("GET", "/projects", undefined, wrong), 401, "unauthorized")
      for (const odd of ["kmu_", "kmu_short", `kmu_${"a".repeat(44)}`, "kmu_' OR 1=1"])
        refused(yield* call("GET", "/projects", undefined, bearer(odd)), 401, "unauthorized")
    })
  )

  it.effect("keeps no code and no token", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const sql = yield* SqlClient.SqlClient
      const { device_code, user_code } = yield* begin
      const rows = JSON.stringify(yield* sql`SELECT * FROM device_codes`)
      assert.notInclude(rows, device_code)
      assert.notInclude(rows, user_code)
      assert.notInclude(rows, user_code.replace("-", ""))
      const token = yield* signIn(ada.cookie)
      const sessions = yield* sql`SELECT * FROM sessions`
      assert.notInclude(JSON.stringify(sessions), token)
      // What is stored signs nobody in, neither as a token nor as a cookie.
      for (const { token: stored } of sessions as ReadonlyArray<any>) {
        refused(yield* call("GET", "/projects", undefined, bearer(stored)), 401, "unauthorized")
        const cookie = `kanmon.session_token=${encodeURIComponent(`${stored}.AAAA`)}`
        refused(yield* call("GET", "/projects", undefined, { cookie }), 401, "unauthorized")
      }
      assert.notInclude(JSON.stringify(yield* Logs), token)
    })
  )

  it.effect("ends the program's session when it signs out, and only that", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const [one, other] = [yield* signIn(ada.cookie), yield* signIn(ada.cookie)]
      const out = yield* call("POST", "/auth/sign-out", undefined, bearer(one))
      assert.deepStrictEqual(out.body, { success: true })
      refused(yield* call("GET", "/projects", undefined, bearer(one)), 401, "unauthorized")
      assert.isNull((yield* call("GET", "/auth/get-session", undefined, bearer(one))).body)
      assert.strictEqual((yield* call("GET", "/projects", undefined, bearer(other))).status, 200)
      assert.strictEqual((yield* ada.withSession("GET", "/projects")).status, 200)
    })
  )

  it.effect.each([
    ["no client", {}, ["client_id"]],
    ["a long name", { client_id, device_name: "x".repeat(101) }, ["device_name"]],
    ["a name with a line break", { client_id, device_name: "a\nb" }, ["device_name"]],
    ["an account by wish", { client_id, user_id: "usr_1" }, ["user_id"]]
  ] as const)("refuses a request with %s", ([, body, paths]) =>
    Effect.gen(function* () {
      refused(yield* call("POST", "/auth/device/code", body), 422, "validation_failed", ...paths)
    })
  )

  it.effect("refuses another grant", () =>
    Effect.gen(function* () {
      const { device_code } = yield* begin
      const asked = yield* call("POST", "/auth/device/token", { grant_type: "password", client_id, device_code })
      refused(asked, 422, "validation_failed", "grant_type")
    })
  )
})

layer(server({ limits: { signIns: 10 }, trustedProxy: true }), live)("guessing the codes of devices", (it) => {
  it.effect("is limited like guessing passwords", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const guesses = yield* Effect.forEach(Array.from({ length: 12 }), (_, index) =>
        call("GET", `/auth/device?user_code=BCDF-GHJ${"BCDFGHJKLMNP"[index]}`, undefined, { cookie: ada.cookie })
      )
      assert.deepStrictEqual(
        guesses.map(({ status }) => status),
        [...Array(10).fill(404), 429, 429]
      )
      assert.strictEqual((yield* answer("approve", "BCDF-GHJK", ada.cookie)).status, 404, "counted by itself")
    })
  )

  it.effect.each(["look", "approve", "deny"] as const)("is limited for tries at the same time, too: %s", (what) =>
    Effect.gen(function* () {
      const ada = yield* person
      const { user_code } = yield* begin
      const from = {
        cookie: ada.cookie,
        "x-forwarded-for": `203.0.113.${["look", "approve", "deny"].indexOf(what) + 1}`
      }
      const guess = (userCode: string) =>
        what === "look"
          ? call("GET", `/auth/device?user_code=${userCode}`, undefined, from)
          : call("POST", `/auth/device/${what}`, { userCode }, { ...from, origin: publicUrl })
      const codes = "BCDFGHJKLMNPQRSTVWXZ".split("").map((letter) => `ZZZZ-ZZZ${letter}`)
      const guesses = yield* Effect.all(codes.map(guess), { concurrency: "unbounded" })
      const statuses = guesses.map(({ status }) => status)
      assert.sameMembers([...new Set(statuses)], [404, 429])
      assert.isAtMost(statuses.filter((status) => status === 404).length, 10)
      // The right one is not looked for any more.
      refused(yield* guess(user_code), 429, "rate_limited")
    })
  )
})
