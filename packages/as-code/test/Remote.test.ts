/** The API over the wire: which calls are repeated, and the messages of failures. */
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import * as Remote from "../src/Remote.ts"

interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly redirect: string | undefined
}

/** Answers in this order; undefined and errors are failed connections. */
const answering = (...answers: ReadonlyArray<Response | Error | undefined>) => {
  const seen: Array<Seen> = []
  const fetch = (async (url: URL, init: RequestInit) => {
    seen.push({ method: init.method!, url: String(url), headers: new Headers(init.headers), redirect: init.redirect })
    const answer = answers[seen.length - 1]
    if (answer === undefined) throw new Error("connect ECONNREFUSED")
    if (answer instanceof Error) throw answer
    return answer
  }) as typeof globalThis.fetch
  const layer = Remote.layer("http://kanmon.example/", { apiKey: Redacted.make("km_key") }).pipe(
    Layer.provide(Layer.succeed(FetchHttpClient.Fetch, fetch))
  )
  return { seen, layer }
}

const json = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}) =>
  Response.json(body, { status, headers })
const problem = (status: number, detail: string, more: object = {}, headers: Readonly<Record<string, string>> = {}) =>
  json(
    {
      type: "https://kanmon.example/problem",
      title: "A problem",
      status,
      detail,
      code: "a_code",
      requestId: "r",
      ...more
    },
    status,
    { "content-type": "application/problem+json", ...headers }
  )

const failing = (...answers: ReadonlyArray<Response | Error | undefined>) => {
  const { layer } = answering(...answers)
  return Effect.gen(function* () {
    const remote = yield* Remote.Remote
    const asked = yield* Effect.forkChild(Effect.flip(remote.list("monitor")))
    yield* TestClock.adjust("10 minutes")
    return yield* Fiber.join(asked)
  }).pipe(Effect.provide(layer))
}

it.effect("waits as long as the server asks for, and makes nothing twice", () => {
  const { layer, seen } = answering(
    problem(429, "Too many", {}, { "retry-after": "20" }),
    problem(409, "Being answered", {}, { "retry-after": "1" }),
    undefined,
    json({ dryRun: false, results: [{ id: "mon_1" }] })
  )
  return Effect.gen(function* () {
    const remote = yield* Remote.Remote
    const made = yield* Effect.forkChild(
      remote.change([{ action: "create", kind: "monitor", body: { name: "A" } }], false)
    )
    yield* TestClock.adjust("19 seconds")
    assert.lengthOf(seen, 1)
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(yield* Fiber.join(made), [{ id: "mon_1" }])
    assert.lengthOf(seen, 4)
    assert.lengthOf(new Set(seen.map(({ headers }) => headers.get("idempotency-key"))), 1)
    assert.match(seen[0]!.headers.get("idempotency-key")!, /^apply-\w{26}$/)
    assert.strictEqual(seen[0]!.headers.get("x-api-key"), "km_key")
    assert.deepStrictEqual(
      [seen[0]!.method, seen[0]!.url, seen[0]!.redirect],
      ["POST", "http://kanmon.example/api/v1/changes", "manual"]
    )
  }).pipe(Effect.provide(layer))
})

it.effect("reads lists to their end, at the address it was given", () => {
  const link = '<https://elsewhere.example/api/v1/alert-rules?cursor=abc>; rel="next"'
  const { layer, seen } = answering(json([{ id: "rul_2" }], 200, { link }), json([{ id: "rul_1" }]))
  return Effect.gen(function* () {
    const remote = yield* Remote.Remote
    assert.lengthOf(yield* remote.list("rule"), 2)
    assert.strictEqual(seen[1]!.url, "http://kanmon.example/api/v1/alert-rules?cursor=abc")
  }).pipe(Effect.provide(layer))
})

it.effect("says what to do about a certificate that is not trusted", () =>
  Effect.gen(function* () {
    const { message } = yield* failing(...Array.from({ length: 50 }, () => new Error("self-signed certificate")))
    assert.include(message, "The certificate of http://kanmon.example/ is not trusted here")
    assert.include(message, "self-signed certificate")
    assert.include(message, "set NODE_EXTRA_CA_CERTS")
  })
)

it.effect("says what to do about an address or a key that is wrong, and never the key", () =>
  Effect.gen(function* () {
    const said = [
      yield* failing(problem(401, "Unknown key")),
      yield* failing(new Response("<html>", { status: 200 })),
      yield* failing(new Response("<html>", { status: 404 })),
      yield* failing(
        new Response("", { status: 301, headers: { location: "https://kanmon.example/api/v1/monitors" } })
      ),
      yield* failing(),
      yield* failing(new Response("<html>", { status: 502 })),
      yield* failing(problem(404, "There is nothing at this address", { code: "not_found" })),
      yield* failing(problem(422, "See errors", { errors: [{ path: "url", message: "Required" }] })),
      yield* failing(...Array.from({ length: 8 }, () => problem(429, "Too many", {}, { "retry-after": "60" })))
    ].map(({ message }) => message)
    const words = [
      "Unknown key; set KANMON_API_KEY to the key of the project",
      "http://kanmon.example/ is not a Kanmon server",
      "is not a Kanmon server",
      "http://kanmon.example/ redirects to https://kanmon.example; set KANMON_URL, or --url, to that",
      "http://kanmon.example/ cannot be reached (No answer came: connect ECONNREFUSED)",
      "answers with status 502",
      "There is nothing at this address; if the server is older than this kanmon, use the version of the server",
      "url: Required",
      "Too many"
    ]
    for (const [index, message] of said.entries()) assert.include(message, words[index]!)
    assert.notInclude(said.join(), "km_key")
  })
)
