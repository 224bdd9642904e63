/** The addresses that an installation below a path gives to others: each is opened as it was given, and leads to what it says. */
import { assert, layer } from "@effect/vitest"
import { documentSigner } from "@kanmon/testkit/Certificates"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Saml from "../../support/SamlProvider.ts"
import * as SignOnBrowser from "../../support/SignOnBrowser.ts"
import { mailTo, withMail } from "./Mailbox.ts"
import { tenant, user } from "./ScimStage.ts"
import { person, port, shop } from "./Server.ts"
import { organizationOf } from "./Team.ts"

const live = { excludeTestServices: true } as const
const origin = "http://kanmon.example"
const base = `${origin}/team/kanmon`
const api = `${base}/api/v1`
const idp = "https://idp.acme.example"

const below = withMail({ baseUrl: base, trustedProxy: true, recipients: { confirm: true } })

const browser = Effect.map(port, (at) => SignOnBrowser.make({ [origin]: `http://127.0.0.1:${at}` }))

/** Opens an address, which must be one below the path, and returns what is there. */
const opened = (visitor: SignOnBrowser.SignOnBrowser, address: string) =>
  Effect.gen(function* () {
    assert.isTrue(address.startsWith(`${base}/`), address)
    const visit = yield* Effect.promise(() => visitor.open(address))
    assert.strictEqual(visit.status, 200, `${address}: ${visit.text}`)
    return visit
  })

/** The addresses of the installation's host in a text. Examples of the documentation are of the same name, but with TLS. */
const addressesIn = (text: string): ReadonlyArray<string> => [
  ...new Set(
    [...text.matchAll(/http:\/\/kanmon\.example[^\s"'<>\\)]*/g)].map(([address]) => address.replaceAll("&amp;", "&"))
  )
]

/** What a form sends that is left as it is. */
const fieldsOf = (page: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...page.matchAll(/<input[^>]*>/g)].map(([input]) => [
      /name="([^"]*)"/.exec(input)?.[1] ?? "",
      /value="([^"]*)"/.exec(input)?.[1] ?? ""
    ])
  )

layer(below, live)("the addresses of an installation below a path", (it) => {
  it.effect("lead through a SAML identity provider and back", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const organization = yield* organizationOf(ada)
      const signer = yield* documentSigner
      const sql = yield* SqlClient.SqlClient
      const saved = yield* ada.withSession("PUT", `/organizations/${organization}/sso`, {
        protocol: "saml",
        enabled: true,
        enforced: false,
        roles: [],
        defaultRole: "viewer",
        entityId: `${idp}/metadata`,
        signInUrl: `${idp}/sso`,
        certificates: [signer.cert],
        attributes: {}
      })
      assert.strictEqual(saved.status, 200, JSON.stringify(saved.body))
      yield* sql`INSERT INTO sign_on_domains (organization_id, domain, proof, verified_at, created_at)
        VALUES (${organization}, 'acme.example', 'proof', now(), now())`
      const consumer = `${api}/auth/sso/saml/${organization}/acs`
      const audience = `${api}/auth/sso/saml/${organization}/metadata`
      const visitor = yield* browser
      const metadata = yield* opened(visitor, saved.body.entityId)
      assert.strictEqual(saved.body.entityId, audience)
      assert.include(metadata.text, `Location="${consumer}"`)

      const begun = yield* Effect.promise(() =>
        visitor.postJson(`${api}/auth/sign-in/sso`, { organization, callbackURL: "/monitors" })
      )
      const { id, state, xml } = Saml.requested(JSON.parse(begun.text).url)
      assert.include(xml, consumer)
      const worker = "worker@acme.example"
      const assertion = Saml.assertion({
        id: Saml.newId(),
        issuer: `${idp}/metadata`,
        audience,
        recipient: consumer,
        inResponseTo: id,
        nameId: worker,
        email: worker,
        groups: [],
        from: -5,
        until: 300
      })
      const envelope = { inResponseTo: id, destination: consumer, issuer: `${idp}/metadata` }
      const answer = Saml.response(Saml.sign(assertion, signer), envelope)
      const fields = { SAMLResponse: Buffer.from(answer).toString("base64"), RelayState: state }
      const arrived = yield* Effect.promise(() => visitor.post(consumer, fields, idp, { stopAt: `${base}/monitors` }))
      assert.strictEqual(arrived.url.href, `${base}/monitors`, arrived.text)
      assert.include((yield* opened(visitor, `${api}/auth/get-session`)).text, worker)
    })
  )

  it.effect("name what a directory creates by SCIM", () =>
    Effect.gen(function* () {
      const { domain, scim } = yield* tenant
      const created = yield* scim("POST", "/Users", user(`ben@${domain}`))
      assert.strictEqual(created.status, 201, JSON.stringify(created.body))
      const location = created.headers.get("location")!
      assert.strictEqual(location, `${api}/scim/v2/Users/${created.body.id}`)
      assert.strictEqual(created.body.meta.location, location)
      const again = yield* scim("GET", location.slice(`${api}/scim/v2`.length))
      assert.strictEqual(again.body.userName, `ben@${domain}`)
    })
  )

  it.effect("confirm the receiver of a channel by the button behind the link of the mail", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const visitor = yield* browser
      const address = "oncall@example.org"
      const made = yield* ada.withKey("POST", "/notification-channels", {
        name: "Mail",
        type: "email",
        config: { address }
      })
      assert.strictEqual(made.body.confirmation, "pending", JSON.stringify(made.body))
      const { parsed } = yield* mailTo(address)
      const link = addressesIn(parsed.text!).find((found) => found.includes("channel-confirmations"))!
      const page = yield* opened(visitor, link)
      const [, action = ""] = /<form[^>]*action="([^"]*)"/.exec(page.text) ?? []
      const to = new URL(action.replaceAll("&amp;", "&"), link).href
      assert.isTrue(to.startsWith(`${base}/`), to)
      const pressed = yield* Effect.promise(() => visitor.post(to, fieldsOf(page.text), base))
      assert.strictEqual(pressed.status, 200, pressed.text)
      const { body } = yield* ada.withKey("GET", `/notification-channels/${made.body.id}`)
      assert.strictEqual(body.confirmation, "confirmed")
    })
  )

  it.effect("are those of calendars, heartbeats, feeds and the reference", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const visitor = yield* browser
      const calendar = yield* ada.withSession("POST", "/account/calendar")
      const events = yield* opened(visitor, calendar.body.url)
      assert.include(events.text, "BEGIN:VCALENDAR")
      const job = yield* ada.withKey("POST", "/monitors", { name: "Job", type: "heartbeat", interval: 60 })
      yield* opened(visitor, job.body.heartbeatUrl)

      const monitor = (yield* ada.withKey("POST", "/monitors", shop)).body.id
      yield* ada.withKey("POST", "/status-pages", { name: "Acme", slug: "acme", monitorIds: [monitor] })
      yield* ada.withKey("POST", "/incidents", {
        title: "Slow",
        status: "investigating",
        message: "We look into it",
        monitorIds: [monitor]
      })
      const documents = ["status/acme/feed.atom", "status/acme/feed.rss", "status/acme/feed.json", "api/v1/docs"]
      const found: Array<string> = []
      for (const document of documents) {
        const { text, url } = yield* opened(visitor, `${base}/${document}`)
        const references = [...text.matchAll(/\s(?:href|src)="([^"#]+)"/g)].map(([, to]) => new URL(to!, url).href)
        found.push(...addressesIn(text), ...references.filter((address) => address.startsWith(origin)))
      }
      const pages = new Set(found.map((address) => address.split("#")[0]!))
      assert.isAbove(pages.size, 3)
      for (const address of pages) if (address !== base) yield* opened(visitor, address)
    })
  )
})
