/** Status pages over HTTP, as managed by their projects. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type ApiResponse, call, person, refused, shop } from "./Server.ts"
import { shared } from "./SharedServer.ts"

const live = { excludeTestServices: true } as const

let slugs = 0
/** A valid body with a unique slug. */
const acme = () => ({ name: "Acme", slug: `acme-${++slugs}` })

/** A user with a project and two monitors. */
const owner = Effect.gen(function* () {
  const ada = yield* person
  const monitor = (name: string) =>
    Effect.map(ada.withKey("POST", "/monitors", { ...shop, name }), ({ body }) => body.id as string)
  return { ...ada, till: yield* monitor("Till"), front: yield* monitor("Front") }
})

const message = ({ body }: ApiResponse): string => body.errors[0].message

layer(shared, live)("status pages", (it) => {
  it.effect("creates, reads, changes and deletes a page", () =>
    Effect.gen(function* () {
      const ada = yield* owner
      const body = { ...acme(), monitorIds: [ada.till, ada.front] }
      const made = yield* ada.withKey("POST", "/status-pages", body)
      assert.strictEqual(made.status, 201, JSON.stringify(made.body))
      const { createdAt, id, ...rest } = made.body
      assert.match(id, /^sp_[0-9a-z]{26}$/)
      assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.deepStrictEqual(rest, {
        ...body,
        projectId: ada.projectId,
        monitors: body.monitorIds.map((monitorId) => ({ monitorId, displayGroup: null })),
        key: null,
        tags: [],
        embedOrigins: [],
        customDomain: null,
        customDomainStatus: "none",
        customDomainError: null,
        customDomainRecords: [],
        updatedAt: createdAt
      })
      assert.deepStrictEqual((yield* ada.withKey("GET", `/status-pages/${id}`)).body, made.body)
      assert.deepStrictEqual((yield* ada.withKey("GET", "/status-pages")).body, [made.body])

      const renamed = yield* ada.withKey("PATCH", `/status-pages/${id}`, { name: "Acme Ltd", monitorIds: [ada.front] })
      assert.strictEqual(renamed.status, 200, JSON.stringify(renamed.body))
      const { updatedAt } = renamed.body
      assert.deepStrictEqual(renamed.body, {
        ...made.body,
        name: "Acme Ltd",
        monitorIds: [ada.front],
        monitors: [{ monitorId: ada.front, displayGroup: null }],
        updatedAt
      })
      assert.isAtLeast(Date.parse(updatedAt), Date.parse(createdAt))
      assert.deepStrictEqual((yield* ada.withKey("GET", `/status-pages/${id}`)).body, renamed.body)

      const gone = yield* ada.withKey("DELETE", `/status-pages/${id}`)
      assert.deepStrictEqual([gone.status, gone.body], [200, { id, deleted: true }])
      refused(yield* ada.withKey("GET", `/status-pages/${id}`), 404, "not_found")
      refused(yield* ada.withKey("PATCH", `/status-pages/${id}`, { name: "Again" }), 404, "not_found")
      refused(yield* ada.withKey("DELETE", `/status-pages/${id}`), 404, "not_found")
      assert.deepStrictEqual((yield* ada.withKey("GET", "/status-pages")).body, [])
      // Its name is free again.
      assert.strictEqual((yield* ada.withKey("POST", "/status-pages", body)).status, 201)
    })
  )

  it.effect("shows monitors under headings, in the order of the request", () =>
    Effect.gen(function* () {
      const ada = yield* owner
      const monitors = [
        { monitorId: ada.front, displayGroup: "Läden 🦉" },
        { monitorId: ada.till, displayGroup: null }
      ]
      const { body: made } = yield* ada.withKey("POST", "/status-pages", { ...acme(), monitors })
      assert.deepStrictEqual(made.monitors, monitors)
      assert.deepStrictEqual(made.monitorIds, [ada.front, ada.till])
      const change = (body: unknown) => ada.withKey("PATCH", `/status-pages/${made.id}`, body)
      // Headings stay with the monitors that stay, whatever else changes.
      assert.deepStrictEqual((yield* change({ name: "New" })).body.monitors, monitors)
      const turned = yield* change({ monitorIds: [ada.till, ada.front] })
      assert.deepStrictEqual(turned.body.monitors, [...monitors].reverse())
      const bare = yield* change({ monitors: [{ monitorId: ada.front }] })
      assert.deepStrictEqual(bare.body.monitors, [{ monitorId: ada.front, displayGroup: null }])
      assert.deepStrictEqual((yield* change({ monitorIds: [] })).body.monitors, [])
      refused(yield* change({ monitorIds: [ada.till], monitors }), 422, "validation_failed", "monitors")
      refused(yield* change({ monitorIds: [ada.till, ada.till] }), 422, "validation_failed", "monitorIds[1]")
    })
  )

  it.effect("loses a deleted monitor, and nothing else", () =>
    Effect.gen(function* () {
      const ada = yield* owner
      const monitors = [ada.till, ada.front].map((monitorId) => ({ monitorId, displayGroup: "Shop" }))
      const { body: made } = yield* ada.withKey("POST", "/status-pages", { ...acme(), monitors })
      assert.strictEqual((yield* ada.withKey("DELETE", `/monitors/${ada.till}`)).status, 200)
      const left = { ...made, monitorIds: [ada.front], monitors: [monitors[1]] }
      assert.deepStrictEqual((yield* ada.withKey("GET", `/status-pages/${made.id}`)).body, left)
      const renamed = yield* ada.withKey("PATCH", `/status-pages/${made.id}`, { name: "Still" })
      assert.deepStrictEqual(renamed.body, { ...left, name: "Still", updatedAt: renamed.body.updatedAt })
      refused(
        yield* ada.withKey("PATCH", `/status-pages/${made.id}`, { monitorIds: [ada.front, ada.till] }),
        422,
        "validation_failed",
        "monitorIds[1]"
      )
    })
  )

  it.effect("belongs only to its project", () =>
    Effect.gen(function* () {
      const [ada, ben] = [yield* owner, yield* owner]
      const draft = acme()
      const { body: page } = yield* ben.withKey("POST", "/status-pages", { ...draft, monitorIds: [ben.till] })
      refused(yield* ada.withKey("GET", `/status-pages/${page.id}`), 404, "not_found")
      refused(yield* ada.withKey("PATCH", `/status-pages/${page.id}`, { name: "Mine" }), 404, "not_found")
      // Validation errors do not reveal another project's page.
      refused(yield* ada.withKey("PATCH", `/status-pages/${page.id}`, { slug: "-" }), 404, "not_found")
      refused(yield* ada.withKey("DELETE", `/status-pages/${page.id}`), 404, "not_found")
      assert.deepStrictEqual((yield* ada.withKey("GET", "/status-pages")).body, [])
      assert.deepStrictEqual((yield* ben.withKey("GET", `/status-pages/${page.id}`)).body, page)

      refused(
        yield* ada.withKey("POST", "/status-pages", { ...acme(), monitorIds: [ada.till, ben.till] }),
        422,
        "validation_failed",
        "monitorIds[1]"
      )
      const { body: own } = yield* ada.withKey("POST", "/status-pages", acme())
      const answer = yield* ada.withKey("PATCH", `/status-pages/${own.id}`, {
        name: "Theirs",
        monitors: [{ monitorId: ben.till }, { monitorId: ada.till }, { monitorId: "mon_none" }]
      })
      refused(answer, 422, "validation_failed", "monitors[0].monitorId", "monitors[2].monitorId")
      assert.strictEqual(message(answer), `This project has no ${ben.till}`)
      assert.deepStrictEqual((yield* ada.withKey("GET", `/status-pages/${own.id}`)).body, own)
    })
  )

  it.effect("requires a project's key", () =>
    Effect.gen(function* () {
      const ada = yield* person
      for (const [method, route] of [
        ["GET", "/status-pages"],
        ["POST", "/status-pages"],
        ["GET", "/status-pages/sp_1"],
        ["PATCH", "/status-pages/sp_1"],
        ["DELETE", "/status-pages/sp_1"]
      ] as const) {
        const body = method === "POST" || method === "PATCH" ? acme() : undefined
        refused(yield* call(method, route, body), 401, "unauthorized")
        refused(yield* call(method, route, body, { "x-api-key": `${ada.key}x` }), 401, "unauthorized")
        refused(yield* ada.withSession(method, route, body), 403, "forbidden")
      }
    })
  )

  it.effect("is deleted with its project", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const draft = acme()
      const { body: project } = yield* ada.withSession("POST", "/projects", { name: "Short" })
      const key = { "x-api-key": project.apiKey }
      assert.strictEqual((yield* call("POST", "/status-pages", draft, key)).status, 201)
      refused(yield* ada.withKey("POST", "/status-pages", draft), 409, "conflict", "slug")
      assert.strictEqual((yield* ada.withSession("DELETE", `/projects/${project.id}`)).status, 200)
      assert.strictEqual((yield* ada.withKey("POST", "/status-pages", draft)).status, 201)
    })
  )

  it.effect("lists pages newest first, in parts, only for their project", () =>
    Effect.gen(function* () {
      const [ada, ben] = [yield* person, yield* person]
      const names = ["one", "two", "three", "four", "five"]
      for (const name of names) {
        yield* ada.withKey("POST", "/status-pages", { ...acme(), name })
        yield* ben.withKey("POST", "/status-pages", { ...acme(), name: "Ben's" })
      }
      const seen: Array<string> = []
      for (let next: string | undefined = "/status-pages?limit=2"; next !== undefined;) {
        const answer: ApiResponse = yield* ada.withKey("GET", next)
        assert.isAtMost(answer.body.length, 2)
        seen.push(...answer.body.map(({ name }: { readonly name: string }) => name))
        next = /^<http:\/\/kanmon\.example\/api\/v1([^>]+)>; rel="next"$/.exec(answer.headers.get("link") ?? "")?.[1]
      }
      assert.deepStrictEqual(seen, names.toReversed())
      refused(yield* ada.withKey("GET", "/status-pages?limit=0"), 400, "malformed_request", "limit")
      refused(yield* ada.withKey("GET", "/status-pages?cursor=junk"), 400, "malformed_request", "cursor")
    })
  )

  it.effect("previews a page as visitors would see it, and saves nothing", () =>
    Effect.gen(function* () {
      const [ada, ben] = [yield* owner, yield* owner]
      const tagged = yield* ada.withKey("POST", "/monitors", { ...shop, name: "Tagged", tags: ["prod"] })
      yield* ada.withKey("POST", "/incidents", { title: "Payments fail", message: "See https://a.example/x." })
      const draft = {
        ...acme(),
        name: "<script>alert(1)</script>",
        monitors: [
          { monitorId: ada.till, displayGroup: "Läden" },
          { monitorId: ada.front, displayGroup: null }
        ],
        tags: ["prod"]
      }
      const shown = yield* ada.withKey("POST", "/status-pages/preview?scheme=dark", draft)
      assert.strictEqual(shown.status, 200, JSON.stringify(shown.body))
      const { html }: { readonly html: string } = shown.body
      assert.match(html, /^<!doctype html>\n<html lang="en" data-scheme="dark">/)
      assert.match(html, /<link rel="stylesheet" href="\/assets\/status-page-[0-9a-f]{12}\.css"\s?\/>/)
      // A strict policy runs no script and no inline style.
      assert.notMatch(html, /<script|<style|\sstyle=|\son[a-z]+=/)
      for (const text of ["&lt;script", "Till", "Front", "Tagged", "Läden", "Payments fail", "https://a.example/x"])
        assert.include(html, text)
      assert.isBelow(html.indexOf("Till"), html.indexOf("Tagged"))
      assert.deepStrictEqual((yield* ada.withKey("GET", "/status-pages")).body, [])
      assert.notInclude((yield* ada.withKey("POST", "/status-pages/preview", draft)).body.html, "data-scheme")

      // A saved page looks the same, and its taken slug can be previewed.
      assert.strictEqual((yield* ada.withKey("POST", "/status-pages", draft)).status, 201)
      const again = yield* ada.withKey("POST", "/status-pages/preview", draft)
      assert.strictEqual(again.status, 200)

      const foreign = { ...acme(), monitors: [{ monitorId: ada.till, displayGroup: null }], tags: ["prod"] }
      refused(
        yield* ben.withKey("POST", "/status-pages/preview", foreign),
        422,
        "validation_failed",
        "monitors[0].monitorId"
      )
      const onlyTags = yield* ben.withKey("POST", "/status-pages/preview", { ...foreign, monitors: [] })
      assert.notInclude(onlyTags.body.html, tagged.body.name)
      refused(
        yield* ada.withKey("POST", "/status-pages/preview", { name: "" }),
        422,
        "validation_failed",
        "name",
        "slug"
      )
      refused(
        yield* ada.withKey("POST", "/status-pages/preview?scheme=pink", draft),
        400,
        "malformed_request",
        "scheme"
      )
    })
  )

  it.effect("creates one page for the same Idempotency-Key", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const draft = acme()
      const headers = { "idempotency-key": "page-1" }
      const first = yield* ada.withKey("POST", "/status-pages", draft, headers)
      const again = yield* ada.withKey("POST", "/status-pages", draft, headers)
      assert.deepStrictEqual([again.status, again.headers.get("idempotency-replayed")], [201, "true"])
      assert.deepStrictEqual(again.body, first.body)
      assert.lengthOf((yield* ada.withKey("GET", "/status-pages")).body, 1)
      refused(yield* ada.withKey("POST", "/status-pages", acme(), headers), 422, "validation_failed")
      // A refusal is not kept: the key is free for a better name.
      const other = { "idempotency-key": "page-2" }
      refused(yield* ada.withKey("POST", "/status-pages", draft, other), 409, "conflict", "slug")
      assert.strictEqual((yield* ada.withKey("POST", "/status-pages", acme(), other)).status, 201)
    })
  )
})
