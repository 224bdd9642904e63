/** The HTTP check against malicious servers always ends with a fitting result. */
import { createServer, type RequestListener } from "node:http"
import { createServer as createTlsServer } from "node:https"
import { createServer as createTcpServer, type Server, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as PatientEvaluator from "@kanmon/testkit/PatientEvaluator"
import { CheckRunner, type CheckResult } from "@kanmon/core/CheckRunner"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import { certificates } from "@kanmon/testkit/Certificates"
import { delivered, eventually } from "@kanmon/testkit/Eventually"
import { Effect, Fiber, Layer, Result, type Scope } from "effect"
import { TestClock } from "effect/testing"
import plugin from "../../plugins/check-http/src/index.ts"

const check = plugin.checks[0]!

const network = (allowPrivate: boolean, ca: string | undefined) =>
  NodeDialer.layer({ allowPrivate, ...(ca === undefined ? {} : { ca: [ca] }) }).pipe(
    Layer.provideMerge(NodeResolver.layer({ allowPrivate }))
  )

const run = (
  config: Record<string, unknown>,
  options: { readonly timeout?: number; readonly allowPrivate?: boolean; readonly ca?: string } = {}
): Effect.Effect<CheckResult> =>
  Effect.gen(function* () {
    const runner = yield* CheckRunner
    const timeout = options.timeout ?? 5000
    return yield* runner.run(Result.getOrThrow(check.prepare(config)), timeout, timeout)
  }).pipe(
    Effect.provide(
      CheckRunner.layer({ region: "eu-west", concurrency: 10, hostConcurrency: 10 }).pipe(
        Layer.provide([PatientEvaluator.layer, network(options.allowPrivate ?? true, options.ca)])
      )
    )
  )

/** Serves until the scope closes; its connections do not outlive it. */
const serving = (make: () => Server): Effect.Effect<number, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<{ readonly port: number; readonly close: () => void }>((resume) => {
      const sockets = new Set<Socket>()
      const server = make()
      server.on("connection", (socket: Socket) => {
        sockets.add(socket)
        socket.on("error", () => undefined)
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resume(
          Effect.succeed({
            port,
            close: () => {
              for (const socket of sockets) socket.destroy()
              server.close()
            }
          })
        )
      })
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ port }) => port))

/** A check whose timeout comes, in simulated time, when the target has what it waits for and the check has its answer. */
const timedOut = (url: string, isSilent: () => boolean) =>
  Effect.gen(function* () {
    const timeout = 20_000
    const running = yield* Effect.forkChild(run({ url }, { timeout }))
    yield* eventually(Effect.sync(isSilent), (value) => value)
    yield* delivered
    yield* TestClock.adjust(timeout)
    return yield* Fiber.join(running)
  })

const web = (listener: RequestListener) => serving(() => createServer(listener))
const raw = (speak: (socket: Socket) => void) => serving(() => createTcpServer(speak))

const expectDown = (result: CheckResult, code: string): void => {
  assert.deepStrictEqual([result.status, result.failure?.code], ["down", code], JSON.stringify(result))
  assert.isAbove(result.failure!.message.length, 10)
}

describe("an http check of a target that", () => {
  it.effect.each([
    { words: "says nothing", scheme: "http", code: "timeout" },
    { words: "never speaks TLS", scheme: "https", code: "tls_timeout" }
  ])("takes the connection and $words", ({ code, scheme }) =>
    Effect.gen(function* () {
      let isAsked = false
      const port = yield* raw((socket) => void socket.once("data", () => (isAsked = true)))
      expectDown(yield* timedOut(`${scheme}://127.0.0.1:${port}/`, () => isAsked), code)
    }).pipe(Effect.scoped)
  )

  it.effect("drips its body byte by byte", () =>
    Effect.gen(function* () {
      let drops = 0
      const port = yield* web((_request, response) => {
        response.writeHead(200)
        const timer = setInterval(() => response.write("x", () => drops++), 5)
        response.on("close", () => clearInterval(timer))
      })
      expectDown(yield* timedOut(`http://127.0.0.1:${port}/`, () => drops > 2), "timeout")
    }).pipe(Effect.scoped)
  )

  it.live("sends a body without end", () =>
    Effect.gen(function* () {
      let sent = 0
      const port = yield* web((_request, response) => {
        const chunk = Buffer.alloc(65_536, "x")
        const more = (): void => {
          while (!response.destroyed && response.write(chunk)) sent += chunk.length
          sent += chunk.length
          if (!response.destroyed) response.once("drain", more)
        }
        more()
      })
      const result = yield* run({ url: `http://127.0.0.1:${port}/` })
      assert.strictEqual(result.status, "up", JSON.stringify(result))
      expectDown(yield* run({ url: `http://127.0.0.1:${port}/`, bodyContains: "y" }), "body_mismatch")
      assert.isBelow(sent, 64 * 1024 * 1024)
    }).pipe(Effect.scoped)
  )

  /** Two values that are equal to the last of their members, and a list that asks for their comparison. */
  const like = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key${index}`, index]))
  const alike = { x: like, y: like, l: Array.from({ length: 40_000 }, () => 0) }

  const slow: ReadonlyArray<readonly [rules: object, body: string, code: string]> = [
    [{ jsonPath: "$.l[?$.x==$.y]" }, JSON.stringify(alike), "evaluation_too_expensive"],
    [{ bodyContains: `${"ab".repeat(16_000)}bb${"ab".repeat(16_000)}` }, "ab".repeat(500_000), "body_mismatch"]
  ]
  // By simulated time: an evaluator that waits for a core is not one without room.
  it.effect.each(slow)(
    "sends a body on which its monitor's rules are slow, without delaying other monitors",
    ([rules, body, code]) =>
      Effect.gen(function* () {
        const port = yield* web((_request, response) => void response.end(body))
        const other = yield* web((_request, response) => void response.end("well"))
        const ended: Array<string> = []
        const check = (name: string, settings: Record<string, unknown>) =>
          Effect.tap(run(settings, { timeout: 60_000 }), () => Effect.sync(() => void ended.push(name)))
        const slow = yield* Effect.forkChild(check("slow", { url: `http://127.0.0.1:${port}/`, ...rules }))
        for (let count = 0; count < 2; count++) {
          const result = yield* check("other", { url: `http://127.0.0.1:${other}/` })
          assert.strictEqual(result.status, "up", JSON.stringify(result))
        }
        const result = yield* Fiber.join(slow)
        expectDown(result, code)
        if (code === "evaluation_too_expensive") {
          assert.match(result.failure!.message, /^jsonPath takes .* simplify it/)
          // Others were checked while the rules were evaluated.
          assert.deepStrictEqual(ended, ["other", "other", "slow"])
        }
      }).pipe(Effect.scoped),
    60_000
  )

  it.live("redirects in a circle", () =>
    Effect.gen(function* () {
      const port = yield* web((_request, response) => void response.writeHead(302, { location: "/again" }).end())
      expectDown(yield* run({ url: `http://127.0.0.1:${port}/` }), "too_many_redirects")
      const first = yield* run({ url: `http://127.0.0.1:${port}/`, followRedirects: false, expectedStatus: 302 })
      assert.strictEqual(first.status, "up")
    }).pipe(Effect.scoped)
  )

  it.live("redirects to a refused address", () =>
    Effect.gen(function* () {
      for (const location of [
        "http://169.254.169.254/latest/meta-data",
        "http://0x7f.1:1/",
        "file:///etc/passwd",
        "http://[::1]:1/"
      ]) {
        const port = yield* web((_request, response) => void response.writeHead(302, { location }).end())
        const result = yield* run({ url: `http://127.0.0.1:${port}/` }, { allowPrivate: false })
        // The first hop is private itself: this shows that no hop is dialled.
        expectDown(result, "address_refused")
        if (location.startsWith("file"))
          expectDown(yield* run({ url: `http://127.0.0.1:${port}/` }), "redirect_invalid")
      }
    }).pipe(Effect.scoped)
  )

  it.live("does not pass credentials on to another server", () =>
    Effect.gen(function* () {
      let heard: Record<string, unknown> = {}
      const other = yield* web((request, response) => {
        heard = request.headers
        response.end("ok")
      })
      const port = yield* web(
        (_request, response) => void response.writeHead(302, { location: `http://127.0.0.1:${other}/` }).end()
      )
      const result = yield* run({
        url: `http://user:pass@127.0.0.1:${port}/`,
        headers: { "x-api-key": "hush", cookie: "hush" }
      })
      assert.strictEqual(result.status, "up")
      for (const name of ["authorization", "x-api-key", "cookie"]) assert.isUndefined(heard[name], name)
      assert.notInclude(JSON.stringify(result), "pass")
    }).pipe(Effect.scoped)
  )

  it.live("sends a huge header", () =>
    Effect.gen(function* () {
      const port = yield* raw(
        (socket) =>
          void socket.once("data", () => socket.write(`HTTP/1.1 200 OK\r\nx-big: ${"x".repeat(200_000)}\r\n\r\n`))
      )
      expectDown(yield* run({ url: `http://127.0.0.1:${port}/` }), "header_too_large")
    }).pipe(Effect.scoped)
  )

  it.live("closes in the middle of its answer", () =>
    Effect.gen(function* () {
      const port = yield* raw(
        (socket) => void socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf"))
      )
      expectDown(yield* run({ url: `http://127.0.0.1:${port}/` }), "response_incomplete")
    }).pipe(Effect.scoped)
  )

  it.live("closes the connection, or does not speak HTTP", () =>
    Effect.gen(function* () {
      const silent = yield* raw((socket) => void socket.once("data", () => socket.destroy()))
      expectDown(yield* run({ url: `http://127.0.0.1:${silent}/` }), "connect_reset")
      const smtp = yield* raw((socket) => void socket.write("220 mail.example ESMTP\r\n"))
      expectDown(yield* run({ url: `http://127.0.0.1:${smtp}/` }), "protocol_error")
    }).pipe(Effect.scoped)
  )
})

describe("an http check says of a certificate", () => {
  it.live.each([
    { words: "that it is expired", which: "expired", code: "tls_expired" },
    { words: "that it is not valid yet", which: "notYetValid", code: "tls_not_yet_valid" },
    { words: "that it names somebody else", which: "wrongName", code: "tls_name_mismatch" },
    { words: "that it is self-signed", which: "selfSigned", code: "tls_self_signed" },
    { words: "that its chain is incomplete", which: "incomplete", code: "tls_untrusted" }
  ] as const)("$words, before anything is sent", ({ code, which }) =>
    Effect.gen(function* () {
      const { [which]: identity, root } = yield* certificates
      let asked = 0
      const port = yield* serving(() =>
        createTlsServer(identity, (_request, response) => {
          asked++
          response.end("ok")
        })
      )
      const url = `https://localhost:${port}/`
      const result = yield* run({ url }, { ca: root })
      expectDown(result, code)
      assert.strictEqual(asked, 0)
      assert.isDefined(result.facts["certificate"])
      const trusting = yield* run({ url, verifyTls: false }, { ca: root })
      assert.strictEqual(trusting.status, "up", JSON.stringify(trusting))
      assert.isDefined(trusting.timing.tls)
    }).pipe(Effect.scoped)
  )
})
