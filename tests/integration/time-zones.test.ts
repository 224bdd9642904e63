/** Times and languages of alerts by mail: in the zone of the project, or in the zone and the language of the account that is written to. */
import { eventually } from "@kanmon/testkit/Eventually"
import { assert, layer } from "@effect/vitest"
import { Channels } from "@kanmon/monitoring/testing/channels/Channels.ts"
import { Projects } from "@kanmon/identity/testing/projects/Projects.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as MailWorld from "../../plugins/notify-email/test/MailWorld.ts"
import * as Deliverer from "../support/Deliverer.ts"
import { environment, evaluate, minute, noon, stage } from "../support/Stage.ts"

const live = { excludeTestServices: true } as const

class Mails extends Context.Service<Mails, MailWorld.MailDestination>()("@kanmon/tests/Mails") {}

const delivering = Layer.unwrap(
  Effect.gen(function* () {
    const mails = yield* MailWorld.start()
    return Deliverer.layer({
      now: () => noon + 10 * minute,
      operator: new Map([["email", mails.settings!]])
    }).pipe(Layer.merge(Layer.succeed(Mails, mails)))
  })
).pipe(Layer.provideMerge(environment))

/** An outage in a project of Berlin, told to an address; returns the mail. */
const told = Effect.fnUntraced(function* (
  address: string,
  prepare: (organization: string) => Effect.Effect<unknown, unknown, SqlClient.SqlClient> = () => Effect.void
) {
  const { monitor, organization, project } = yield* stage({ channels: 0 })
  yield* (yield* Projects).update(project.id, { timezone: "Europe/Berlin" })
  yield* prepare(organization)
  yield* (yield* Channels).create(project.id, {
    name: "Mail",
    type: "email",
    config: { address },
    confirmation: "confirmed"
  })
  yield* evaluate(monitor, 0, "up", "down")
  const mails = yield* Mails
  const [mail] = yield* eventually(
    Effect.sync(() => mails.mails().filter(({ envelope }) => envelope.to.includes(address))),
    ({ length }) => length === 1
  )
  return mail!.parsed
})

const account = (
  id: string,
  email: string,
  fields: { readonly verified: boolean; readonly member: boolean; readonly locale?: string }
) =>
  Effect.fnUntraced(function* (organization: string) {
    const sql = yield* SqlClient.SqlClient
    const then = new Date(noon)
    yield* sql`INSERT INTO users (id, name, email, email_verified, timezone, locale, created_at, updated_at)
      VALUES (${id}, 'Ada', ${email}, ${fields.verified}, 'Asia/Tokyo', ${fields.locale ?? null}, ${then}, ${then})`
    if (fields.member)
      yield* sql`INSERT INTO organization_members (organization_id, user_id, role, source, created_at)
        VALUES (${organization}, ${id}, 'viewer', 'invitation', ${then})`
  })

layer(delivering, live)("an alert by mail", (it) => {
  it.effect("shows times in the zone of the project, in text and HTML", () =>
    Effect.gen(function* () {
      const { html, text } = yield* told("team@example.test")
      assert.include(text!, "Since: 2026-11-20 13:01:00 CET")
      assert.include(String(html), "2026-11-20 13:01:00 CET")
      assert.notInclude(text!, "UTC")
    })
  )

  it.effect("shows times in the zone that the member who gets it has chosen", () =>
    Effect.gen(function* () {
      const email = "ada@example.test"
      const { text } = yield* told(email, account("usr_ada", email, { verified: true, member: true }))
      assert.include(text!, "Since: 2026-11-20 21:01:00 JST")
    })
  )

  it.effect.each([
    ["de", "Ausgefallen: Web", "Web ist ausgefallen", "Seit: 2026-11-20 21:01:00 JST"],
    ["ja", "停止: Web", "Web が停止しています", "開始: 2026-11-20 21:01:00 JST"]
  ] as const)("is in the language that the member who gets it has chosen: %s", ([locale, subject, headline, since]) =>
    Effect.gen(function* () {
      const email = `${locale}@example.test`
      const mail = yield* told(email, account(`usr_${locale}`, email, { verified: true, member: true, locale }))
      assert.strictEqual(mail.subject, subject)
      assert.include(mail.text!, headline)
      assert.include(mail.text!, since)
      assert.include(String(mail.html), `<html lang="${locale}">`)
    })
  )

  it.effect("is in English for an account that is no member, whatever it has chosen", () =>
    Effect.gen(function* () {
      const email = "guest@example.test"
      const mail = yield* told(email, account("usr_guest", email, { verified: true, member: false, locale: "de" }))
      assert.strictEqual(mail.subject, "Down: Web")
    })
  )

  it.effect.each([
    ["is no member", { verified: true, member: false }],
    ["has not proven its address", { verified: false, member: true }]
  ] as const)("keeps the zone of the project for an account that %s", ([words, fields]) =>
    Effect.gen(function* () {
      const email = `${words.replaceAll(" ", "-")}@example.test`
      const { text } = yield* told(email, account(`usr_${words.length}`, email, fields))
      assert.include(text!, "13:01:00 CET")
    })
  )
})
