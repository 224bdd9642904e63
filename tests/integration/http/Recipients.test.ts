/** Recipients of channels: consent, allowed phone numbers and rate limits. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as MailWorld from "../../../plugins/notify-email/test/MailWorld.ts"
import { PaymentGateway } from "@kanmon/identity/testing/billing/PaymentGateway.ts"
import { codeIn, Inbox, withInbox, wrong } from "./Inbox.ts"
import { type ApiResponse, call, person, refused } from "./Server.ts"
import { verify } from "./Team.ts"

const live = { excludeTestServices: true } as const

const toEmail = { name: "Ops", type: "email", config: { address: MailWorld.address } }
const toPhone = (phoneNumber: string, type = "sms") => ({ name: "Pager", type, config: { phoneNumber } })

/** The mails to the recipient; whoever signs up gets one of their own, at any time. */
const mailsTo = (mail: Inbox["Service"]["mail"], address: string = MailWorld.address) =>
  mail.mails().filter(({ envelope }) => envelope.to.includes(address))

layer(withInbox({ recipients: { confirm: true } }), live)("a recipient", (it) => {
  it.effect("gets only a code before confirming", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const made = yield* ada.withKey("POST", "/notification-channels", toEmail)
      assert.strictEqual(made.status, 201, JSON.stringify(made.body))
      assert.deepInclude(made.body, { confirmation: "pending", confirmedAt: null, lastDelivery: null })
      const { mail } = yield* Inbox
      const before = mailsTo(mail).length
      const route = `/notification-channels/${made.body.id}`
      const early = yield* ada.withKey("POST", `${route}/test`)
      refused(early, 409, "conflict")
      assert.include(early.body.detail, `${route}/confirm`)
      assert.strictEqual(mailsTo(mail).length, before)

      const code = codeIn(mailsTo(mail).at(-1)!.parsed.text)
      refused(yield* ada.withKey("POST", `${route}/confirm`, { code: wrong(code) }), 422, "validation_failed", "code")
      refused(yield* ada.withKey("POST", `${route}/confirm`, { code: 5 }), 422, "validation_failed", "code")
      const confirmed = yield* ada.withKey("POST", `${route}/confirm`, { code })
      assert.strictEqual(confirmed.body.confirmation, "confirmed", JSON.stringify(confirmed.body))
      assert.match(confirmed.body.confirmedAt, /^\d{4}-/)
      const [entry] = (yield* ada.withKey("GET", "/audit-log")).body
      assert.deepInclude(entry, { action: "channel.confirmed", after: { confirmation: "confirmed" } })
      assert.deepInclude(entry.actor, { kind: "key", id: ada.projectId })
      assert.strictEqual((yield* ada.withKey("POST", `${route}/test`)).status, 200)
      assert.strictEqual((yield* ada.withKey("POST", `${route}/confirm`, { code })).status, 200)
      refused(yield* ada.withKey("POST", `${route}/confirmation`), 409, "conflict")
    })
  )

  it.effect("gets no text of a user in the code message", () =>
    Effect.gen(function* () {
      const ada = yield* person
      yield* ada.withKey("PATCH", `/projects/${ada.projectId}`, { name: "Cheap pills" })
      const body = { ...toEmail, name: "Cheap pills", config: { address: "ben@example.test" } }
      yield* ada.withKey("POST", "/notification-channels", body)
      yield* ada.withKey("POST", "/notification-channels", { ...toPhone("+4915112345678"), name: "Cheap pills" })
      const { mail, phone } = yield* Inbox
      assert.notInclude(mailsTo(mail, "ben@example.test").at(-1)!.source, "Cheap")
      assert.notInclude(JSON.stringify(phone().at(-1)), "Cheap")
      assert.strictEqual(phone().at(-1)!["To"], "+4915112345678")
    })
  )

  it.effect("confirms once for all channels of an account, and not for another account", () =>
    Effect.gen(function* () {
      const [ada, ben] = [yield* person, yield* person]
      const number = "+4915122222222"
      const first = yield* ada.withKey("POST", "/notification-channels", toPhone(number))
      const { phone } = yield* Inbox
      const code = codeIn(phone().at(-1)!["Body"])
      yield* ada.withKey("POST", `/notification-channels/${first.body.id}/confirm`, { code })
      const second = yield* ada.withKey("POST", "/notification-channels", toPhone(number, "phone"))
      assert.strictEqual(second.body.confirmation, "confirmed")
      const other = yield* ben.withKey("POST", "/notification-channels", toPhone(number))
      assert.strictEqual(other.body.confirmation, "pending")
    })
  )

  it.effect("confirms again after a change of the address, and not of the name", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const made = yield* ada.withKey("POST", "/notification-channels", toPhone("+4915133333333"))
      const route = `/notification-channels/${made.body.id}`
      const { phone } = yield* Inbox
      const code = codeIn(phone().at(-1)!["Body"])
      yield* ada.withKey("POST", `${route}/confirm`, { code })
      assert.strictEqual((yield* ada.withKey("PATCH", route, { name: "Night" })).body.confirmation, "confirmed")
      const moved = yield* ada.withKey("PATCH", route, { config: { phoneNumber: "+4915144444444" } })
      assert.deepInclude(moved.body, { confirmation: "pending", confirmedAt: null })
      assert.strictEqual(phone().at(-1)!["To"], "+4915144444444")
      refused(
        yield* ada.withKey("POST", `${route}/confirm`, { code: wrong(codeIn(phone().at(-1)!["Body"])) }),
        422,
        "validation_failed",
        "code"
      )
      const webhook = { type: "webhook", config: { url: "https://example.org/hook" } }
      assert.strictEqual((yield* ada.withKey("PATCH", route, webhook)).body.confirmation, "not_needed")
    })
  )

  it.effect("allows five attempts for a code, also concurrent ones, and only for its channel", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const made = yield* ada.withKey("POST", "/notification-channels", toPhone("+4915155555555"))
      const { phone } = yield* Inbox
      const code = codeIn(phone().at(-1)!["Body"])
      const route = `/notification-channels/${made.body.id}`
      const guesses = yield* Effect.all(
        Array.from({ length: 8 }, () => ada.withKey("POST", `${route}/confirm`, { code: wrong(code) })),
        { concurrency: 8 }
      )
      assert.strictEqual(guesses.filter(({ status }) => status === 422).length, 4)
      const late = yield* ada.withKey("POST", `${route}/confirm`, { code })
      refused(late, 409, "conflict")
      assert.include(late.body.detail, `${route}/confirmation`)
      const again = yield* ada.withKey("POST", `${route}/confirmation`)
      assert.strictEqual(again.status, 200, JSON.stringify(again.body))
      const fresh = codeIn(phone().at(-1)!["Body"])
      const other = yield* ada.withKey("POST", "/notification-channels", toPhone("+4915166666666"))
      const stolen = yield* ada.withKey("POST", `/notification-channels/${other.body.id}/confirm`, { code: fresh })
      if (fresh !== codeIn(phone().at(-1)!["Body"])) refused(stolen, 422, "validation_failed", "code")
      assert.strictEqual((yield* ada.withKey("POST", `${route}/confirm`, { code: fresh })).status, 200)
    })
  )

  it.effect("gets no more codes by further organizations of an account, or by both types of phone", () =>
    Effect.gen(function* () {
      const [ada, ben] = [yield* person, yield* person]
      const sent: Array<boolean> = []
      for (let index = 0; index < 12; index++) {
        const organization = yield* ada.withSession("POST", "/organizations", { name: `Further ${index}` })
        assert.strictEqual(organization.status, 201, JSON.stringify(organization.body))
        const { body: projects } = yield* ada.withSession("GET", "/projects")
        const { apiKey } = projects.find(
          ({ organizationId }: { readonly organizationId: string }) => organizationId === organization.body.id
        )
        const channel = toPhone(`+491522${1_000_000 + index}`, index % 2 === 0 ? "sms" : "phone")
        const made = yield* call("POST", "/notification-channels", channel, { "x-api-key": apiKey })
        assert.strictEqual(made.status, 201, JSON.stringify(made.body))
        sent.push(made.body.lastDelivery === null)
      }
      assert.deepStrictEqual(sent, [...Array(10).fill(true), false, false])
      // Another account's are its own.
      const others = yield* ben.withKey("POST", "/notification-channels", toPhone("+4915222000000"))
      assert.isNull(others.body.lastDelivery)
    })
  )

  it.effect.each(["+1 900 555 0123", "+49 900 1234567", "+44 909 879 0123", "+447012345678"])(
    "has no number that costs more than others: %s",
    (number) =>
      Effect.gen(function* () {
        const ada = yield* person
        refused(
          yield* ada.withKey("POST", "/notification-channels", toPhone(number)),
          422,
          "validation_failed",
          "config.phoneNumber"
        )
      })
  )

  it.effect("gets at most three codes in a row from all accounts, including tagged addresses", () =>
    Effect.gen(function* () {
      const people = yield* Effect.replicateEffect(person, 5)
      const made = yield* Effect.forEach(people, (one, index) =>
        one.withKey("POST", "/notification-channels", {
          ...toEmail,
          config: { address: `victim+${index}@example.test` }
        })
      )
      const { mail } = yield* Inbox
      const sent = mail.mails().filter(({ envelope }) => envelope.to[0]!.startsWith("victim"))
      assert.strictEqual(sent.length, 3)
      assert.deepStrictEqual(
        made.map(({ body }) => body.lastDelivery?.status ?? null),
        [null, null, null, "failed", "failed"]
      )
      const more = yield* people[4]!.withKey("POST", `/notification-channels/${made[4]!.body.id}/confirmation`)
      refused(more, 429, "rate_limited")
      assert.isAbove(Number(more.headers.get("retry-after")), 60)
    })
  )

  it.effect("confirms with the button behind the link; opening it changes nothing", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const address = "link@example.test"
      const made = yield* ada.withKey("POST", "/notification-channels", { ...toEmail, config: { address } })
      const { mail } = yield* Inbox
      const link = new URL(/https?:\/\/\S+\?code=\d+/.exec(mailsTo(mail, address).at(-1)!.parsed.text!)![0])
      const at = `${link.pathname.replace("/api/v1", "")}${link.search}`
      const shown = yield* call("GET", at)
      assert.strictEqual(shown.status, 200)
      assert.include(shown.headers.get("content-security-policy")!, "form-action 'self'")
      const route = `/notification-channels/${made.body.id}`
      assert.strictEqual((yield* ada.withKey("GET", route)).body.confirmation, "pending")
      const form = { "content-type": "application/x-www-form-urlencoded" }
      const bad = yield* call("POST", at, `code=${wrong(link.searchParams.get("code")!)}`, form)
      assert.strictEqual(bad.status, 422)
      assert.include(bad.headers.get("content-type")!, "text/html")
      const done = yield* call("POST", at, `code=${link.searchParams.get("code")}`, form)
      assert.strictEqual(done.status, 200, done.body)
      assert.strictEqual((yield* ada.withKey("GET", route)).body.confirmation, "confirmed")
      const [entry] = (yield* ada.withKey("GET", "/audit-log?action=channel.confirmed")).body
      assert.deepStrictEqual(entry.actor, { kind: "person", id: null, name: "The recipient" })
      assert.strictEqual(entry.address, "127.0.0.1")
      const hostile = yield* call("GET", `${link.pathname.replace("/api/v1", "")}?code=%22%3E%3Cscript%3E`)
      assert.notInclude(hostile.body, "<script")
      assert.strictEqual((yield* call("POST", "/public/channel-confirmations/nothing", "code=1", form)).status, 404)
    })
  )

  it.effect("tells the truth after the button: who was confirmed, when it was before, and to strangers nothing", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const address = "truth@example.test"
      const made = yield* ada.withKey("POST", "/notification-channels", { ...toEmail, config: { address } })
      const { mail } = yield* Inbox
      const text = mailsTo(mail, address).at(-1)!.parsed.text!
      const link = new URL(/https?:\/\/\S+\?code=\d+\S*/.exec(text)![0])
      const at = link.pathname.replace("/api/v1", "")
      const form = { "content-type": "application/x-www-form-urlencoded" }
      const press = (fields: Readonly<Record<string, string>>) =>
        call("POST", at, new URLSearchParams(fields).toString(), form)
      const { code, recipient } = Object.fromEntries(link.searchParams) as Record<"code" | "recipient", string>
      // Of many presses at once one confirms; each is told the truth.
      const pressed = yield* Effect.all(
        Array.from({ length: 6 }, () => press({ code, recipient })),
        { concurrency: 6 }
      )
      assert.deepStrictEqual([...new Set(pressed.map(({ status }) => status))], [200])
      assert.lengthOf(
        pressed.filter(({ body }) => body.includes("Thank you")),
        1
      )
      for (const { body } of pressed) assert.include(body, address)
      const again = yield* press({ code: wrong(code), recipient })
      const { confirmedAt } = (yield* ada.withKey("GET", `/notification-channels/${made.body.id}`)).body.recipients[0]
      assert.include(
        again.body,
        `${address} was confirmed on ${confirmedAt.slice(0, 10)} at ${confirmedAt.slice(11, 16)}`
      )
      assert.notInclude(again.body, "Thank you")
      const webhook = { name: "Hook", type: "webhook", config: { url: "https://example.org/hook" } }
      const hook = (yield* ada.withKey("POST", "/notification-channels", webhook)).body.id
      const strangers = [
        yield* press({ code: "000000" }),
        yield* press({ code, recipient: address }),
        yield* call("POST", at.replace(made.body.id, hook), "code=000000", form),
        yield* call("POST", at.replace(made.body.id, "chn_01jd0000000000000000000000"), "code=000000", form)
      ]
      for (const { body, status } of strangers) {
        assert.notInclude(body, "Thank you")
        assert.notInclude(body, address)
        assert.isAtLeast(status, 400)
      }
      assert.lengthOf([...new Set(strangers.slice(0, 3).map(({ body }) => body))], 1)
    })
  )

  it.effect("confirms by itself among several, which go on meanwhile", () =>
    Effect.gen(function* () {
      const eve = yield* person
      const [first, second, third] = ["first@example.test", "second@example.test", "third@example.test"] as const
      const config = { address: first, additionalAddresses: [second] }
      const made = yield* eve.withKey("POST", "/notification-channels", { ...toEmail, config })
      assert.strictEqual(made.status, 201, JSON.stringify(made.body))
      const route = `/notification-channels/${made.body.id}`
      const { mail } = yield* Inbox
      const codeOf = (address: string) => codeIn(mailsTo(mail, address).at(-1)?.parsed.text)
      const statesOf = ({ body }: ApiResponse) =>
        body.recipients.map(
          (each: { recipient: string; confirmation: string }) => `${each.recipient} ${each.confirmation}`
        )
      assert.deepStrictEqual(statesOf(made), [`${first} pending`, `${second} pending`])

      // Which of them it is has to be said as long as several wait.
      const unclear = yield* eve.withKey("POST", `${route}/confirm`, { code: codeOf(second) })
      refused(unclear, 422, "validation_failed", "recipient")
      assert.include(unclear.body.errors[0].message, second)
      const swapped = { code: codeOf(first), recipient: second }
      if (codeOf(first) !== codeOf(second))
        refused(yield* eve.withKey("POST", `${route}/confirm`, swapped), 422, "validation_failed", "code")
      const stranger = { code: codeOf(first), recipient: third }
      refused(yield* eve.withKey("POST", `${route}/confirm`, stranger), 409, "conflict")
      const half = yield* eve.withKey("POST", `${route}/confirm`, {
        code: codeOf(second),
        recipient: "SECOND@example.test"
      })
      assert.deepStrictEqual(statesOf(half), [`${first} pending`, `${second} confirmed`])
      assert.strictEqual(half.body.confirmation, "confirmed")

      // A test goes to who has confirmed, and a further address waits while the others go on.
      const counts = () => [first, second, third].map((address) => mailsTo(mail, address).length)
      const before = counts()
      assert.strictEqual((yield* eve.withKey("POST", `${route}/test`)).status, 200)
      assert.deepStrictEqual(counts(), [before[0], before[1]! + 1, before[2]])
      const more = { config: { additionalAddresses: [second, third] } }
      const added = yield* eve.withKey("PATCH", route, more)
      assert.deepStrictEqual(statesOf(added), [`${first} pending`, `${second} confirmed`, `${third} pending`])
      assert.deepStrictEqual(counts(), [before[0], before[1]! + 1, 1])

      // A new code for one, and then one for each that waits.
      const earlier = codeOf(third)
      assert.strictEqual((yield* eve.withKey("POST", `${route}/confirmation`, { recipient: third })).status, 200)
      assert.deepStrictEqual(counts(), [before[0], before[1]! + 1, 2])
      refused(yield* eve.withKey("POST", `${route}/confirmation`, { recipient: second }), 409, "conflict")
      refused(
        yield* eve.withKey("POST", `${route}/confirmation`, { recipient: "x@example.test" }),
        422,
        "validation_failed",
        "recipient"
      )
      if (earlier !== codeOf(third))
        refused(
          yield* eve.withKey("POST", `${route}/confirm`, { code: earlier, recipient: third }),
          422,
          "validation_failed",
          "code"
        )
      assert.strictEqual((yield* eve.withKey("POST", `${route}/confirmation`)).status, 200)
      assert.deepStrictEqual(counts(), [before[0]! + 1, before[1]! + 1, 3])

      // The link says for whom it is; the last one that waits need not be named.
      const link = new URL(/https?:\/\/\S+\?code=\S+/.exec(mailsTo(mail, third).at(-1)!.parsed.text!)![0])
      const form = { "content-type": "application/x-www-form-urlencoded" }
      const at = `${link.pathname.replace("/api/v1", "")}${link.search}`
      assert.include((yield* call("GET", at)).body, link.searchParams.get("recipient"))
      assert.strictEqual((yield* call("POST", at, link.search.slice(1), form)).status, 200)
      const all = yield* eve.withKey("POST", `${route}/confirm`, { code: codeOf(first) })
      assert.deepStrictEqual(statesOf(all), [`${first} confirmed`, `${second} confirmed`, `${third} confirmed`])

      // An address that leaves and comes back is known.
      yield* eve.withKey("PATCH", route, { config: { additionalAddresses: null } })
      const back = yield* eve.withKey("PATCH", route, { config: { additionalAddresses: [third] } })
      assert.deepStrictEqual(statesOf(back), [`${first} confirmed`, `${third} confirmed`])
      assert.deepStrictEqual(back.body.config, { address: first, additionalAddresses: [third] })
    })
  )

  it.effect("does not need to confirm the account's own verified address", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const channel = { ...toEmail, config: { address: ada.email.toUpperCase() } }
      const before = yield* ada.withKey("POST", "/notification-channels", channel)
      assert.strictEqual(before.body.confirmation, "pending")
      yield* verify(ada)
      const after = yield* ada.withKey("POST", "/notification-channels", channel)
      assert.strictEqual(after.body.confirmation, "confirmed")
    })
  )
})

layer(withInbox({ recipients: { confirm: false } }), live)("tests of channels", (it) => {
  const statuses = (answers: ReadonlyArray<ApiResponse>) => answers.map(({ status }) => status)

  it.effect("allows ten an hour for an account and a type", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const tests = yield* Effect.forEach(Array.from({ length: 14 }), (_, index) =>
        Effect.gen(function* () {
          const number = `+49151${String(70_000_000 + Math.floor(index / 4))}`
          const made = yield* ada.withKey("POST", "/notification-channels", toPhone(number))
          return yield* ada.withKey("POST", `/notification-channels/${made.body.id}/test`)
        })
      )
      assert.deepStrictEqual(statuses(tests), [...Array(10).fill(200), ...Array(4).fill(429)])
      refused(tests[13]!, 429, "rate_limited")
      assert.isAbove(Number(tests[13]!.headers.get("retry-after")), 60)
    })
  )

  it.effect("allows five an hour for a recipient, over all accounts", () =>
    Effect.gen(function* () {
      const tests = yield* Effect.forEach(Array.from({ length: 7 }), () =>
        Effect.gen(function* () {
          const one = yield* person
          const made = yield* one.withKey("POST", "/notification-channels", toPhone("+4915188888888"))
          assert.strictEqual(made.body.confirmation, "not_needed")
          return yield* one.withKey("POST", `/notification-channels/${made.body.id}/test`)
        })
      )
      assert.deepStrictEqual(statuses(tests), [...Array(5).fill(200), ...Array(2).fill(429)])
    })
  )

  it.effect("refuses a number outside the operator's countries", () =>
    Effect.gen(function* () {
      const ada = yield* person
      for (const number of ["+870773111632", "+881612345678", "+979123456789"]) {
        const answer = yield* ada.withKey("POST", "/notification-channels", toPhone(number))
        refused(answer, 422, "validation_failed", "config.phoneNumber")
        assert.include(answer.body.errors[0].message, "KANMON_SMS_COUNTRIES")
      }
    })
  )
})

layer(withInbox({ recipients: { confirm: false, phonePrefixes: ["+49", "+8816"] } }), live)("countries", (it) => {
  it.effect("applies the operator's countries on create and on change", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const made = yield* ada.withKey("POST", "/notification-channels", toPhone("+4915112345678"))
      assert.strictEqual(made.status, 201)
      const route = `/notification-channels/${made.body.id}`
      const france = { config: { phoneNumber: "+33612345678" } }
      refused(yield* ada.withKey("PATCH", route, france), 422, "validation_failed", "config.phoneNumber")
      assert.strictEqual((yield* ada.withKey("POST", "/notification-channels", toPhone("+881612345678"))).status, 201)
    })
  )
})

const sells = Layer.effect(
  PaymentGateway,
  Effect.map(
    Effect.provide(
      Effect.map(PaymentGateway, (none) => none),
      PaymentGateway.layerNone
    ),
    (none) => PaymentGateway.of({ ...none, configured: true })
  )
)

layer(withInbox({ recipients: { confirm: false }, defaultPlan: "plan_free", payments: sells }), live)(
  "where plans are sold, an account that pays nothing",
  (it) => {
    it.effect("has no SMS and phone calls", () =>
      Effect.gen(function* () {
        const ada = yield* person
        for (const type of ["sms", "phone"]) {
          const answer = yield* ada.withKey("POST", "/notification-channels", toPhone("+4915112345678", type))
          refused(answer, 402, "plan_limit_reached", "type")
          assert.deepInclude(answer.body, { planId: "plan_free", limit: 0 })
        }
        const mail = yield* ada.withKey("POST", "/notification-channels", toEmail)
        assert.strictEqual(mail.status, 201)
        const route = `/notification-channels/${mail.body.id}`
        refused(yield* ada.withKey("PATCH", route, toPhone("+4915112345678")), 402, "plan_limit_reached", "type")
      })
    )
  }
)

layer(
  withInbox({ recipients: { confirm: false }, defaultPlan: "plan_free", payments: sells, phonesOnFreePlans: true }),
  live
)("where the operator allows it", (it) => {
  it.effect("allows SMS for an account that pays nothing", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const answer = yield* ada.withKey("POST", "/notification-channels", toPhone("+4915112345678"))
      assert.strictEqual(answer.status, 201)
    })
  )
})
