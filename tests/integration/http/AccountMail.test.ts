/** The mails of accounts as they arrive, and as they are printed where no mail is set up. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { linkIn, linkTo, mailTo, Mails, printedFor, withConsole, withMail } from "./Mailbox.ts"
import { call, cookieOf, password } from "./Server.ts"

const live = { excludeTestServices: true } as const

const signUp = (email: string, headers: Readonly<Record<string, string>> = {}) =>
  call("POST", "/auth/sign-up/email", { name: "Ada", email, password }, headers)

layer(withMail(), live)("a mail of an account", (it) => {
  it.effect.each([
    ["de-CH,de;q=0.9,en;q=0.5", "Bestätigen Sie Ihre E-Mail-Adresse", "de"],
    ["ja", "メールアドレスの確認をお願いします", "ja"],
    ["fr", "Verify your e-mail address", "en"]
  ] as const)("is written as text and HTML for a browser that accepts %s", ([accepts, subject, language]) =>
    Effect.gen(function* () {
      const email = `${language}@example.org`
      yield* signUp(email, { "accept-language": accepts })
      const { parsed } = yield* mailTo(email)
      assert.strictEqual(parsed.subject, subject)
      assert.include(String(parsed.html), `<html lang="${language}">`)
      assert.include(String(parsed.html), linkIn(parsed.text!).href.replaceAll("&", "&amp;"))
    })
  )
})

layer(withConsole(), live)("a mail without a mail server", (it) => {
  it.effect("is printed on the console with its link, which works", () =>
    Effect.gen(function* () {
      const email = "lone@example.org"
      const cookie = cookieOf(yield* signUp(email))
      const printed = yield* printedFor(email)
      assert.include(printed, "SMTP_URL")
      const link = linkIn(printed)
      const body = { email, token: link.searchParams.get("token"), password }
      const verified = yield* call("POST", link.pathname.replace("/api/v1", ""), body)
      assert.deepStrictEqual([verified.status, verified.body], [200, { status: true }])
      const session = yield* call("GET", "/auth/get-session", undefined, { cookie })
      assert.isTrue(session.body.user.emailVerified)
    })
  )

  it.effect("is printed again when it is asked for, but not without end", () =>
    Effect.gen(function* () {
      const cookie = cookieOf(yield* signUp("eager@example.org"))
      yield* printedFor("eager@example.org")
      const send = call("POST", "/auth/send-verification-email", {}, { cookie })
      const answers = yield* Effect.replicateEffect(send, 3)
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 200, 429]
      )
    })
  )
})

layer(withMail({ trustedProxy: true }), live)("sign-ups of strangers", (it) => {
  it.effect("with variants of an address stop neither the owner's link nor what the owner is told", () =>
    Effect.gen(function* () {
      const from = (index: number) => ({ "x-forwarded-for": `203.0.113.${index}` })
      const email = "grace@example.org"
      yield* signUp(email, from(1))
      const body = { email, token: (yield* linkTo(email)).searchParams.get("token"), password }
      yield* call("POST", "/auth/verify-email", body, from(1))
      for (let index = 0; index < 8; index++) yield* signUp(`grace+${index}@example.org`, from(2))
      yield* call("POST", "/auth/request-password-reset", { email }, from(1))
      const token = (yield* linkTo(email, { subject: /reset/i })).searchParams.get("token")
      yield* call("POST", "/auth/reset-password", { token, newPassword: "another good password" }, from(1))
      yield* mailTo(email, { subject: /password was changed/ })
      const all = (yield* Mails).mails().map(({ envelope }) => String(envelope.to[0]))
      assert.isAtMost(all.filter((address) => address.startsWith("grace+")).length, 3)
    })
  )
})
