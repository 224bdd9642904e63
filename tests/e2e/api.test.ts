/** What the API says to bad input, strangers and the impatient. One product serves the whole file. */
import { assert, describe, it } from "@effect/vitest"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Effect, Exit, Scope } from "effect"
import { afterAll, beforeAll } from "vitest"
import { cookieOf } from "../support/Cookies.ts"
import { type ApiResponse, type Client, make, type Product } from "../support/Product.ts"

const scope = Scope.makeUnsafe()
let product: Product
let ada: Client & { readonly cookie: string; readonly projectId: string }
let ben: typeof ada
const run = <A>(effect: Effect.Effect<A, never, Scope.Scope>) =>
  Effect.runPromise(Effect.provideService(effect, Scope.Scope, scope))

beforeAll(async () => {
  product = await run(make({ env: { KANMON_SIGN_INS_PER_MINUTE: "5" }, withoutNats: true }))
  await run(product.healthy)
  ada = await run(product.signUp)
  ben = await run(product.signUp)
})
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const monitor = { name: "Shop", type: "http", url: "http://127.0.0.1:9/", interval: 60 }
const paths = (answer: ApiResponse): ReadonlyArray<string> =>
  answer.body.errors.map(({ path }: { readonly path: string }) => path).sort()

const refuses = async (answer: ApiResponse, status: number, code: string): Promise<void> => {
  assert.strictEqual(answer.status, status, JSON.stringify(answer.body))
  assert.strictEqual(answer.headers.get("content-type"), "application/problem+json")
  assert.strictEqual(answer.body.code, code)
  assert.strictEqual(answer.body.status, status)
  assert.strictEqual(answer.body.requestId, answer.headers.get("x-request-id"))
}

describe("an invalid body", () => {
  it.each(["{bad", "", "[1", "\u0000"])("answers 400 to %j", async (body) =>
    refuses(
      await run(ada.call("POST", "/monitors", body, { "content-type": "application/json" })),
      400,
      "malformed_request"
    )
  )

  it.each([
    ["nothing", {}, ["type"]],
    ["a list", [], [""]],
    ["an unknown type", { ...monitor, type: "gopher" }, ["type"]],
    ["a typo", { ...monitor, intervall: 30 }, ["intervall"]],
    ["missing fields of the type", { name: "x", type: "tcp" }, ["host", "port"]],
    [
      "several wrong types",
      { ...monitor, name: 5, interval: "60", url: "ftp://x", headers: { a: 1 } },
      ["headers.a", "interval", "name", "url"]
    ],
    ["an interval out of bounds", { ...monitor, interval: 5 }, ["interval"]],
    ["a timeout above the interval", { ...monitor, timeout: "90s" }, ["timeout"]],
    ["an unknown region", { ...monitor, regions: ["mars-north"] }, ["regions[0]"]],
    ["a body on GET", { ...monitor, body: "x" }, ["body"]],
    ["a catastrophic pattern that is none in RE2", { ...monitor, bodyMatches: "(?=x)" }, ["bodyMatches"]],
    ["a header that would split the request", { ...monitor, headers: { "x-a": "b\r\nc: d" } }, ["headers.x-a"]]
  ])("answers 422 to %s, and names the fields", async (_name, body, expected) => {
    const answer = await run(ada.call("POST", "/monitors", body))
    await refuses(answer, 422, "validation_failed")
    assert.deepStrictEqual(paths(answer), expected)
  })

  it("is answered 413 above 1 MiB, with or without Content-Length", async () => {
    await refuses(
      await run(ada.call("POST", "/monitors", { ...monitor, name: "x".repeat(1_100_000) })),
      413,
      "payload_too_large"
    )
    const chunks = new ReadableStream({
      start(controller) {
        for (let index = 0; index < 40; index++) controller.enqueue(new TextEncoder().encode("x".repeat(65_536)))
        controller.close()
      }
    })
    const answer = await fetch(`${product.base}/monitors`, {
      method: "POST",
      headers: { "x-api-key": ada.key, "content-type": "application/json" },
      body: chunks,
      duplex: "half"
    } as RequestInit).catch(() => undefined)
    assert.include([413, undefined], answer?.status)
    assert.strictEqual((await run(product.call("GET", "/health/live"))).status, 200)
  })

  it("is answered 415 if it is not JSON", async () =>
    refuses(
      await run(ada.call("POST", "/monitors", "name=x", { "content-type": "text/plain" })),
      415,
      "unsupported_media_type"
    ))

  it.each(["limit=0", "limit=1001", "limit=x", "status=sideways"])("answers 400 to ?%s", async (query) =>
    refuses(await run(ada.call("GET", `/monitors?${query}`)), 400, "malformed_request")
  )
})

describe("authorization", () => {
  it("requires a credential", async () => {
    await refuses(await run(product.call("GET", "/monitors")), 401, "unauthorized")
    await refuses(
      await run(product.call("GET", "/monitors", undefined, { "x-api-key": "km_wrong" })),
      401,
      "unauthorized"
    )
    await refuses(
      await run(product.call("GET", "/monitors", undefined, { "x-api-key": `km_${"x".repeat(43)}` })),
      401,
      "unauthorized"
    )
  })

  it("accepts keys for monitors and sessions for the list of projects", async () => {
    await refuses(await run(product.call("GET", "/monitors", undefined, { cookie: ada.cookie })), 403, "forbidden")
    await refuses(await run(ada.call("GET", "/projects")), 403, "forbidden")
  })

  it("hides other projects' records", async () => {
    const made = await run(ada.call("POST", "/monitors", monitor))
    for (const route of ["", "/stats", "/daily-uptime", "/response-times", "/heartbeat-metrics"]) {
      await refuses(await run(ben.call("GET", `/monitors/${made.body.id}${route}`)), 404, "not_found")
    }
    await refuses(await run(ben.call("PATCH", `/monitors/${made.body.id}`, { name: "mine" })), 404, "not_found")
    await refuses(await run(ben.call("DELETE", `/monitors/${made.body.id}`)), 404, "not_found")
    await refuses(await run(ben.call("GET", `/projects/${ada.projectId}`)), 404, "not_found")
    await refuses(
      await run(product.call("DELETE", `/projects/${ada.projectId}`, undefined, { cookie: ben.cookie })),
      404,
      "not_found"
    )
    assert.strictEqual((await run(ada.call("GET", `/monitors/${made.body.id}`))).status, 200)
  })

  it("refuses a session's request from another origin", async () =>
    refuses(
      await run(
        product.call("POST", "/projects", { name: "x" }, { cookie: ada.cookie, origin: "https://evil.example" })
      ),
      403,
      "forbidden"
    ))

  it("revokes a replaced key, and the key of a deleted project, at once", async () => {
    const made = await run(product.call("POST", "/projects", { name: "Short-lived" }, { cookie: ada.cookie }))
    assert.strictEqual(made.status, 201)
    const renewed = await run(
      product.call("POST", `/projects/${made.body.id}/api-key`, undefined, { "x-api-key": made.body.apiKey })
    )
    await refuses(
      await run(product.call("GET", "/monitors", undefined, { "x-api-key": made.body.apiKey })),
      401,
      "unauthorized"
    )
    const key = { "x-api-key": renewed.body.apiKey as string }
    await run(product.call("POST", "/monitors", monitor, key))
    assert.deepStrictEqual((await run(product.call("DELETE", `/projects/${made.body.id}`, undefined, key))).body, {
      id: made.body.id,
      deleted: true
    })
    await refuses(await run(product.call("GET", "/monitors", undefined, key)), 401, "unauthorized")
  })

  it.each(["/monitors/mon_nobody", "/monitors/nonsense", "/nothing", "/monitors/mon_nobody/nothing"])(
    "answers 404 to %s",
    async (route) => refuses(await run(ada.call("GET", route)), 404, "not_found")
  )

  it("answers 405 to an unsupported method", async () => {
    const answer = await run(ada.call("PUT", "/monitors"))
    await refuses(answer, 405, "method_not_allowed")
    assert.include(answer.headers.get("allow") ?? "", "POST")
  })
})

describe("requests", () => {
  it("runs a request with an Idempotency-Key once, also if it arrives twice at the same time", async () => {
    const headers = { "idempotency-key": "k1" }
    const first = await run(ada.call("POST", "/monitors", { ...monitor, name: "Once" }, headers))
    const again = await run(ada.call("POST", "/monitors", { ...monitor, name: "Once" }, headers))
    assert.deepStrictEqual([again.status, again.body], [201, first.body])
    await refuses(
      await run(ada.call("POST", "/monitors", { ...monitor, name: "Other" }, headers)),
      422,
      "validation_failed"
    )
    const both = await Promise.all(
      [1, 2, 3, 4].map(() => run(ada.call("POST", "/monitors", monitor, { "idempotency-key": "k2" })))
    )
    const ids = new Set(both.filter(({ status }) => status === 201).map(({ body }) => body.id))
    assert.strictEqual(ids.size, 1)
    for (const { status } of both) assert.include([201, 409], status)
  })

  it("pages through a long list by its Link header", async () => {
    for (let index = 0; index < 3; index++) await run(ben.call("POST", "/monitors", { ...monitor, name: `M${index}` }))
    const names: Array<string> = []
    let next: string | undefined = "/monitors?limit=2"
    while (next !== undefined) {
      const page: ApiResponse = await run(ben.call("GET", next))
      names.push(...page.body.map(({ name }: { readonly name: string }) => name))
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1]
    }
    assert.deepStrictEqual(names, ["M2", "M1", "M0"])
  })

  it("reports and enforces rate limits", async () => {
    const answer = await run(ada.call("GET", "/monitors"))
    assert.match(answer.headers.get("ratelimit") ?? "", /^"reads";r=\d+;t=\d+$/)
    const attempts = []
    for (let index = 0; index < 7; index++) {
      attempts.push(
        await run(product.call("POST", "/auth/sign-in/email", { email: "eve@example.org", password: "wrong password" }))
      )
    }
    assert.deepStrictEqual(
      attempts.map(({ status }) => status),
      [401, 401, 401, 401, 401, 429, 429]
    )
    assert.isAbove(Number(attempts.at(-1)!.headers.get("retry-after")), 0)
    await refuses(attempts.at(-1)!, 429, "rate_limited")
  })

  it("keeps the caller's request id", async () => {
    const answer = await run(product.call("GET", "/health/live", undefined, { "x-request-id": "from-me" }))
    assert.strictEqual(answer.headers.get("x-request-id"), "from-me")
  })

  it.each(["from=2026-02-30", "from=yesterday", "from=2026-11-20&to=2026-11-01", "from=2020-01-01&to=2026-01-01"])(
    "answers 400 to the window %s",
    async (query) => {
      const made = await run(ada.call("POST", "/monitors", monitor))
      await refuses(
        await run(ada.call("GET", `/monitors/${made.body.id}/daily-uptime?${query}`)),
        400,
        "malformed_request"
      )
    }
  )

  it("validates a change against the whole monitor", async () => {
    const made = await run(ada.call("POST", "/monitors", { ...monitor, timeout: 20 }))
    const route = `/monitors/${made.body.id}`
    assert.deepStrictEqual(paths(await run(ada.call("PATCH", route, { interval: 10 }))), ["timeout"])
    assert.deepStrictEqual(paths(await run(ada.call("PATCH", route, { type: "tcp" }))), ["type"])
    assert.deepStrictEqual(paths(await run(ada.call("PATCH", route, { bodyContain: "x" }))), ["bodyContain"])
    const changed = await run(ada.call("PATCH", route, { interval: 10, timeout: "500ms", name: "Renamed" }))
    assert.deepInclude(changed.body, { interval: 10, timeout: 0.5, name: "Renamed", url: monitor.url })
  })
})

describe("accounts", () => {
  const signUp = (body: unknown) => run(product.call("POST", "/auth/sign-up/email", body))

  it("refuses an invalid sign-up", async () => {
    const good = { name: "Cleo", email: "cleo@example.org", password: "correct horse" }
    await refuses(await signUp({ ...good, email: "no address" }), 422, "validation_failed")
    await refuses(await signUp({ ...good, password: "short", email: "c2@example.org" }), 422, "validation_failed")
    await refuses(await signUp({ ...good, name: " ", email: "c3@example.org" }), 422, "validation_failed")
    assert.strictEqual((await signUp(good)).status, 200)
    await refuses(await signUp({ ...good, email: "CLEO@example.org" }), 409, "conflict")
  })

  it("signs in and out", async () => {
    const credentials = { name: "Dora", email: "dora@example.org", password: "correct horse" }
    await signUp(credentials)
    const inside = await run(
      product.call("POST", "/auth/sign-in/email", { email: credentials.email, password: credentials.password })
    )
    const cookie = cookieOf(inside)
    assert.include(inside.headers.getSetCookie()[0], "HttpOnly; SameSite=Lax")
    assert.strictEqual(
      (await run(product.call("GET", "/auth/get-session", undefined, { cookie }))).body.user.email,
      "dora@example.org"
    )
    await run(product.call("POST", "/auth/sign-out", {}, { cookie }))
    assert.isNull((await run(product.call("GET", "/auth/get-session", undefined, { cookie }))).body)
    await refuses(await run(product.call("GET", "/projects", undefined, { cookie })), 401, "unauthorized")
  })
})

describe("API documents", () => {
  it("serves a valid OpenAPI document, and pages without external requests", async () => {
    const { body } = await run(product.call("GET", "/openapi.json"))
    const verdict = await new Validator().validate(body)
    assert.isTrue(verdict.valid, JSON.stringify(verdict.errors))
    assert.strictEqual(body.openapi.slice(0, 3), "3.1")
    assert.strictEqual((await run(product.call("GET", "/docs"))).status, 200)
    assert.include((await run(product.call("GET", product.base.replace("/api/v1", "/metrics")))).body, "kanmon_")
  })
})
