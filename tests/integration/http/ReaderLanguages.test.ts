/** Codes and tests are in the language of the person who gets them. */
import { assert, layer } from "@effect/vitest"
import { eventually } from "@kanmon/testkit/Eventually"
import { Effect } from "effect"
import { Inbox, withInbox } from "./Inbox.ts"
import { ok } from "./EscalationStage.ts"
import { person } from "./Server.ts"
import { confirmMethod } from "./Team.ts"

const live = { excludeTestServices: true } as const
let numbers = 0

const reader = Effect.fnUntraced(function* (locale: string) {
  const ada = yield* person
  ok(yield* ada.withSession("POST", "/auth/update-user", { locale }))
  const number = `+49151123456${String(++numbers).padStart(2, "0")}`
  const texts = Effect.map(Inbox, ({ phone }) =>
    phone().flatMap(({ Body, To, Twiml }) => (To === number ? [Body ?? Twiml ?? ""] : []))
  )
  return { ada, number, text: Effect.map(texts, (all) => all.at(-1)) }
})

const languages = [
  ["de", /Ihr Bestätigungscode für Kanmon lautet \d{6}\./, /Dies ist ein Test von kanmon\.example/],
  ["ja", /Kanmon の確認コードは \d{6} です/, /これは kanmon\.example からのテストです/],
  ["en", /Your Kanmon confirmation code is \d{6}\./, /This is a test from kanmon\.example/]
] as const

layer(withInbox({ recipients: { confirm: true } }, "+4915150000006"), live)("a message to a person who reads", (it) => {
  it.effect.each(languages)(
    "%s asks to confirm a contact method, and tests it, in that language",
    ([locale, code, test]) =>
      Effect.gen(function* () {
        const { ada, number, text } = yield* reader(locale)
        const body = { name: "Pocket", type: "sms", config: { phoneNumber: number } }
        const made = ok(yield* ada.withSession("POST", "/account/contact-methods", body), 201)
        assert.match((yield* text)!, code)
        yield* confirmMethod(made.id)
        ok(yield* ada.withSession("POST", `/account/contact-methods/${made.id}/test`))
        assert.match((yield* text)!, test)
      })
  )

  it.effect("German is read aloud by a German voice, digit by digit", () =>
    Effect.gen(function* () {
      const { ada, number, text } = yield* reader("de")
      const body = { name: "Pocket", type: "phone", config: { phoneNumber: number } }
      ok(yield* ada.withSession("POST", "/account/contact-methods", body), 201)
      assert.match((yield* text)!, /<Say language="de-DE">Ihr Bestätigungscode für Kanmon lautet (\d, ){5}\d\./)
    })
  )

  it.effect("German asks the receiver of a channel in German, unless the receiver's own account has a language", () =>
    Effect.gen(function* () {
      const { ada } = yield* reader("de")
      const { ada: ben } = yield* reader("ja")
      const invite = Effect.fnUntraced(function* (address: string) {
        const channel = { name: "Mail", type: "email", config: { address } }
        ok(yield* ada.withSession("POST", "/notification-channels", channel, { "kanmon-project": ada.projectId }), 201)
        const { mail } = yield* Inbox
        const found = Effect.sync(() =>
          mail.mails().findLast(({ envelope, parsed }) => envelope.to[0] === address && /\d{6}/.test(parsed.text ?? ""))
        )
        return (yield* eventually(found, (one) => one !== undefined))!.parsed
      })
      const german = yield* invite("stranger@example.com")
      assert.strictEqual(german.subject, "Bestätigen Sie, dass Sie Benachrichtigungen möchten")
      assert.include(german.text!, "Oder geben Sie diesen Code")
      const japanese = yield* invite(ben.email)
      assert.strictEqual(japanese.subject, "監視の通知を受け取るかどうかの確認")
    })
  )
})
