/** Who becomes the administrator of a new installation: the operator, at the machine or with the code that the server prints. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { call, layer as server, password, refused } from "./Server.ts"

const live = { excludeTestServices: true } as const
const setupCode = "BCDE fgh2-JKM3"

const signUp = (email: string, more: object = {}, headers: Readonly<Record<string, string>> = {}) =>
  call("POST", "/auth/sign-up/email", { name: "Somebody", email, password, ...more }, headers)
const first = Effect.map(call("GET", "/auth/methods"), ({ body }) => body.firstAccount)
const administrators = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`SELECT email FROM users WHERE is_admin`).map(({ email }) => email)
})

layer(server(), live)("the first account of an installation with a public address", (it) => {
  it.effect("becomes the administrator with the code alone, which works once", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* first, { needsCode: true })
      refused(yield* signUp("eve@example.org", { setupCode: "bcde-fgh2-jkm4" }), 422, "validation_failed", "setupCode")
      assert.deepStrictEqual(yield* first, { needsCode: true })
      assert.strictEqual((yield* signUp("ada@example.org", { setupCode })).status, 200)
      assert.deepStrictEqual(yield* administrators, ["ada@example.org"])
      assert.isNull(yield* first)
      assert.strictEqual((yield* signUp("bob@example.org", { setupCode })).status, 200)
      assert.deepStrictEqual(yield* administrators, ["ada@example.org"])
    })
  )
})

layer(server(), live)("a first account without the code", (it) => {
  it.effect("is an ordinary one", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* signUp("ada@example.org")).status, 200)
      assert.strictEqual((yield* signUp("bob@example.org", { setupCode })).status, 200)
      assert.deepStrictEqual(yield* administrators, [])
    })
  )
})

const local = "http://localhost:3000"
const origin = { origin: local }

layer(server({ baseUrl: local }), live)("the first account at the machine itself", (it) => {
  it.effect("becomes the administrator", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* first, { needsCode: false })
      assert.strictEqual((yield* signUp("ada@example.org", {}, origin)).status, 200)
      assert.strictEqual((yield* signUp("bob@example.org", {}, origin)).status, 200)
      assert.deepStrictEqual(yield* administrators, ["ada@example.org"])
    })
  )
})

layer(server({ baseUrl: local }), live)("the first account behind a proxy on the machine", (it) => {
  it.effect("is an ordinary one", () =>
    Effect.gen(function* () {
      const forwarded = { ...origin, "x-forwarded-for": "203.0.113.9" }
      assert.strictEqual((yield* signUp("eve@example.org", {}, forwarded)).status, 200)
      assert.deepStrictEqual(yield* administrators, [])
    })
  )
})

layer(server({ limits: { signIns: 4 }, trustedProxy: true }), live)("guessing the setup code", (it) => {
  it.effect("is bounded for a network, also for tries at the same time", () =>
    Effect.gen(function* () {
      let people = 0
      const guess = (from: string) =>
        Effect.map(
          signUp(`eve${++people}@example.org`, { setupCode: "bcde-fgh2-jkm4" }, { "x-forwarded-for": from }),
          ({ status }) => status
        )
      const judged = (statuses: ReadonlyArray<number>) => statuses.filter((status) => status === 422).length
      const oneByOne = yield* Effect.forEach(Array.from({ length: 120 }), () => guess("203.0.113.1"))
      const bound = judged(oneByOne)
      assert.isBelow(bound, oneByOne.length)
      assert.includeMembers(oneByOne, [429])
      const atOnce = yield* Effect.all(
        Array.from({ length: 120 }, () => guess("198.51.100.1")),
        { concurrency: "unbounded" }
      )
      assert.sameMembers([...new Set(atOnce)], [422, 429])
      assert.isAtMost(judged(atOnce), bound)
      assert.deepStrictEqual(yield* administrators, [])
      assert.deepStrictEqual(yield* first, { needsCode: true })
    })
  )
})
