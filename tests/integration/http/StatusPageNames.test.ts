/** Slugs and domains of status pages are unique in the installation, and invalid ones are refused. */
import { assert, layer } from "@effect/vitest"
import { dns } from "@kanmon/testkit/DnsTarget"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type ApiResponse, layer as server, Logs, person, refused } from "./Server.ts"

const live = { excludeTestServices: true } as const
const pages = server({
  pagesDomain: "pages.example",
  pagesHost: "edge.example",
  reservedDomains: ["alias.example.net"]
})

let slugs = 0
/** A valid body with a unique slug. */
const acme = () => ({ name: "Acme", slug: `acme-${++slugs}` })

const message = ({ body }: ApiResponse): string => body.errors[0].message

layer(pages, live)("the names of status pages", (it) => {
  it.effect("belongs to one page over all projects", () =>
    Effect.gen(function* () {
      const [ada, ben] = [yield* person, yield* person]
      const [draft, customDomain] = [acme(), "status.first.example"]
      const { body: first } = yield* ada.withKey("POST", "/status-pages", { ...draft, customDomain })
      const taken = yield* ben.withKey("POST", "/status-pages", draft)
      refused(taken, 409, "conflict", "slug")
      assert.include(taken.body.detail, "slug: Another status page has this slug")
      // The answer says nothing of whose it is.
      assert.notInclude(JSON.stringify(taken.body), first.id)
      assert.notInclude(JSON.stringify(taken.body), ada.projectId)
      const { body: second } = yield* ben.withKey("POST", "/status-pages", acme())
      const change = (body: unknown) => ben.withKey("PATCH", `/status-pages/${second.id}`, body)
      refused(yield* change({ slug: draft.slug, name: "New" }), 409, "conflict", "slug")
      refused(yield* change({ customDomain: "Status.First.Example." }), 409, "conflict", "customDomain")
      assert.deepStrictEqual((yield* ben.withKey("GET", `/status-pages/${second.id}`)).body, second)

      // A released domain can be used by others.
      yield* ada.withKey("PATCH", `/status-pages/${first.id}`, { customDomain: null, slug: acme().slug })
      const won = yield* change({ customDomain, slug: draft.slug })
      assert.deepInclude(won.body, { customDomain, slug: draft.slug, customDomainStatus: "pending_dns" })
    })
  )

  it.effect("goes to one of several concurrent requests", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const draft = acme()
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, () => ada.withKey("POST", "/status-pages", draft)),
        { concurrency: 8 }
      )
      const [won, ...lost] = answers.toSorted((one, other) => one.status - other.status)
      assert.strictEqual(won!.status, 201)
      for (const answer of lost) refused(answer, 409, "conflict", "slug")
    })
  )

  it.effect("may be a custom domain with a status", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const standing = ({ body }: ApiResponse) => [body.customDomain, body.customDomainStatus, body.customDomainError]
      const made = yield* ada.withKey("POST", "/status-pages", { ...acme(), customDomain: "Münster.Example." })
      assert.deepStrictEqual(standing(made), ["xn--mnster-3ya.example", "pending_dns", null])
      const change = (body: unknown) => ada.withKey("PATCH", `/status-pages/${made.body.id}`, body)
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE status_pages SET custom_domain_status = 'failed', custom_domain_error = 'No such record'
        WHERE id = ${made.body.id}`
      // Another spelling of the same domain restarts nothing.
      for (const body of [{ name: "New" }, { customDomain: "münster.example" }])
        assert.deepStrictEqual(standing(yield* change(body)), ["xn--mnster-3ya.example", "failed", "No such record"])
      assert.deepStrictEqual(standing(yield* change({ customDomain: "b.example" })), ["b.example", "pending_dns", null])
      assert.deepStrictEqual(standing(yield* change({ customDomain: null })), [null, "none", null])
      assert.deepStrictEqual(standing(yield* change({ customDomain: "b.example" })), ["b.example", "pending_dns", null])
      assert.deepStrictEqual(standing(yield* change({ customDomain: "" })), [null, "none", null])
    })
  )

  it.effect("comes with the DNS records to create", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const made = yield* ada.withKey("POST", "/status-pages", { ...acme(), customDomain: "Status.Recorded.example" })
      const fields = (answer: ApiResponse) =>
        answer.body.customDomainRecords.map(({ name, type, value }: Record<string, string>) => [type, name, value])
      const expected = [
        ["CNAME", "status.recorded.example", "edge.example"],
        ["TXT", "_kanmon-challenge.status.recorded.example", ada.projectId]
      ]
      assert.deepStrictEqual(fields(made), expected)
      assert.isTrue(made.body.customDomainRecords.every(({ purpose }: { purpose: string }) => purpose.endsWith(".")))
      assert.deepStrictEqual(fields(yield* ada.withKey("GET", `/status-pages/${made.body.id}`)), expected)
      const [listed] = (yield* ada.withKey("GET", "/status-pages")).body
      assert.deepStrictEqual(listed.customDomainRecords, made.body.customDomainRecords)
      const without = yield* ada.withKey("PATCH", `/status-pages/${made.body.id}`, { customDomain: null })
      assert.deepStrictEqual(without.body.customDomainRecords, [])
    })
  )

  it.effect.each([
    "kanmon.example",
    "KANMON.example.",
    "login.kanmon.example",
    "edge.example",
    "login.Edge.example",
    "ｌｏｇｉｎ.edge.example",
    "alias.example.net",
    "pages.example",
    "acme.pages.example"
  ])("are not %s, which is ours", (customDomain) =>
    Effect.gen(function* () {
      const ada = yield* person
      const answer = yield* ada.withKey("POST", "/status-pages", { ...acme(), customDomain })
      refused(answer, 422, "validation_failed", "customDomain")
      assert.include(message(answer), "belongs to this installation")
      const { body: page } = yield* ada.withKey("POST", "/status-pages", acme())
      refused(
        yield* ada.withKey("PATCH", `/status-pages/${page.id}`, { customDomain }),
        422,
        "validation_failed",
        "customDomain"
      )
    })
  )
})

/** What the name server of these tests says of TXT records, by name. */
const texts = new Map<string, ReadonlyArray<string>>()
const withDns = Layer.unwrap(
  Effect.map(
    dns((name, type) =>
      type === "TXT" && texts.has(name)
        ? texts.get(name)!.map((data) => ({ type: "TXT" as const, name, ttl: 60, data }))
        : "nxdomain"
    ),
    (target) => server({ pagesDomain: "pages.example", pagesHost: "edge.example", resolver: target.server })
  )
)

layer(withDns, live)("a domain that another page has", (it) => {
  it.effect("moves only to the project in the TXT record", () =>
    Effect.gen(function* () {
      const [squatter, owner] = [yield* person, yield* person]
      const customDomain = "status.owned.example"
      const { body: theirs } = yield* squatter.withKey("POST", "/status-pages", { ...acme(), customDomain })
      const { body: mine } = yield* owner.withKey("POST", "/status-pages", acme())
      const take = owner.withKey("PATCH", `/status-pages/${mine.id}`, { customDomain })

      const without = yield* take
      refused(without, 409, "conflict", "customDomain")
      assert.include(message(without), "TXT record _kanmon-challenge.status.owned.example")
      texts.set("_kanmon-challenge.status.owned.example", ["prj_somebody", `${owner.projectId}x`])
      refused(yield* take, 409, "conflict", "customDomain")
      const untouched = yield* squatter.withKey("GET", `/status-pages/${theirs.id}`)
      assert.deepStrictEqual(untouched.body, theirs)

      texts.set("_kanmon-challenge.status.owned.example", ["prj_somebody", owner.projectId])
      assert.deepInclude((yield* take).body, { customDomain, customDomainStatus: "pending_dns" })
      assert.deepInclude((yield* squatter.withKey("GET", `/status-pages/${theirs.id}`)).body, {
        customDomain: null,
        customDomainStatus: "none",
        customDomainError: "The owner of status.owned.example has given it to another status page"
      })
      // Who comes back finds it taken, and has no record.
      const again = yield* squatter.withKey("PATCH", `/status-pages/${theirs.id}`, { customDomain })
      refused(again, 409, "conflict", "customDomain")
      const made = yield* squatter.withKey("POST", "/status-pages", { ...acme(), customDomain })
      refused(made, 409, "conflict", "customDomain")

      // Both pages publish an event.
      const sql = yield* SqlClient.SqlClient
      const told = yield* sql<{ id: string }>`SELECT event->'headers'->>'ce-subject' AS id FROM outbox
        WHERE event->>'subject' LIKE '%.page.%.updated'`
      assert.deepStrictEqual(told.map(({ id }) => id).sort(), [mine.id, theirs.id].sort())
    })
  )

  it.effect("stays with its page within one project", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const customDomain = "status.same.example"
      texts.set("_kanmon-challenge.status.same.example", [ada.projectId])
      yield* ada.withKey("POST", "/status-pages", { ...acme(), customDomain })
      refused(yield* ada.withKey("POST", "/status-pages", { ...acme(), customDomain }), 409, "conflict", "customDomain")
    })
  )
})

const hostile: ReadonlyArray<readonly [body: unknown, paths: ReadonlyArray<string>]> = [
  [{}, ["name", "slug"]],
  ["null", [""]],
  ["[]", [""]],
  [
    { name: "Acme", slug: "acme-x", colour: "red", id: "sp_1", customDomainStatus: "active" },
    ["colour", "customDomainStatus", "id"]
  ],
  ['{"name":"Acme","slug":"acme-x","__proto__":{"customDomain":"a.example"}}', ["__proto__"]],
  [{ name: " ", slug: "Acme", monitorIds: 5, customDomain: 5 }, ["customDomain", "monitorIds", "name", "slug"]],
  [{ name: "a\u0000", slug: "acme-x" }, ["name"]],
  [{ name: "Acme\r\nSet-Cookie: x", slug: "acme-x" }, ["name"]],
  [{ name: "x".repeat(201), slug: "x".repeat(64) }, ["name", "slug"]],
  [{ name: "Acme", slug: "admin" }, ["slug"]],
  [{ name: "Acme", slug: "../../etc/passwd" }, ["slug"]],
  [{ name: "Acme", slug: "x'; DROP TABLE status_pages; --" }, ["slug"]],
  [{ name: "Acme", slug: "xn--80ak6aa92e" }, ["slug"]],
  [{ name: "Acme", slug: ["acme-x"] }, ["slug"]],
  [{ name: "Acme", slug: "acme-x", customDomain: "127.0.0.1" }, ["customDomain"]],
  [{ name: "Acme", slug: "acme-x", customDomain: "https://status.acme.example/" }, ["customDomain"]],
  [{ name: "Acme", slug: "acme-x", customDomain: "status.localhost" }, ["customDomain"]],
  [{ name: "Acme", slug: "acme-x", customDomain: "intranet" }, ["customDomain"]],
  [{ name: "Acme", slug: "acme-x", customDomain: "co.uk" }, ["customDomain"]],
  [{ name: "Acme", slug: "acme-x", customDomain: `${"a.".repeat(115)}example.org` }, ["customDomain"]],
  [{ name: "Acme", slug: "acme-x", customDomain: "a.example\r\nHost: b.example" }, ["customDomain"]],
  [{ name: "Acme", slug: "acme-x", customDomain: "*.acme.example" }, ["customDomain"]],
  [{ name: "Acme", slug: "acme-x", monitorIds: ["prj_1", "mon_' OR 1=1"] }, ["monitorIds[0]", "monitorIds[1]"]],
  [{ name: "Acme", slug: "acme-x", monitorIds: ["mon_1", "mon_1"] }, ["monitorIds[1]"]],
  [
    { name: "Acme", slug: "acme-x", monitorIds: Array.from({ length: 1001 }, (_, index) => `mon_${index}`) },
    ["monitorIds"]
  ],
  [
    { name: "Acme", slug: "acme-x", monitors: [{ monitorId: "mon_1", displayGroup: "a\nb" }] },
    ["monitors[0].displayGroup"]
  ],
  [{ name: "Acme", slug: "acme-x", monitors: [{ monitorId: "mon_1", group: "Shop" }] }, ["monitors[0].group"]]
]

layer(pages, live)("bodies of status pages", (it) => {
  it.effect("refuses invalid bodies with the fields, and stores nothing", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const { body: page } = yield* ada.withKey("POST", "/status-pages", acme())
      for (const [body, paths] of hostile) {
        const headers = { "content-type": "application/json" }
        refused(yield* ada.withKey("POST", "/status-pages", body, headers), 422, "validation_failed", ...paths)
        // In a change nothing is missing.
        if (JSON.stringify(body) === "{}") continue
        refused(
          yield* ada.withKey("PATCH", `/status-pages/${page.id}`, body, headers),
          422,
          "validation_failed",
          ...paths
        )
      }
      assert.deepStrictEqual((yield* ada.withKey("GET", "/status-pages")).body, [page])
      const loud = (yield* Logs).filter(({ level }) => level === "ERROR" || level === "WARN")
      assert.deepStrictEqual(loud, [])
    })
  )

  it.effect("reports at most a hundred unknown monitors", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const monitorIds = Array.from({ length: 1000 }, (_, index) => `mon_none${index}`)
      const answer = yield* ada.withKey("POST", "/status-pages", { ...acme(), monitorIds })
      refused(answer, 422, "validation_failed")
      assert.lengthOf(answer.body.errors, 100)
    })
  )

  it.effect.each(["nonsense", "mon_1", "sp_", "sp_%00", "sp_..%2F..", "sp_none", `sp_${"a".repeat(65)}`])(
    "have no page to change at /%s",
    (id) =>
      Effect.gen(function* () {
        const ada = yield* person
        refused(yield* ada.withKey("GET", `/status-pages/${id}`), 404, "not_found")
        refused(yield* ada.withKey("PATCH", `/status-pages/${id}`, { name: "x" }), 404, "not_found")
        refused(yield* ada.withKey("DELETE", `/status-pages/${id}`), 404, "not_found")
      })
  )
})
