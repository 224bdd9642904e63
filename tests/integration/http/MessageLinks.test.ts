/**
 * Every link in every message leads where it says. The messages are those of the contract: one of each event, of each kind of letter,
 * and of each sender of messages, so that a new one is opened from its first day on.
 */
import { assert, layer } from "@effect/vitest"
import { NoticeEvent } from "@kanmon/core/Notice"
import { Catalogue } from "@kanmon/core/PluginHost"
import type { MonitorId, UserId } from "@kanmon/domain/Ids"
import { Trigger } from "@kanmon/domain/Trigger"
import type { Letter } from "@kanmon/identity/testing/mails/AccountMailWording.ts"
import { MessageSenders, StoppedMethods } from "@kanmon/monitoring/delivery"
import { Escalations } from "@kanmon/monitoring/escalation"
import { Alerts } from "@kanmon/monitoring/testing/alerts/Alerts.ts"
import { OpenAlerts } from "@kanmon/monitoring/testing/alerts/OpenAlerts.ts"
import { Transaction } from "@kanmon/platform/Transaction"
import { eventually } from "@kanmon/testkit/Eventually"
import * as Targets from "@kanmon/testkit/Targets"
import { Clock, Context, Effect, Layer } from "effect"
import type { HttpServer } from "effect/http"
import type { SqlClient } from "effect/sql"
import * as MailWorld from "../../../plugins/notify-email/test/MailWorld.ts"
import { bundled } from "../../../apps/server/src/plugins.gen.ts"
import * as Deliverer from "../../support/Deliverer.ts"
import { telegram } from "../../support/OnCallBodies.ts"
import * as AlertServer from "./AlertServer.ts"
import { ok } from "./EscalationStage.ts"
import { addressesIn, opened } from "./Links.ts"
import { linkIn, Mails, mailTo } from "./Mailbox.ts"
import { call, password, person, publicUrl, shop } from "./Server.ts"
import { join, organizationOf, verify } from "./Team.ts"

const live = { excludeTestServices: true, timeout: "3 minutes" } as const

/** The requests that a webhook and Twilio got. */
class Requests extends Context.Service<
  Requests,
  { readonly hook: Targets.HttpTarget; readonly phone: Targets.HttpTarget }
>()("@kanmon/tests/MessageLinks/Requests") {}

/** An installation that delivers mails, text messages and webhooks to this machine. */
const installation = Layer.unwrap(
  Effect.gen(function* () {
    const mail = yield* MailWorld.start()
    const hook = yield* Targets.http(Targets.answer({ status: 200, body: "" }))
    const created = JSON.stringify({ sid: "SM1", status: "queued" })
    const phone = yield* Targets.http(Targets.answer({ status: 201, body: created }))
    const twilio = {
      TWILIO_ACCOUNT_SID: `AC${"0123456789abcdef".repeat(2)}`,
      TWILIO_AUTH_TOKEN: "token",
      TWILIO_FROM: "+15005550006",
      TWILIO_API_BASE: phone.url
    }
    const operator = new Map<string, object>([
      ["email", mail.settings],
      ["sms", twilio],
      ["phone", twilio]
    ])
    const recipients = { confirm: false, phonePrefixes: [], perHour: { email: 1000, phone: 1000 } }
    return Deliverer.layer({ operator, recipients, baseUrl: publicUrl }).pipe(
      Layer.provideMerge(AlertServer.layer({ operator, recipients })),
      Layer.merge(Layer.succeed(Mails, mail)),
      Layer.merge(Layer.succeed(Requests, { hook, phone }))
    )
  })
)

/** The texts of all messages so far, by their way. */
const received = Effect.gen(function* () {
  const { hook, phone } = yield* Requests
  const mails = (yield* Mails).mails()
  return {
    mails: mails.map(({ envelope, parsed }) => ({
      to: String(envelope.to[0]),
      text: `${parsed.subject}\n${parsed.text}\n${String(parsed.html)}`
    })),
    hooks: hook.requests.map(({ body }) => JSON.parse(body)),
    texts: phone.requests.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))
  }
})

const since = (now: number) => ({ streak: 1, since: now, about: "one", step: 0 })

/** Lets a condition of monitors begin or end, as an evaluation does. */
const decided = Effect.fnUntraced(function* (ids: ReadonlyArray<MonitorId>, trigger: Trigger, state: "holds" | "over") {
  const alerts = yield* Alerts
  const open = yield* OpenAlerts
  const transaction = yield* Transaction
  const at = yield* Clock.currentTimeMillis
  const conditions = [{ trigger, state, ...since(at) }]
  const moments = ids.map((monitorId) => ({ monitorId, at, conditions, evidence: {} }))
  yield* transaction.run(
    Effect.gen(function* () {
      yield* open.save(yield* alerts.decide(moments, yield* open.context(ids)), at)
    })
  )
})

let numbers = 0

/** A reader with a mail address, a phone and a webhook in a project. */
const reader = Effect.gen(function* () {
  const { hook } = yield* Requests
  const ada = yield* person
  const number = `+4915112345${String(++numbers).padStart(3, "0")}`
  const path = `/${ada.projectId}`
  const channels = [
    { name: "Mail", type: "email", config: { address: `alerts-${ada.email}` } },
    { name: "Text", type: "sms", config: { phoneNumber: number } },
    { name: "Hook", type: "webhook", config: { url: `${hook.url}${path}` } }
  ]
  const made = yield* Effect.forEach(channels, (channel) =>
    Effect.map(ada.withKey("POST", "/notification-channels", channel), (answer) => ok(answer, 201))
  )
  for (const { id } of ok(yield* ada.withKey("GET", "/alert-rules"))) yield* ada.withKey("DELETE", `/alert-rules/${id}`)
  const triggers = Trigger.literals.filter((trigger) => trigger !== "external")
  ok(yield* ada.withKey("POST", "/alert-rules", { name: "All", triggers }), 201)
  const monitor = ok(yield* ada.withKey("POST", "/monitors", shop), 201)
  const own = Effect.map(received, ({ hooks, mails, texts }) => ({
    mails: mails.filter(({ to }) => to === `alerts-${ada.email}`).map(({ text }) => text),
    hooks: hooks.filter(({ project }) => project.id === ada.projectId),
    texts: texts.flatMap(({ Body, To }) => (To === number ? [Body!] : []))
  }))
  return { ada, channels: made, monitor, own }
})

/** Opens all addresses of a message; returns where they lead: routes of the dashboard, and titles of other pages. */
const openAll = Effect.fnUntraced(function* (
  text: string,
  somebody: Parameters<typeof opened>[1],
  others: ReadonlyArray<string>
) {
  const led: Array<string> = []
  for (const address of addressesIn(text)) {
    if (others.includes(address)) continue
    const { route, text: page } = yield* opened(address, somebody)
    led.push(route ?? /<h1[^>]*>([^<]*)</.exec(page)?.[1] ?? page)
  }
  return led
})

/** Mails about accounts that ask to open a link: what causes each, and the title of the page. */
type Linked = Extract<Letter, { readonly link: string }>["kind"]

const strangers = (name: string) => `${name}-${++numbers}@example.com`

const letters: Readonly<
  Record<
    Linked,
    {
      readonly cause: Effect.Effect<string, unknown, HttpServer.HttpServer | Mails | SqlClient.SqlClient>
      readonly leads: string | RegExp
    }
  >
> = {
  verifyAddress: {
    cause: Effect.gen(function* () {
      const email = strangers("new")
      yield* call("POST", "/auth/sign-up/email", { name: "Ada", email, password })
      return email
    }),
    leads: /Verify your e-mail address/
  },
  resetPassword: {
    cause: Effect.gen(function* () {
      const ada = yield* person
      yield* verify(ada)
      ok(yield* call("POST", "/auth/request-password-reset", { email: ada.email }))
      return ada.email
    }),
    leads: "/reset-password"
  },
  confirmNewAddress: {
    cause: Effect.gen(function* () {
      const ada = yield* person
      const newEmail = strangers("moved")
      ok(yield* call("POST", "/auth/change-email", { newEmail, password }, { cookie: ada.cookie }))
      return newEmail
    }),
    leads: /Confirm your new e-mail address/
  },
  invitation: {
    cause: Effect.gen(function* () {
      const ada = yield* person
      yield* verify(ada)
      const email = strangers("guest")
      const path = `/organizations/${yield* organizationOf(ada)}/invitations`
      ok(yield* ada.withSession("POST", path, { email, role: "viewer" }), 201)
      return email
    }),
    leads: "/invitation"
  }
}

const subjects: Readonly<Record<Linked, RegExp>> = {
  verifyAddress: /Verify your/,
  resetPassword: /Reset your password/,
  confirmNewAddress: /Confirm your new/,
  invitation: /invites? you/
}

layer(installation, live)("the links of a message", (it) => {
  it.effect.each(Object.entries(letters))(
    "of the kind %s lead to the page that does what the mail says",
    ([kind, { cause, leads }]) =>
      Effect.gen(function* () {
        const email = yield* cause
        const { parsed } = yield* mailTo(email, { subject: subjects[kind as Linked] })
        const link = linkIn(parsed.text!).href
        for (const address of new Set([...addressesIn(parsed.text!), ...addressesIn(String(parsed.html))])) {
          assert.strictEqual(address, link, "the mail has one link")
          const page = yield* opened(address)
          if (typeof leads === "string") assert.strictEqual(page.route, leads)
          else assert.match(page.text, leads)
        }
      })
  )

  it.effect("about any event, on any way, lead to the monitor or the alert, and to the page that acknowledges", () =>
    Effect.gen(function* () {
      const { ada, channels, monitor, own } = yield* reader
      for (const trigger of Trigger.literals) {
        if (trigger === "external") continue
        yield* decided([monitor.id], trigger, "holds")
        yield* decided([monitor.id], trigger, "over")
      }
      const rule = ok(yield* ada.withKey("POST", "/alert-rules", { name: "Elsewhere", trigger: "external" }), 201)
      const sender = { name: "Sender", type: "generic", ruleId: rule.id }
      const { address } = ok(yield* ada.withKey("POST", "/integrations", sender), 201)
      const elsewhere = "https://grafana.example/d/1"
      const inbound = address.slice(`${publicUrl}/api/v1`.length)
      ok(yield* call("POST", inbound, { key: "a", status: "firing", title: "Disk full", link: elsewhere }))
      ok(yield* call("POST", inbound, { key: "a", status: "resolved" }))
      for (const { id } of channels) ok(yield* ada.withKey("POST", `/notification-channels/${id}/test`))
      // One for the beginning and one for the end of each trigger, and the test.
      const expected = 2 * Trigger.literals.length + 1
      const { hooks, mails, texts } = yield* eventually(own, (got) =>
        Object.values(got).every(({ length }) => length >= expected)
      )
      assert.deepStrictEqual(
        [...new Set(hooks.map(({ event }) => event))].toSorted(),
        NoticeEvent.literals.map((event) => event.replace(/^(ssl|domain)_recovered$/, "$1_resolved")).toSorted(),
        "each event of the contract is here"
      )
      for (const body of hooks) {
        const isEnd = body.acknowledgeUrl === null
        const external = body.event.startsWith("external")
        const { route } = yield* opened(body.links.monitor, ada)
        assert.strictEqual(route, body.event === "test" ? "/monitors" : external ? "/alerts/$id" : "/monitors/$id")
        assert.strictEqual(isEnd, body.event === "test" || /_(up|recovered|resolved)$/.test(body.event), body.event)
        if (isEnd) continue
        const page = yield* opened(body.acknowledgeUrl)
        assert.include(page.text, external ? "Disk full" : "Shop", body.event)
      }
      for (const text of [...mails, ...texts]) {
        const led = yield* openAll(text, ada, [shop.url, elsewhere, publicUrl])
        assert.isAbove(led.length, 0, text)
        for (const place of led)
          assert.include(["The alert is over", "/monitors", "/monitors/$id", "/alerts/$id"], place)
      }
    })
  )

  it.effect(
    "of every sender lead to what is asked: one alert, many, a page, a test, and none where no one is asked",
    () =>
      Effect.gen(function* () {
        const { ada, channels, monitor, own } = yield* reader
        yield* verify(ada)
        const ben = yield* join(ada, "responder")
        yield* verify(ben)
        const mailsTo = (address: string) =>
          Effect.map(received, ({ mails }) => mails.filter(({ to }) => to === address).map(({ text }) => text))
        const told = (address: string, word: RegExp) =>
          eventually(mailsTo(address), (texts) => texts.some((text) => word.test(text))).pipe(
            Effect.map((texts) => texts.findLast((text) => word.test(text))!)
          )
        const ids = [monitor.id]
        for (let index = 0; index < 11; index++)
          ids.push(ok(yield* ada.withKey("POST", "/monitors", { ...shop, name: `Shop ${index}` }), 201).id)
        const led = (text: string, somebody: Parameters<typeof opened>[1]) =>
          openAll(text, somebody, [shop.url, publicUrl])
        const senders = [...(yield* MessageSenders).keys()].toSorted()
        const seen: Array<string> = []

        // Those of many alerts at once are one message, whose link is of all of them.
        yield* decided(ids, "monitor_down", "holds")
        const [first] = (yield* eventually(own, ({ hooks }) => hooks.length > 0)).hooks
        assert.lengthOf(first.alerts, ids.length)
        const many = yield* opened(first.acknowledgeUrl)
        const title = `Acknowledge these ${ids.length} alerts?`
        assert.include(many.text, title)
        assert.deepStrictEqual(yield* led(many.text, ada), [])
        const together = yield* told(`alerts-${ada.email}`, /12 alerts/)
        assert.deepStrictEqual(yield* led(together, ada), ["/monitors/$id", title])
        const done = yield* call("POST", new URL(first.acknowledgeUrl).pathname.slice("/api/v1".length))
        assert.deepStrictEqual(yield* led(done.body, ada), ["/alerts"])
        yield* decided(ids, "monitor_down", "over")
        seen.push("alert")

        const path = `/organizations/${yield* organizationOf(ada)}/escalation-policies`
        const steps = [{ afterMinutes: 0, notify: [{ userId: ada.userId }, { userId: ben.userId }] }]
        const { id: escalationPolicyId } = ok(yield* ada.withSession("POST", path, { name: "People", steps }), 201)
        const rules = ok(yield* ada.withKey("GET", "/alert-rules"))
        const { id: ruleId } = rules.find(({ name }: { name: string }) => name === "All")
        ok(yield* ada.withKey("PATCH", `/alert-rules/${ruleId}`, { escalationPolicyId, channelIds: [channels[2].id] }))
        yield* decided([monitor.id], "monitor_down", "holds")
        yield* Effect.flatMap(Escalations, ({ runDue }) => runDue)
        for (const person of [ada, ben]) {
          const page = yield* told(person.email, /Shop is down/)
          const reader = { ...person, projectId: ada.projectId }
          assert.deepStrictEqual(yield* led(page, reader), ["/monitors/$id", "Acknowledge this alert?"])
        }
        seen.push("page")

        const [alert] = ok(yield* ada.withKey("GET", "/alerts?state=open"))
        ok(
          yield* ben.withSession("POST", `/alerts/${alert.id}/acknowledge`, undefined, {
            "kanmon-project": ada.projectId
          })
        )
        assert.deepStrictEqual(yield* led(yield* told(ada.email, /has it/), ada), [])
        seen.push("acknowledgement")

        ok(yield* ada.withSession("POST", "/account/page-tests", { severity: "critical" }), 201)
        const test = yield* told(ada.email, /You test how/)
        assert.deepStrictEqual(yield* led(test, ada), ["/monitors", "Acknowledge this test?"])
        seen.push("pageTest")

        ok(yield* ada.withKey("POST", "/drills", { policyId: escalationPolicyId }), 201)
        yield* Effect.flatMap(Escalations, ({ runDue }) => runDue)
        const drill = yield* told(ada.email, /DRILL/)
        const ofDrill = yield* led(drill, { ...ada, projectId: ada.projectId })
        assert.include(ofDrill, "Acknowledge this alert?", ofDrill.join(", "))
        seen.push("drill")

        const chat = ok(yield* ada.withSession("POST", "/account/contact-methods", telegram), 201)
        const gone = { id: chat.id, userId: ada.userId as UserId, reason: "Its destination is gone" }
        const tell = yield* StoppedMethods.make.pipe(Effect.provide(Catalogue.layer(bundled)))
        yield* tell(gone, yield* Clock.currentTimeMillis)
        assert.deepStrictEqual(yield* led(yield* told(ada.email, /Telegram \(Chat\) is switched off/), ada), [])
        seen.push(StoppedMethods.stoppedKind)
        assert.deepStrictEqual(seen.toSorted(), senders, "each sender of messages is here")
      })
  )
})
