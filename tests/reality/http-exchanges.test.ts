/**
 * Oddities of servers that show in the next request, or in no end: redirects, cookies between them, names of headers, streams, and
 * numbers. Each stands with what a check asks for beside what curl asks for.
 */
import { assert, describe, it } from "@effect/vitest"
import * as PatientEvaluator from "@kanmon/testkit/PatientEvaluator"
import { CheckRunner } from "@kanmon/core/CheckRunner"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import * as Targets from "@kanmon/testkit/Targets"
import { Effect, Layer, Result } from "effect"
import * as Curl from "./Curl.ts"
import plugin from "../../plugins/check-http/src/index.ts"

interface Exchange {
  readonly what: string
  /** The bytes of the answer to a request, by its line and its head; each character is one. */
  readonly answer: (line: string, head: string) => string
  /** Lines of the requests that are sent, with their cookies. */
  readonly asked: ReadonlyArray<string>
  readonly settings?: object
  readonly options?: ReadonlyArray<string>
  readonly ours?: "up" | "down"
  /** Where curl asks for something else, and why a check does not. */
  readonly curl?: { readonly asked: ReadonlyArray<string>; readonly why: string }
}

const fine = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello"
const to = (location: string, ...lines: ReadonlyArray<string>): string =>
  ["HTTP/1.1 302 Found", `Location: ${location}`, ...lines, "content-length: 0", "", ""].join("\r\n")
/** Redirects from the first page. */
const redirect =
  (location: string, ...lines: ReadonlyArray<string>) =>
  (line: string) =>
    line.startsWith("GET / ") ? to(location, ...lines) : fine

const redirects: ReadonlyArray<Exchange> = [
  // RFC 9110, section 10.2.2; RFC 3986, section 5.
  { what: "a Location in UTF-8", answer: redirect("/caf\xc3\xa9"), asked: ["GET /", "GET /caf%C3%A9"] },
  { what: "a Location in Latin-1", answer: redirect("/caf\xe9"), asked: ["GET /", "GET /caf%E9"] },
  { what: "a Location of four bytes", answer: redirect("/\xf0\x9f\x8d\xa3"), asked: ["GET /", "GET /%F0%9F%8D%A3"] },
  { what: "a Location that is encoded already", answer: redirect("/caf%c3%a9"), asked: ["GET /", "GET /caf%c3%a9"] },
  { what: "a query in UTF-8", answer: redirect("/?q=\xc3\xbc"), asked: ["GET /", "GET /?q=%C3%BC"] },
  { what: "a Location with a blank", answer: redirect("/a b"), asked: ["GET /", "GET /a%20b"] },
  { what: "a Location with dots", answer: redirect("/a/../b/./c"), asked: ["GET /", "GET /b/c"] },
  { what: "a Location without a path", answer: redirect("?a=b"), asked: ["GET /", "GET /?a=b"] },
  { what: "a relative Location", answer: redirect("next"), asked: ["GET /", "GET /next"] },
  { what: "a Location with a fragment", answer: redirect("/a#b"), asked: ["GET /", "GET /a"] },
  { what: "blanks around a Location", answer: redirect("  /a\t "), asked: ["GET /", "GET /a"] },
  { what: "a percent sign alone", answer: redirect("/100%"), asked: ["GET /", "GET /100%"] },
  { what: "the same Location twice", answer: redirect("/a", "Location: /a"), asked: ["GET /", "GET /a"] },
  { what: "an empty Location", answer: redirect(""), asked: ["GET /"], ours: "down" },
  // Cookies between the redirects of a check: RFC 6265.
  {
    what: "a cookie that a portal asks for",
    answer: (line, head) =>
      /cookie: .*seen=1/i.test(head) || line.includes("/home") ? fine : to("/", "Set-Cookie: seen=1"),
    asked: ["GET /", "GET / seen=1"]
  },
  {
    what: "a cookie of a path",
    answer: redirect("/shop/a", "Set-Cookie: a=1; Path=/shop", "Set-Cookie: b=2; Path=/other"),
    asked: ["GET /", "GET /shop/a a=1"]
  },
  {
    what: "a cookie that is taken back",
    answer: (line) => {
      if (line.startsWith("GET / ")) return to("/one", "Set-Cookie: a=1; Path=/", "Set-Cookie: b=2; Path=/")
      return line.startsWith("GET /one ") ? to("/two", "Set-Cookie: a=; Path=/; Max-Age=0") : fine
    },
    asked: ["GET /", "GET /one a=1; b=2", "GET /two b=2"],
    curl: {
      asked: ["GET /", "GET /one b=2; a=1", "GET /two b=2"],
      why: "RFC 6265, section 5.4, puts earlier cookies first"
    }
  },
  {
    what: "a cookie for secure connections alone",
    answer: redirect("/next", "Set-Cookie: a=1; Path=/; Secure"),
    asked: ["GET /", "GET /next"],
    curl: { asked: ["GET /", "GET /next a=1"], why: "curl trusts addresses of the own machine without TLS" }
  },
  {
    what: "a cookie of another domain",
    answer: redirect("/next", "Set-Cookie: a=1; Domain=shop.example; Path=/"),
    asked: ["GET /", "GET /next"]
  },
  {
    what: "a cookie with a quoted value",
    answer: redirect("/next", 'Set-Cookie: a="b c"; Path=/'),
    asked: ["GET /", 'GET /next a="b c"']
  },
  // Methods: RFC 9110, sections 15.4.2 to 15.4.9.
  ...([301, 302, 303] as const).map((status) => ({
    what: `a POST that is answered with ${status}`,
    answer: (line: string) => (line.startsWith("POST") ? to("/next").replace("302", String(status)) : fine),
    settings: { method: "POST", body: "a" },
    options: ["--data", "a"],
    asked: ["POST /", "GET /next"]
  })),
  ...([307, 308] as const).map((status) => ({
    what: `a POST that is answered with ${status}`,
    answer: (line: string) => (line.startsWith("POST / ") ? to("/next").replace("302", String(status)) : fine),
    settings: { method: "POST", body: "a" },
    options: ["--data", "a"],
    asked: ["POST /", "POST /next"]
  }))
]

const inCapitals = (line: string): string => line.replaceAll(/%[0-9a-f]{2}/gi, (byte) => byte.toUpperCase())

/** Answers each request, and keeps its line with its cookies. */
const serve = (answer: Exchange["answer"], isEndless = false) =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    const target = yield* Targets.tcp((socket) => {
      let received = ""
      let isAnswered = false
      socket.on("data", (bytes) => {
        // A client may send its next request before it sees the end, and then sends it again.
        if (isAnswered) return
        received += bytes.toString("latin1")
        const [head, body] = received.split("\r\n\r\n", 2)
        const length = Number(/^content-length: (\d+)/im.exec(head!)?.[1] ?? 0)
        if (body === undefined || body.length < length) return
        isAnswered = true
        const line = head!.split("\r\n", 1)[0]!
        const cookies = /^cookie: (.*)$/im.exec(head!)?.[1]
        const [method, path] = line.split(" ")
        asked.push([method, path, ...(cookies === undefined ? [] : [cookies])].join(" "))
        const bytesOf = Buffer.from(answer(line, `${head!}\r\n`), "latin1")
        if (isEndless) socket.write(bytesOf)
        else socket.end(bytesOf)
      })
    })
    return { url: `http://127.0.0.1:${target.port}/`, taken: () => asked.splice(0) }
  })

const check = plugin.checks[0]!
const network = NodeDialer.layer({ allowPrivate: true }).pipe(
  Layer.provideMerge(NodeResolver.layer({ allowPrivate: true }))
)
const runner = CheckRunner.layer({ region: "test-lab", concurrency: 10, hostConcurrency: 10 }).pipe(
  Layer.provide([PatientEvaluator.layer, network])
)

const attempt = (url: string, settings: object = {}) =>
  Effect.flatMap(CheckRunner, ({ run }) =>
    run(Result.getOrThrow(check.prepare({ url, ...settings })), 60_000, 60_000)
  ).pipe(Effect.provide(runner))

describe("a check", () => {
  it.live.each(redirects)("asks like curl behind $what", ({ answer, asked, curl, options, ours = "up", settings }) =>
    Effect.gen(function* () {
      const { taken, url } = yield* serve(answer)
      const { failure, status } = yield* attempt(url, settings)
      assert.strictEqual(status, ours, JSON.stringify(failure))
      assert.deepStrictEqual(taken(), asked)
      if (!(yield* Curl.isKnown)) return yield* Curl.isNotKnown
      yield* Curl.page(url, options === undefined ? {} : { options })
      // The letters of an encoded byte may be large or small (RFC 3986, section 6.2.2.1).
      assert.deepStrictEqual(
        taken().map(inCapitals),
        (curl?.asked ?? asked).map(inCapitals),
        "curl asks in another way"
      )
    }).pipe(Effect.scoped)
  )

  it.live("writes the names of headers as they were given, as curl does", () =>
    Effect.gen(function* () {
      const named = (_line: string, head: string): string =>
        head.includes("\r\nX-Api-KEY: k1\r\n") && head.includes("\r\nHost: ")
          ? fine
          : "HTTP/1.1 401 No\r\ncontent-length: 0\r\n\r\n"
      const { url } = yield* serve(named)
      const found = yield* attempt(url, { headers: { "X-Api-KEY": "k1" } })
      assert.strictEqual(found.status, "up", JSON.stringify(found.failure))
      assert.strictEqual(yield* Curl.page(url, { options: ["--fail", "--header", "X-Api-KEY: k1"] }), "hello")
      // A server that reads names by their letters answers neither.
      assert.strictEqual((yield* attempt(url, { headers: { "x-api-key": "k1" } })).status, "down")
      assert.isUndefined(yield* Curl.page(url, { options: ["--fail", "--header", "x-api-key: k1"] }))
    }).pipe(Effect.scoped)
  )

  it.live.each(["text/event-stream", "audio/mpeg", "multipart/x-mixed-replace; boundary=x"])(
    "is up by what an answer of %s without an end begins with, for which curl waits",
    (type) =>
      Effect.gen(function* () {
        const { url } = yield* serve(() => `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\n\r\ndata: first\n\n`, true)
        const found = yield* attempt(url, { bodyContains: "first" })
        assert.strictEqual(found.status, "up", JSON.stringify(found.failure))
        assert.isUndefined(yield* Curl.page(url, { seconds: 1 }))
      }).pipe(Effect.scoped)
  )

  it.live("compares a number as its digits are, which curl prints", () =>
    Effect.gen(function* () {
      const id = "9007199254740993"
      const body = `{"id":${id}}`
      const { url } = yield* serve(() => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
      const expecting = (jsonEquals: string) => attempt(url, { jsonPath: "$.id", jsonEquals })
      assert.strictEqual((yield* expecting(id)).status, "up")
      assert.strictEqual((yield* expecting("9007199254740992")).status, "down")
      assert.include(yield* Curl.page(url), id)
    }).pipe(Effect.scoped)
  )
})
