/** Failed sign-ins slow down further attempts per account, from any address. */
import { assert, layer } from "@effect/vitest"
import { SignInAttempts } from "@kanmon/identity/testing/accounts/SignInAttempts.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { call, layer as server, password, person, raw, refused } from "./Server.ts"

const live = { excludeTestServices: true } as const

layer(server({ trustedProxy: true }), live)("signing in", (it) => {
  const signIn = (email: string, from: string, tried = "not this one") =>
    call("POST", "/auth/sign-in/email", { email, password: tried }, { "x-forwarded-for": from })

  it.effect.each(["an account", "an address without one"])("slows down guesses at %s from many addresses", (which) =>
    Effect.gen(function* () {
      const email = which === "an account" ? (yield* person).email : "nobody@example.org"
      const answers = yield* Effect.forEach(
        Array.from({ length: 40 }, (_, index) => `203.0.113.${index}`),
        (from) => signIn(email, from)
      )
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [...Array(6).fill(401), ...Array(34).fill(429)]
      )
      refused(answers[39]!, 429, "rate_limited")
      assert.isAtMost(Number(answers[39]!.headers.get("retry-after")), 10)
      refused(yield* signIn(email, "203.0.113.99", password), 429, "rate_limited")
    })
  )

  it.effect("admits the owner from a network with a session while strangers guess", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const home = "2001:db8:1:2::1"
      assert.strictEqual((yield* signIn(ada.email, home, password)).status, 200)
      yield* Effect.forEach(Array.from({ length: 10 }), (_, index) => signIn(ada.email, `203.0.113.${index}`))
      refused(yield* signIn(ada.email, "203.0.113.77", password), 429, "rate_limited")
      assert.strictEqual((yield* signIn(ada.email, "2001:db8:1:2:ffff::9", password)).status, 200)
    })
  )

  it.effect("slows down guesses from such a network", () =>
    Effect.gen(function* () {
      const ada = yield* person
      yield* signIn(ada.email, "198.51.100.1", password)
      const guesses = yield* Effect.replicateEffect(signIn(ada.email, "198.51.100.1"), 7)
      assert.strictEqual(guesses[6]!.status, 429)
    })
  )

  it.effect("counts concurrent guesses", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const guesses = yield* Effect.all(
        Array.from({ length: 20 }, (_, index) => signIn(ada.email, `203.0.113.${index}`)),
        { concurrency: 20 }
      )
      assert.strictEqual(guesses.filter(({ status }) => status === 401).length, 6)
    })
  )

  it.effect("resets the count with the right password, and when the operator lifts the pause", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const from = (index: number) => `203.0.113.${index}`
      for (let round = 0; round < 3; round++) {
        const guesses = yield* Effect.forEach([1, 2, 3, 4, 5], (index) => signIn(ada.email, from(index)))
        assert.deepStrictEqual(
          guesses.map(({ status }) => status),
          Array(5).fill(401)
        )
        assert.strictEqual((yield* signIn(ada.email, from(6), password)).status, 200)
        yield* (yield* SqlClient.SqlClient)`DELETE FROM sessions`
      }
      yield* Effect.forEach([1, 2, 3, 4, 5, 6], (index) => signIn(ada.email, from(index)))
      refused(yield* signIn(ada.email, from(7), password), 429, "rate_limited")
      yield* Effect.flatMap(SignInAttempts, ({ forget }) => forget(ada.email.toUpperCase()))
      assert.strictEqual((yield* signIn(ada.email, from(7), password)).status, 200)
    })
  )

  it.effect("counts guesses for every spelling of the route", () =>
    Effect.gen(function* () {
      for (const route of ["/auth/sign-in\\email", "/auth/x/../sign-in/email", "/auth/./sign-in/email"]) {
        const ada = yield* person
        const body = JSON.stringify({ email: ada.email, password: "not this one" })
        const head = `POST /api/v1${route} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`
        const guess = raw(`${head}content-length: ${body.length}\r\n\r\n${body}`)
        const answers = yield* Effect.replicateEffect(guess, 8)
        assert.match(answers[7]!, /^HTTP\/1\.1 (404|429) /, route)
      }
    })
  )

  it.effect("stores no address in clear text", () =>
    Effect.gen(function* () {
      yield* signIn("someone@example.org", "203.0.113.200")
      const rows = yield* (yield* SqlClient.SqlClient)`SELECT * FROM sign_in_failures`
      assert.isNotEmpty(rows)
      assert.notInclude(JSON.stringify(rows), "someone")
    })
  )
})
