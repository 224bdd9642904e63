/** Status pages as visitors and tools see them, over HTTP. */
import { eventually } from "@kanmon/testkit/Eventually"
import { gunzipSync } from "node:zlib"
import { request as httpRequest } from "node:http"
import { assert, layer } from "@effect/vitest"
import { EventBus } from "@kanmon/core/EventBus"
import * as Subjects from "@kanmon/domain/Subjects"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { objections } from "../../support/BundledContract.ts"
import { layerOverWire as server, person, port, refused, shop, Wire } from "./Server.ts"

interface Got {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
}

/** One request to the server's socket, with any Host header: no client library would send it otherwise. */
const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
  Effect.flatMap(port, (at) =>
    Effect.promise(
      () =>
        new Promise<Got>((resolve, reject) => {
          const request = httpRequest(
            { host: "127.0.0.1", port: at, path, method, headers, agent: false },
            (response) => {
              const chunks: Array<Buffer> = []
              response.on("data", (chunk: Buffer) => void chunks.push(chunk))
              response.on("end", () => {
                const body = Buffer.concat(chunks)
                const text = (response.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body).toString()
                resolve({ status: response.statusCode!, headers: response.headers as Got["headers"], text })
              })
            }
          )
          request.on("error", reject)
          request.end()
        })
    )
  ).pipe(
    Effect.tap((got) => Effect.sync(() => "host" in headers || assert.deepStrictEqual(wrong(method, path, got), [])))
  )

/** On a page's own host the paths are others. */
const wrong = (method: string, path: string, { headers, status, text }: Got) =>
  objections({ method, path, status, headers: new Headers(headers as Record<string, string>), text })

let slugs = 0
const owner = Effect.gen(function* () {
  const ada = yield* person
  const slug = `acme-${++slugs}`
  const monitors: Array<string> = []
  const add = (name: string) =>
    Effect.map(ada.withKey("POST", "/monitors", { ...shop, name }), ({ body }) => void monitors.push(body.id as string))
  yield* add("Till")
  yield* add("Front")
  const page = yield* ada.withKey("POST", "/status-pages", { name: "Acme", slug, monitorIds: monitors })
  return { ...ada, slug, monitors, page: page.body as { readonly id: string } }
})

/** Publishes an event of the project, as the outbox relay does. */
const tell = (subject: string) =>
  Effect.flatMap(EventBus, (bus) => bus.publish([{ subject, id: `${subject} ${Math.random()}`, payload: "{}" }]))

layer(
  server({
    pagesDomain: "pages.example",
    pagesHost: "edge.example",
    reservedDomains: ["alias.example"],
    baseUrl: "https://kanmon.example"
  }),
  {
    excludeTestServices: true,
    timeout: "60 seconds"
  }
)("public pages", (it) => {
  it.effect("finds a page by path, below the pages' domain and on its custom domain", () =>
    Effect.gen(function* () {
      const ada = yield* owner
      const own = `status.${ada.slug}.example`
      yield* ada.withKey("PATCH", `/status-pages/${ada.page.id}`, { customDomain: own })
      const byPath = yield* get(`/status/${ada.slug}`)
      assert.strictEqual(byPath.status, 200, byPath.text)
      assert.strictEqual(byPath.headers["content-type"], "text/html; charset=utf-8")
      assert.match(byPath.headers["content-security-policy"]!, /default-src 'none'/)
      for (const word of ["Acme", "Till", "Front"]) assert.include(byPath.text, word)
      const byHost = yield* get("/", { host: `${ada.slug}.pages.example` })
      assert.strictEqual(byHost.status, 200)
      assert.strictEqual((yield* get("/", { host: `${ada.slug.toUpperCase()}.PAGES.example:8080` })).status, 200)
      // A domain that has not been shown to lead here is not served.
      assert.notInclude((yield* get("/", { host: own })).text, "Till")
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE status_pages SET custom_domain_status = 'active' WHERE id = ${ada.page.id}`
      yield* tell(Subjects.pageEvent(ada.projectId as never, ada.page.id as never, "updated"))
      const byDomain = yield* eventually(get("/", { host: own }), ({ text }) => text.includes(`https://${own}`))
      assert.include(byDomain.text, "Till")
      assert.isUndefined(byDomain.headers["strict-transport-security"])
      // Nothing else of the product is served there.
      refused(yield* asJson(get("/api/v1/health", { host: own })), 404, "not_found")
      assert.strictEqual((yield* get("/api/v1/health/live", { host: "kanmon.example" })).status, 200)
    })
  )

  it.effect("serves the API on the installation's names and below, whatever the database contains", () =>
    Effect.gen(function* () {
      const ada = yield* owner
      const sql = yield* SqlClient.SqlClient
      const claimed = `status.${ada.slug}.example`
      const own = ["login.kanmon.example", "edge.example", "login.edge.example", "admin.alias.example", claimed]
      for (const [index, name] of own.entries())
        yield* sql`INSERT INTO status_pages
          (id, project_id, name, slug, custom_domain, custom_domain_status, created_at, updated_at)
          VALUES (${`sp_own${index}`}, ${ada.projectId}, 'Fake sign-in', ${`fake-${index}`}, ${name}, 'active', now(), now())`
      yield* tell(Subjects.pageEvent(ada.projectId as never, ada.page.id as never, "updated"))
      // Known domains are read together: once one is served, the others would be.
      yield* eventually(get("/", { host: claimed }), ({ text }) => text.includes("Fake sign-in"))
      for (const name of [...own.slice(0, -1), "LOGIN.Edge.Example.:443"]) {
        const got = yield* get("/api/v1/health/live", { host: name })
        assert.strictEqual(got.status, 200, name)
        assert.notInclude((yield* get("/", { host: name })).text, "Fake sign-in", name)
      }
      yield* sql`DELETE FROM status_pages WHERE name = 'Fake sign-in'`
    })
  )

  it.effect("answers an unknown page with a readable 404", () =>
    Effect.gen(function* () {
      for (const got of [
        yield* get("/status/nobody"),
        yield* get("/", { host: "nobody.pages.example" }),
        yield* get("/", { host: "a.b.pages.example" }),
        yield* get("/status/%00"),
        yield* get("/status/..%2f..%2fetc")
      ]) {
        assert.strictEqual(got.status, 404)
        assert.match(got.headers["content-type"]!, /^text\/html/)
        assert.include(got.text, "There is no status page here")
      }
      refused(yield* asJson(get("/api/v1/public/status-pages/nobody")), 404, "not_found")
      refused(yield* asJson(get("/status/nobody/feed.atom")), 404, "not_found")
      // One that is made afterwards is there at once.
      const ada = yield* person
      assert.strictEqual((yield* get("/status/afterwards")).status, 404)
      const made = yield* ada.withKey("POST", "/status-pages", { name: "Acme", slug: "afterwards" })
      yield* tell(Subjects.pageEvent(ada.projectId as never, made.body.id, "created"))
      yield* eventually(get("/status/afterwards"), ({ status }) => status === 200)
    })
  )

  it.effect("serves feeds, badges and Statuspage files", () =>
    Effect.gen(function* () {
      const ada = yield* owner
      const base = `/status/${ada.slug}`
      for (const [path, type] of [
        ["/feed.atom", "application/atom+xml"],
        ["/feed.rss", "application/rss+xml"],
        ["/feed.json", "application/feed+json"],
        ["/api/v2/summary.json", "application/json"],
        ["/api/v2/status.json", "application/json"],
        ["/api/v2/incidents.json", "application/json"],
        ["/badge/status.svg", "image/svg+xml"],
        ["/badge/uptime.svg", "image/svg+xml"],
        ["/badge/uptime-7d.svg", "image/svg+xml"],
        [`/badge/${ada.monitors[0]}/status.svg`, "image/svg+xml"],
        [`/badge/${ada.monitors[0]}/uptime-90d.svg`, "image/svg+xml"]
      ]) {
        const got = yield* get(`${base}${path}`)
        assert.strictEqual(got.status, 200, path)
        assert.isTrue(got.headers["content-type"]!.startsWith(type!), `${path}: ${got.headers["content-type"]}`)
        assert.strictEqual(got.headers["access-control-allow-origin"], "*")
        assert.match(got.headers["cache-control"]!, /^public, max-age=\d+$/)
      }
      for (const path of ["/badge/mon_unknown/status.svg", "/badge/status-7d.svg", "/api/v2/other.json", "/nothing"])
        refused(yield* asJson(get(`${base}${path}`)), 404, "not_found")
    })
  )

  it.effect("opens its compact form, and nothing else, for the sites that it names", () =>
    Effect.gen(function* () {
      const ada = yield* owner
      const base = `/status/${ada.slug}`
      const policy = (path: string, headers: Readonly<Record<string, string>> = {}) =>
        Effect.map(get(path, headers), (got) => {
          assert.isUndefined(got.headers["set-cookie"])
          return {
            frame: /frame-ancestors ([^;]*)/.exec(got.headers["content-security-policy"] ?? "")?.[1],
            older: got.headers["x-frame-options"],
            ...got
          }
        })
      const closed = yield* policy(`${base}/embed`)
      assert.deepInclude(closed, { status: 200, frame: "'none'", older: "DENY" })
      const embedOrigins = ["https://portal.example.org", "https://intranet.example:8443"]
      const saved = yield* ada.withKey("PATCH", `/status-pages/${ada.page.id}`, { embedOrigins })
      assert.deepStrictEqual(saved.body.embedOrigins, embedOrigins)
      yield* tell(Subjects.pageEvent(ada.projectId as never, ada.page.id as never, "updated"))
      const open = yield* eventually(policy(`${base}/embed`), ({ frame }) => frame !== "'none'")
      assert.strictEqual(open.frame, embedOrigins.join(" "))
      assert.isUndefined(open.older)
      assert.notStrictEqual(open.headers["etag"], closed.headers["etag"])
      for (const word of ["Acme", "View the status page", `${ada.slug}.pages.example`]) assert.include(open.text, word)
      assert.notInclude(open.text, "<script")
      assert.notInclude(open.headers["content-security-policy"]!, "script-src")
      const unchanged = yield* policy(`${base}/embed`, { "if-none-match": open.headers["etag"]! })
      assert.deepInclude(unchanged, { status: 304, frame: open.frame })
      assert.include((yield* get(`${base}/embed?theme=dark`)).text, '<html lang="en" data-scheme="dark">')
      assert.include((yield* get(`${base}/embed?theme=%22%3E`)).text, '<html lang="en">')
      const atHost = yield* policy("/embed", { host: `${ada.slug}.pages.example` })
      assert.strictEqual(atHost.frame, open.frame)
      for (const path of [
        base,
        `${base}/`,
        `${base}?part=monitors`,
        `${base}/embed/`,
        `${base}/feed.atom`,
        `${base}/nothing`
      ]) {
        const got = yield* policy(path)
        assert.deepStrictEqual([got.frame, got.older], ["'none'", "DENY"], path)
      }
      const dashboard = yield* policy("/api/v1/health", { host: "kanmon.example" })
      assert.deepStrictEqual([dashboard.frame, dashboard.older], ["'none'", "DENY"])
      // The sites are the owner's business.
      assert.notInclude((yield* get(`/api/v1/public/status-pages/${ada.slug}`)).text, "intranet.example")
      assert.strictEqual((yield* get("/status/nobody/embed")).status, 404)
    })
  )

  it.effect("answers 304 if nothing changed", () =>
    Effect.gen(function* () {
      const ada = yield* owner
      const base = `/status/${ada.slug}`
      for (const path of [base, `${base}/feed.atom`, `/api/v1/public/status-pages/${ada.slug}`]) {
        const first = yield* get(path)
        const again = yield* get(path, { "if-none-match": `"other", ${first.headers["etag"]}` })
        assert.deepStrictEqual([again.status, again.text], [304, ""])
        assert.strictEqual(again.headers["etag"], first.headers["etag"])
        const packed = yield* get(path, { "accept-encoding": "br, gzip" })
        assert.strictEqual(packed.headers["content-encoding"], "gzip")
        assert.strictEqual(packed.text, first.text)
        assert.isUndefined((yield* get(path, { "accept-encoding": "gzip;q=0" })).headers["content-encoding"])
        const head = yield* get(path, {}, "HEAD")
        assert.deepStrictEqual([head.status, head.text, head.headers["etag"]], [200, "", first.headers["etag"]])
        refused(yield* asJson(get(path, {}, "POST")), 405, "method_not_allowed")
      }
      const before = yield* get(base)
      yield* ada.withKey("PATCH", `/status-pages/${ada.page.id}`, { name: "Acme Ltd" })
      yield* tell(Subjects.pageEvent(ada.projectId as never, ada.page.id as never, "updated"))
      const after = yield* eventually(get(base), ({ text }) => text.includes("Acme Ltd"))
      assert.notStrictEqual(after.headers["etag"], before.headers["etag"])
      yield* ada.withKey("DELETE", `/status-pages/${ada.page.id}`)
      yield* tell(Subjects.pageEvent(ada.projectId as never, ada.page.id as never, "deleted"))
      yield* eventually(get(base), ({ status }) => status === 404)
    })
  )

  it.effect("returns JSON in parts", () =>
    Effect.gen(function* () {
      const ada = yield* owner
      const many = yield* Effect.forEach(
        Array.from({ length: 118 }, (_, index) => `Shop ${index}`),
        (name) => Effect.map(ada.withKey("POST", "/monitors", { ...shop, name }), ({ body }) => body.id as string),
        { concurrency: 8 }
      )
      const monitorIds = [...ada.monitors, ...many]
      const slug = `${ada.slug}-many`
      yield* ada.withKey("POST", "/status-pages", { name: "Many", slug, monitorIds })
      const seen: Array<string> = []
      let cursor: string | null = ""
      do {
        const part: any = yield* asJson(get(`/api/v1/public/status-pages/${slug}?cursor=${cursor}`))
        seen.push(...part.body.monitors.map(({ id }: { readonly id: string }) => id))
        cursor = part.body.nextCursor
      } while (cursor !== null)
      assert.deepStrictEqual(seen, monitorIds)
      const shown = new Set<string>()
      for (const from of [0, 50, 100]) {
        const { text } = yield* get(`/status/${slug}?cursor=${from}&part=monitors`)
        for (const [, name] of text.matchAll(/(Shop \d+|Till|Front)/g)) shown.add(name!)
      }
      assert.strictEqual(shown.size, 120)
      for (const strange of ["7", "-50", "x", "1e3"])
        refused(
          yield* asJson(get(`/api/v1/public/status-pages/${slug}?cursor=${strange}`)),
          400,
          "malformed_request",
          "cursor"
        )
      for (const beyond of [150, 500, 999_950]) {
        assert.strictEqual((yield* get(`/status/${slug}?cursor=${beyond}`)).status, 404)
        assert.strictEqual((yield* get(`/status/${slug}?cursor=${beyond}&part=monitors`)).status, 404)
        const record = yield* asJson(get(`/api/v1/public/status-pages/${slug}?cursor=${beyond}`))
        refused(record, 404, "not_found")
      }
    })
  )

  it.effect("serves pages while the database is down", () =>
    Effect.gen(function* () {
      const ada = yield* owner
      const first = yield* get(`/status/${ada.slug}`)
      assert.strictEqual(first.status, 200)
      const wire = yield* Wire
      yield* wire.cut
      yield* tell(Subjects.incidentEvent(ada.projectId as never, "inc_x" as never, "opened"))
      assert.strictEqual((yield* get(`/status/${ada.slug}`)).status, 200)
      // One that is not known yet cannot be shown: that is said, and not that it does not exist.
      assert.strictEqual((yield* get("/status/unknown-yet")).status, 503)
      yield* wire.mend
    })
  )
})

const asJson = <R>(ask: Effect.Effect<Got, never, R>) =>
  Effect.map(ask, ({ headers, status, text }) => ({
    status,
    headers: new Headers(headers as Record<string, string>),
    body: JSON.parse(text)
  }))
