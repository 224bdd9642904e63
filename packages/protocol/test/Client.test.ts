/** Both clients, before answers that are made up; with the real server they are tested in tests/e2e. */
import { assert, describe, it } from "@effect/vitest"
import type { MonitorId } from "@kanmon/domain/Ids"
import { Effect, Fiber, Layer, Stream } from "effect"
import { HttpApi } from "effect/http-api"
import { FetchHttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { Api } from "../src/Api.ts"
import * as Client from "../src/Client.ts"
import * as Kanmon from "../src/Kanmon.ts"
import { nextCursor } from "../src/Lists.ts"
import { addressOf } from "../src/internal/Transport.ts"

const baseUrl = "https://kanmon.example"
const project = {
  id: "prj_1",
  organizationId: "org_1",
  role: "owner",
  name: "Shop",
  timezone: "UTC",
  apiKey: "km_1",
  createdAt: "2026-11-20T08:30:00.000Z"
}
const shop = { ...project, updatedAt: "2026-11-20T08:30:00.000Z" }

interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: string
}

/** A web that gives these answers in their order, the last one again and again. */
const web = (...answers: ReadonlyArray<() => Response>) => {
  const asked: Array<Asked> = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    asked.push({ method: request.method, url: request.url, headers: request.headers, body: await request.text() })
    return answers[Math.min(asked.length, answers.length) - 1]!()
  }
  return { asked, fetch }
}

const json =
  (body: unknown, headers: Record<string, string> = {}, status = 200) =>
  () =>
    new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } })

const refusing = (status: number, headers: Record<string, string> = {}) =>
  json(
    { type: "", title: "", status, detail: "Why", code: "rate_limited", requestId: "req-1" },
    { "content-type": "application/problem+json", ...headers },
    status
  )

const clientOver = (fetch: typeof globalThis.fetch) =>
  Client.make({ baseUrl, apiKey: "km_1" }).pipe(
    Effect.provide(Layer.provide(FetchHttpClient.layer, Layer.succeed(FetchHttpClient.Fetch, fetch)))
  )

const failureOf = (promise: PromiseLike<unknown>): Promise<Kanmon.KanmonError> =>
  Promise.resolve(promise).then(
    () => assert.fail("it did not fail"),
    (error: unknown) => {
      assert.instanceOf(error, Kanmon.KanmonError)
      return error as Kanmon.KanmonError
    }
  )

describe("both clients", () => {
  it("have every endpoint of the contract, each with three ids at most", () => {
    const kanmon = Kanmon.make({ baseUrl }) as unknown as Record<string, Record<string, unknown>>
    const client = Effect.runSync(clientOver(web().fetch)) as unknown as typeof kanmon
    let endpoints = 0
    HttpApi.reflect(Api, {
      onGroup: () => undefined,
      onEndpoint: ({ endpoint, group }) => {
        endpoints++
        assert.isFunction(kanmon[group.identifier]![endpoint.identifier])
        assert.isFunction(client[group.identifier]![endpoint.identifier])
        assert.isAtMost(endpoint.path.match(/:\w+/g)?.length ?? 0, 3)
      }
    })
    assert.isAbove(endpoints, 40)
  })

  it.each([baseUrl, `${baseUrl}/`, `${baseUrl}/api/v1`, `${baseUrl}/api/v1/`, new URL(baseUrl)])(
    "take %s for the installation's address",
    (address) => assert.strictEqual(addressOf(address), baseUrl)
  )

  it.each([
    [undefined, undefined],
    [`<${baseUrl}/api/v1/monitors?limit=2&cursor=a%2Bb>; rel="next"`, "a+b"],
    [`</api/v1/monitors?cursor=c>; rel=next`, "c"],
    [`<${baseUrl}/a?cursor=x>; rel="prev", <${baseUrl}/a?cursor=y>; rel="next"`, "y"],
    [`<${baseUrl}/a?cursor=x>; rel="prev"`, undefined]
  ])("find the next page in the Link header %s", (link, cursor) => assert.strictEqual(nextCursor(link), cursor))
})

describe("the client with Effect", () => {
  it.effect("sends the key, and answers what the contract decodes", () =>
    Effect.gen(function* () {
      const { asked, fetch } = web(json([shop]))
      const client = yield* clientOver(fetch)
      const [first] = yield* client.projects.list({ query: { limit: 1 } })
      assert.strictEqual(first!.createdAt, Date.parse(project.createdAt))
      assert.strictEqual(asked[0]!.url, `${baseUrl}/api/v1/projects?limit=1`)
      assert.strictEqual(asked[0]!.headers.get("x-api-key"), "km_1")
    })
  )

  it.effect("waits as it was told, twice, and then fails", () =>
    Effect.gen(function* () {
      const { asked, fetch } = web(refusing(429, { "retry-after": "7" }))
      const client = yield* clientOver(fetch)
      const call = yield* Effect.forkChild(Effect.flip(client.projects.create({ payload: { name: "Shop" } })))
      // fetch settles in turns of the event loop, which the test's clock does not move.
      const settled = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      const turns = Effect.repeat(settled, { times: 10 })
      for (const sent of [1, 2, 3]) {
        yield* turns
        assert.lengthOf(asked, sent)
        yield* TestClock.adjust("6 seconds")
        yield* turns
        assert.lengthOf(asked, sent)
        yield* TestClock.adjust("1 second")
      }
      const error = yield* Fiber.join(call)
      assert.deepInclude({ ...error }, { _tag: "KanmonError", code: "rate_limited", retryAfter: 7 })
    })
  )

  it.effect("goes through all pages", () =>
    Effect.gen(function* () {
      const next = { link: `<${baseUrl}/api/v1/projects?cursor=two>; rel="next"` }
      const { asked, fetch } = web(json([shop], next), json([{ ...shop, id: "prj_2" }]))
      const client = yield* clientOver(fetch)
      const all = yield* Stream.runCollect(Client.every(client.projects.list, { limit: 1 }))
      assert.deepStrictEqual(
        [...all].map(({ id }) => id as string),
        ["prj_1", "prj_2"]
      )
      assert.strictEqual(asked[1]!.url, `${baseUrl}/api/v1/projects?limit=1&cursor=two`)
    })
  )

  it.effect("sends an Idempotency-Key with what creates, and with nothing else", () =>
    Effect.gen(function* () {
      const { asked, fetch } = web(json(shop, {}, 201), json([shop]))
      const client = yield* clientOver(fetch)
      yield* Client.withIdempotencyKey("once")(client.projects.create({ payload: { name: "Shop" } }))
      yield* Client.withIdempotencyKey("once")(client.projects.list({ query: {} }))
      assert.deepStrictEqual(
        asked.map(({ headers }) => headers.get("idempotency-key")),
        ["once", null]
      )
    })
  )

  it.effect("says where an answer does not fit, and where a request does not", () =>
    Effect.gen(function* () {
      const { asked, fetch } = web(json([{ ...shop, createdAt: "yesterday" }]))
      const client = yield* clientOver(fetch)
      const answer = yield* Effect.flip(client.projects.list({ query: {} }))
      assert.strictEqual(answer.code, "unreadable")
      assert.include(answer.message, "[0].createdAt")
      const request = yield* Effect.flip(client.monitors.get({ params: { monitorId: "ch_1" as MonitorId } }))
      assert.strictEqual(request.code, "not_sent")
      assert.include(request.message, "monitorId: Expected an id that starts with mon_")
      assert.lengthOf(asked, 1)
    })
  )
})

describe("the client with promises", () => {
  const over = (...answers: ReadonlyArray<() => Response>) => {
    const { asked, fetch } = web(...answers)
    return { asked, kanmon: Kanmon.make({ baseUrl, apiKey: "km_1", retries: 0, fetch }) }
  }

  it("takes the id first, then the body or the query, and answers what is on the wire", async () => {
    const { asked, kanmon } = over(json(shop))
    assert.deepStrictEqual(await kanmon.projects.update("prj_1", { name: "Shop" }), shop)
    await kanmon.monitors.dailyUptime("mon_1", { from: "2026-11-01" })
    await kanmon.monitors.stats("mon_1")
    await kanmon.billing.plans()
    assert.deepStrictEqual(
      asked.map(({ body, method, url }) => `${method} ${url.slice(baseUrl.length)} ${body}`),
      [
        `PATCH /api/v1/projects/prj_1 {"name":"Shop"}`,
        "GET /api/v1/monitors/mon_1/daily-uptime?from=2026-11-01 ",
        "GET /api/v1/monitors/mon_1/stats ",
        "GET /api/v1/billing/plans "
      ]
    )
  })

  it("leaves out fields that are undefined, and sends the options' key", async () => {
    const { asked, kanmon } = over(json({}, {}, 201))
    const body = { name: "Shop", type: "http", url: "https://shop.example", note: undefined }
    await kanmon.monitors.create(body as never, { idempotencyKey: "once" })
    assert.deepStrictEqual(JSON.parse(asked[0]!.body), { name: "Shop", type: "http", url: "https://shop.example" })
    assert.strictEqual(asked[0]!.headers.get("idempotency-key"), "once")
  })

  it("keeps fields and words that are newer than the client", async () => {
    const newer = { id: "mon_1", status: "dreaming", mood: { of: "the target" } }
    const { kanmon } = over(json(newer))
    assert.deepStrictEqual((await kanmon.monitors.get("mon_1")) as unknown, newer)
  })

  it("is a page when a list is awaited, and all of it in a loop", async () => {
    const next = { link: `<${baseUrl}/api/v1/projects?cursor=two>; rel="next"` }
    const pages = [json([{ id: 1 }, { id: 2 }], next), json([{ id: 3 }])]
    assert.lengthOf(await over(...pages).kanmon.projects.list(), 2)
    const { asked, kanmon } = over(...pages)
    const ids: Array<unknown> = []
    for await (const { id } of kanmon.projects.list({ limit: 2 })) ids.push(id)
    assert.deepStrictEqual(ids, [1, 2, 3])
    assert.deepStrictEqual(
      asked.map(({ url }) => new URL(url).search),
      ["?limit=2", "?limit=2&cursor=two"]
    )
  })

  it("throws a KanmonError for any failure", async () => {
    const lost = () => {
      throw new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") })
    }
    const unreachable = await failureOf(over(lost).kanmon.projects.list())
    assert.deepInclude({ ...unreachable }, { code: "unreachable" })
    assert.include(unreachable.message, "ECONNREFUSED")
    assert.notInclude(JSON.stringify(unreachable), "km_1")
    const html = () => new Response("<html>", { headers: { "content-type": "text/html" } })
    assert.strictEqual((await failureOf(over(html).kanmon.projects.get("prj_1"))).code, "unreadable")
    const elsewhere = () => new Response(null, { status: 301, headers: { location: "https://evil.example" } })
    const moved = await failureOf(over(elsewhere).kanmon.projects.get("prj_1"))
    assert.deepInclude({ ...moved }, { code: "unreadable", status: 301 })
    const refused = await failureOf(over(refusing(429)).kanmon.projects.get("prj_1"))
    assert.deepInclude({ ...refused }, { code: "rate_limited", status: 429, requestId: "req-1" })
    const wrong = await failureOf(over().kanmon.monitors.list({ limit: 5000 }))
    assert.strictEqual(wrong.code, "not_sent")
    assert.include(wrong.message, "limit: Expected a whole number from 1 to 1000")
    const missing = await failureOf((over().kanmon.monitors.get as () => Promise<unknown>)())
    assert.strictEqual(missing.code, "not_sent")
  })

  it.each(["km_secret\n", "km_secret…", "", "km_\u0000secret"])(
    "keeps a key that cannot be sent to itself: %j",
    async (key) => {
      const { asked, fetch } = web(json(shop))
      const wrong = await failureOf(Kanmon.make({ baseUrl, apiKey: key, fetch }).projects.list())
      assert.strictEqual(wrong.code, "not_sent")
      assert.include(wrong.message, "apiKey: Expected one line")
      assert.notInclude(JSON.stringify(wrong), "secret")
      const { projects } = Kanmon.make({ baseUrl, apiKey: "km_1", fetch })
      const unkeyed = await failureOf(projects.create({ name: "Shop" }, { idempotencyKey: "ключ" }))
      assert.include(unkeyed.message, "idempotencyKey: Expected one line")
      assert.isEmpty(asked)
    }
  )

  it("answers how the installation is, when it is not well too", async () => {
    const health = { status: "unavailable", version: "1", database: "down" }
    const { kanmon } = over(json(health, {}, 503))
    assert.deepInclude(await kanmon.health.check(), { database: "down" })
  })

  it("fails in the loop, and only there", async () => {
    const { kanmon } = over(refusing(429))
    const gone = async () => {
      for await (const { id } of kanmon.projects.list()) assert.fail(id)
    }
    assert.strictEqual((await failureOf(gone())).code, "rate_limited")
  })

  it("ends when its signal is aborted, with the signal's reason", async () => {
    const never: typeof globalThis.fetch = (_, init) =>
      new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(new Error("aborted"))))
    const kanmon = Kanmon.make({ baseUrl, fetch: never })
    const abort = new AbortController()
    const call = kanmon.health.live({ signal: abort.signal })
    const reason = new Error("enough")
    abort.abort(reason)
    assert.strictEqual(await call.catch((error: unknown) => error), reason)
  })
})
