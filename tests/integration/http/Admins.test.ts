/** Administrators are named by the operator and have verified addresses. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { linkTo, withMail } from "./Mailbox.ts"
import { call, cookieOf, layer as server, password, refused } from "./Server.ts"

const live = { excludeTestServices: true } as const

const plan = { name: "Mine", monitors: 10, checkInterval: 60, regions: 1, price: 0 }

const signUp = (email: string, chosen = password) =>
  Effect.map(call("POST", "/auth/sign-up/email", { name: "Somebody", email, password: chosen }), cookieOf)

const makesPlans = (cookie: string) => call("POST", "/billing/plans", plan, { cookie })

layer(server({ adminEmails: ["boss@example.org"] }), live)("an address of KANMON_ADMIN_EMAILS, without mail", (it) => {
  it.effect("gives no rights at sign-up, and explains how to get them", () =>
    Effect.gen(function* () {
      const cookie = yield* signUp("BOSS@example.org")
      const answer = yield* makesPlans(cookie)
      refused(answer, 403, "forbidden")
      assert.include(answer.body.detail, "kanmon admin grant")
    })
  )

  it.effect.each(["\u212Aanmon@example.org", "b\u00F6ss@example.org", "boss@example.org\u200B", " boss@example.org"])(
    "has no twin that looks or folds like it (%j)",
    (email) =>
      Effect.gen(function* () {
        refused(
          yield* call("POST", "/auth/sign-up/email", { name: "Eve", email, password }),
          422,
          "validation_failed",
          "email"
        )
      })
  )
})

const form = { "content-type": "application/x-www-form-urlencoded", accept: "text/html" }

const emails = ["boss@example.org", "chief@example.org", "head@example.org"]

layer(withMail({ adminEmails: emails }), live)("an address of KANMON_ADMIN_EMAILS, with mail", (it) => {
  const at = (link: URL) => link.pathname.replace("/api/v1", "")
  const token = (link: URL) => link.searchParams.get("token")!

  it.effect("gives rights after the link and the account's password", () =>
    Effect.gen(function* () {
      const email = "boss@example.org"
      const cookie = yield* signUp(email)
      refused(yield* makesPlans(cookie), 403, "forbidden")
      const link = yield* linkTo(email)
      const shown = yield* call("GET", `${at(link)}${link.search}`, undefined, { accept: "text/html" })
      assert.strictEqual(shown.status, 200)
      assert.include(shown.headers.get("content-security-policy")!, "form-action 'self'")
      assert.strictEqual(shown.headers.get("referrer-policy"), "same-origin")
      refused(yield* makesPlans(cookie), 403, "forbidden")

      const fields = (tried: string) => new URLSearchParams({ email, token: token(link), password: tried }).toString()
      const wrong = yield* call("POST", at(link), fields("not this one"), form)
      assert.deepStrictEqual([wrong.status, wrong.headers.get("content-type")], [401, "text/html; charset=utf-8"])
      refused(yield* makesPlans(cookie), 403, "forbidden")
      const right = yield* call("POST", at(link), fields(password), form)
      assert.strictEqual(right.status, 200, right.body)
      assert.strictEqual((yield* makesPlans(cookie)).status, 201)
      const session = yield* call("GET", "/auth/get-session", undefined, { cookie })
      assert.isTrue(session.body.user.emailVerified)
      refused(yield* call("POST", "/auth/send-verification-email", {}, { cookie }), 409, "conflict")
    })
  )

  it.effect("gives no rights to a stranger's account if the owner of the address follows the link", () =>
    Effect.gen(function* () {
      const email = "chief@example.org"
      const cookie = yield* signUp(email, "the stranger's own password")
      const link = yield* linkTo(email)
      const body = { email, token: token(link), password: "the owner's password elsewhere" }
      refused(yield* call("POST", at(link), body), 401, "unauthorized")
      refused(yield* makesPlans(cookie), 403, "forbidden")
    })
  )

  it.effect("refuses a link that is forged, another account's, or points elsewhere", () =>
    Effect.gen(function* () {
      const email = "head@example.org"
      const cookie = yield* signUp(email)
      const own = yield* linkTo(email)
      yield* signUp("eve@example.org")
      const other = yield* linkTo("eve@example.org")
      const forged = `${token(own).split(".").slice(0, 2).join(".")}.AAAA`
      for (const tried of [token(other), forged, "x", ""])
        refused(yield* call("POST", at(own), { email, token: tried, password }), 422, "validation_failed", "token")
      const away = { email, token: token(own), password, callbackURL: "https://evil.example" }
      refused(yield* call("POST", at(own), away), 422, "validation_failed", "callbackURL")
      assert.include((yield* call("GET", `${at(own)}?token=${forged}`)).body, "This link is not valid")
      const led = yield* call("GET", `${at(own)}${own.search}&callbackURL=https://evil.example`)
      assert.deepStrictEqual([led.status, led.headers.get("location")], [200, null])
      refused(yield* makesPlans(cookie), 403, "forbidden")
    })
  )

  it.effect("receives at most three e-mails in a row", () =>
    Effect.gen(function* () {
      const cookie = yield* signUp("eager@example.org")
      yield* linkTo("eager@example.org")
      const send = call("POST", "/auth/send-verification-email", {}, { cookie })
      const answers = yield* Effect.replicateEffect(send, 4)
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 200, 429, 429]
      )
      assert.isAbove(Number(answers[3]!.headers.get("retry-after")), 60)
      refused(yield* call("POST", "/auth/send-verification-email", {}), 401, "unauthorized")
    })
  )

  it.effect("slows down password guesses behind a link", () =>
    Effect.gen(function* () {
      const email = "slow@example.org"
      yield* signUp(email)
      const link = yield* linkTo(email)
      const tried = call("POST", at(link), { email, token: token(link), password: "not this one" })
      const answers = yield* Effect.replicateEffect(tried, 8)
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [...Array(6).fill(401), 429, 429]
      )
    })
  )
})
