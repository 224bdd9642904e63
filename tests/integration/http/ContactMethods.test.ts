/** How people are reached: contact methods are confirmed, limited, told to the account, and nobody else's business. */
import { assert, layer } from "@effect/vitest"
import { eventually } from "@kanmon/testkit/Eventually"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { telegram } from "../../support/OnCallBodies.ts"
import { codeIn, Inbox, withInbox, wrong } from "./Inbox.ts"
import { call, type Options, person, refused } from "./Server.ts"
import { join, organizationOf, verify } from "./Team.ts"

const live = { excludeTestServices: true } as const

const stage = (recipients: Options["recipients"] = {}) => withInbox({ recipients }, "+4915150000006")

const path = "/account/contact-methods"
const sms = (phoneNumber: string) => ({ name: "Pocket", type: "sms", config: { phoneNumber } })

const textsTo = (number: string) =>
  Effect.map(Inbox, ({ phone }) => phone().flatMap((form) => (form["To"] === number ? (form["Body"] ?? "") : [])))
const codeTo = (number: string) => Effect.map(textsTo(number), (texts) => codeIn(texts.at(-1)))

const mailsTo = (address: string, subject: RegExp) =>
  Effect.map(Inbox, ({ mail }) =>
    mail.mails().filter(({ envelope, parsed }) => envelope.to[0] === address && subject.test(parsed.subject ?? ""))
  )
const told = (address: string, subject: RegExp) =>
  eventually(
    Effect.flatMap(mailsTo(address, subject), ([mail]) =>
      mail === undefined ? Effect.fail("no such mail") : Effect.succeed(mail)
    )
  )

layer(stage(), { ...live, timeout: "2 minutes" })("a contact method", (it) => {
  it.effect("gets only a code before it is confirmed, again after a change, and the account is told of each", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const made = yield* ada.withSession("POST", path, sms("+4915111111101"))
      assert.strictEqual(made.status, 201, JSON.stringify(made.body))
      assert.deepInclude(made.body, { confirmedAt: null, isAccount: false, lastDelivery: null, disabledReason: null })
      assert.notProperty(made.body, "destination")
      yield* told(ada.email, /contact method was added/)
      const own = `${path}/${made.body.id}`
      refused(yield* ada.withSession("POST", `${own}/test`), 409, "conflict")
      const code = yield* codeTo("+4915111111101")
      refused(yield* ada.withSession("POST", `${own}/confirm`, { code: wrong(code) }), 422, "validation_failed", "code")
      const confirmed = yield* ada.withSession("POST", `${own}/confirm`, { code })
      assert.match(confirmed.body.confirmedAt, /^\d{4}-/)
      assert.strictEqual((yield* ada.withSession("POST", `${own}/test`)).status, 200)
      assert.match((yield* textsTo("+4915111111101")).at(-1)!, /This is a test/)

      assert.match((yield* ada.withSession("PATCH", own, { name: "Other" })).body.confirmedAt, /^\d{4}-/)
      const moved = yield* ada.withSession("PATCH", own, { config: { phoneNumber: "+4915111111102" } })
      assert.deepInclude(moved.body, { name: "Other", confirmedAt: null })
      yield* told(ada.email, /contact method was changed/)
      refused(yield* ada.withSession("POST", `${own}/confirm`, { code }), 422, "validation_failed", "code")
      const again = yield* codeTo("+4915111111102")
      assert.strictEqual((yield* ada.withSession("POST", `${own}/confirm`, { code: again })).status, 200)
      const [entry] = (yield* ada.withSession("GET", "/audit-log/account")).body
      assert.strictEqual(entry.action, "account.contact_method_confirmed")
      assert.notInclude(JSON.stringify(entry), "491511")

      assert.strictEqual((yield* ada.withSession("DELETE", own)).status, 200)
      yield* told(ada.email, /contact method was deleted/)
      refused(yield* ada.withSession("POST", `${own}/confirm`, { code: again }), 404, "not_found")
    })
  )

  it.effect("is the e-mail address of the account, always, and as soon as it is verified", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE users SET email_verified = false WHERE id = ${ada.userId}`
      const [method, ...others] = (yield* ada.withSession("GET", path)).body
      assert.deepStrictEqual(others, [])
      assert.deepInclude(method, { isAccount: true, type: "email", config: { address: ada.email }, confirmedAt: null })
      refused(yield* ada.withSession("POST", `${path}/${method.id}/test`), 409, "conflict")
      refused(yield* ada.withSession("DELETE", `${path}/${method.id}`), 409, "conflict")
      refused(yield* ada.withSession("PATCH", `${path}/${method.id}`, { name: "Mine" }), 409, "conflict")
      refused(yield* ada.withSession("POST", `${path}/${method.id}/confirm`, { code: "123456" }), 409, "conflict")
      yield* verify(ada)
      const [verified] = (yield* ada.withSession("GET", path)).body
      assert.strictEqual(verified.id, method.id)
      assert.isNotNull(verified.confirmedAt)
      assert.strictEqual((yield* ada.withSession("POST", `${path}/${method.id}/test`)).status, 200)
      assert.lengthOf(yield* mailsTo(ada.email, /Test of a contact method/), 1)
    })
  )

  it.effect("belongs to one person: others in the organization, and keys, never see it", () =>
    Effect.gen(function* () {
      const ada = yield* person
      yield* verify(ada)
      const bob = yield* join(ada, "admin")
      const made = yield* ada.withSession("POST", path, sms("+4915111111103"))
      const own = `${path}/${made.body.id}`
      const code = yield* codeTo("+4915111111103")
      for (const [method, address, body] of [
        ["PATCH", own, { name: "Mine" }],
        ["DELETE", own, undefined],
        ["POST", `${own}/confirm`, { code }],
        ["POST", `${own}/confirmation`, undefined],
        ["POST", `${own}/test`, undefined]
      ] as const)
        refused(yield* bob.withSession(method, address, body), 404, "not_found")
      assert.notInclude(JSON.stringify((yield* bob.withSession("GET", path)).body), made.body.id)
      assert.strictEqual((yield* ada.withKey("GET", path)).status, 403)
      assert.strictEqual((yield* call("GET", path)).status, 401)
      const organization = `/organizations/${yield* organizationOf(ada)}`
      for (const place of [`${organization}/audit-log`, `${organization}/members`, "/audit-log/account"])
        assert.notInclude(JSON.stringify((yield* bob.withSession("GET", place)).body), "4915111111103", place)
      const copy = JSON.stringify((yield* ada.withSession("GET", "/account/export")).body.onCall.contactMethods)
      assert.include(copy, "Pocket")
      assert.notInclude(copy, "config_encrypted")
    })
  )

  it.effect("takes what its plugin takes, of one person, with secrets that are never shown", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const post = (body: object) => ada.withSession("POST", path, body)
      refused(yield* post({ name: "Hook", type: "slack", config: {} }), 422, "validation_failed", "type")
      refused(yield* post({ ...telegram, config: { chatId: "1" } }), 422, "validation_failed", "config.botToken")
      refused(yield* post({ ...telegram, key: "mine" }), 422, "validation_failed", "key")
      const two = { address: "a@example.test", additionalAddresses: ["b@example.test"] }
      const several = yield* post({ name: "Us", type: "email", config: two })
      refused(several, 422, "validation_failed", "config.additionalAddresses")
      const made = yield* post(telegram)
      assert.strictEqual(made.status, 201, JSON.stringify(made.body))
      assert.notInclude(JSON.stringify(made.body), telegram.config.botToken)
      const kept = yield* ada.withSession("PATCH", `${path}/${made.body.id}`, {
        name: "Talk",
        config: made.body.config
      })
      assert.strictEqual(kept.status, 200, JSON.stringify(kept.body))
      const sql = yield* SqlClient.SqlClient
      const stored = yield* sql`SELECT * FROM contact_methods WHERE user_id = ${ada.userId}`
      assert.notInclude(JSON.stringify(stored), telegram.config.chatId)
    })
  )

  it.effect("is refused on numbers of other countries than that of the sender, and on costly ones", () =>
    Effect.gen(function* () {
      const ada = yield* person
      for (const number of ["+14155550123", "+881612345678", "+4990012345678"]) {
        const answer = yield* ada.withSession("POST", path, sms(number))
        refused(answer, 422, "validation_failed", "config.phoneNumber")
        assert.include(JSON.stringify(answer.body), "KANMON_PHONE_COUNTRIES", number)
        assert.deepStrictEqual(yield* textsTo(number), [])
      }
    })
  )

  it.effect("gets three codes and tests a day, the account ten in all", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const made = yield* ada.withSession("POST", path, sms("+4915111111104"))
      const again = ada.withSession("POST", `${path}/${made.body.id}/confirmation`)
      assert.strictEqual((yield* again).status, 200)
      assert.strictEqual((yield* again).status, 200)
      const fourth = yield* again
      refused(fourth, 429, "rate_limited")
      assert.lengthOf(yield* textsTo("+4915111111104"), 3)
      // A change of the name of the number does not help, nor does a method for it of its own.
      const second = yield* ada.withSession("POST", path, sms("+4915111111104"))
      assert.include(second.body.lastDelivery.detail, "3 codes and tests a day")
      for (let index = 0; index < 7; index++)
        assert.isNull((yield* ada.withSession("POST", path, sms(`+49151111112${index}0`))).body.lastDelivery)
      const last = yield* ada.withSession("POST", path, sms("+4915111111290"))
      assert.include(last.body.lastDelivery.detail, "10 codes and tests a day")
    })
  )

  it.effect("answers alike whether or not others have entered the number", () =>
    Effect.gen(function* () {
      const number = "+4915111111105"
      const [ada, bob] = [yield* person, yield* person]
      const first = yield* ada.withSession("POST", path, sms(number))
      for (let more = 0; more < 2; more++) yield* ada.withSession("POST", `${path}/${first.body.id}/confirmation`)
      assert.lengthOf(yield* textsTo(number), 3)
      const known = yield* bob.withSession("POST", path, sms(number))
      const fresh = yield* bob.withSession("POST", path, sms("+4915111111106"))
      const alike = ({ body, status }: typeof known) => {
        const { config: _, createdAt: __, id: ___, updatedAt: ____, ...rest } = body
        return [status, rest]
      }
      assert.deepStrictEqual(alike(known), alike(fresh))
      assert.lengthOf(yield* textsTo(number), 3)
      assert.lengthOf(yield* textsTo("+4915111111106"), 1)
    })
  )

  it.effect("takes five guesses of a code, also at once", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const made = yield* ada.withSession("POST", path, sms("+4915111111107"))
      const code = yield* codeTo("+4915111111107")
      const confirm = (guess: string) => ada.withSession("POST", `${path}/${made.body.id}/confirm`, { code: guess })
      yield* Effect.all(
        Array.from({ length: 5 }, () => confirm(wrong(code))),
        { concurrency: 5 }
      )
      refused(yield* confirm(code), 409, "conflict")
    })
  )
})

layer(stage({ personPrefixes: ["+43"] }), live)("contact methods within KANMON_PHONE_COUNTRIES", (it) => {
  it.effect("have numbers of the countries that the operator names", () =>
    Effect.gen(function* () {
      const ada = yield* person
      refused(
        yield* ada.withSession("POST", path, sms("+4915111111108")),
        422,
        "validation_failed",
        "config.phoneNumber"
      )
      assert.strictEqual((yield* ada.withSession("POST", path, sms("+436641234567"))).status, 201)
    })
  )
})
