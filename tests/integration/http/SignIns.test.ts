/** Guessing passwords: every account slows guesses down by itself, wherever they come from. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, layer as server, password, person, refused } from "./Server.ts"

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
})
