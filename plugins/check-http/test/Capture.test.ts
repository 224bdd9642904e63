/** The stored response of failing targets: it contains no secrets and only bounded text. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { type AddressInfo, createServer as createTcpServer } from "node:net"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { bodyBytes, type Capture } from "@kanmon/domain/Capture"
import { Effect, type Scope } from "effect"
import { attempt, timedOut } from "./Attempt.ts"

type Handle = (request: IncomingMessage, response: ServerResponse) => void

const listening = (server: ReturnType<typeof createServer> | ReturnType<typeof createTcpServer>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      await new Promise<void>((ready) => void server.listen(0, "127.0.0.1", ready))
      return (server.address() as AddressInfo).port
    }),
    () =>
      Effect.promise(
        () =>
          new Promise<void>((closed) => {
            server.close(() => closed())
            if ("closeAllConnections" in server) server.closeAllConnections()
          })
      )
  )

const target = (handle: Handle): Effect.Effect<number, never, Scope.Scope> =>
  Effect.suspend(() => listening(createServer(handle)))

const captured = (port: number, settings: Readonly<Record<string, unknown>> = {}): Effect.Effect<Capture> =>
  Effect.map(attempt(port, settings), ({ capture, failure }) => {
    assert.isDefined(capture, JSON.stringify(failure))
    return capture!
  })

const valuesOf = ({ headers }: Capture, name: string): ReadonlyArray<string> =>
  headers.filter((header) => header.name === name).map(({ value }) => value)

describe("a capture", () => {
  it.live("shows what the target answered", () =>
    Effect.gen(function* () {
      const port = yield* target((_, response) => {
        response.writeHead(503, "Down For Maintenance", {
          "content-type": "text/html",
          "retry-after": "30",
          "set-cookie": ["session=abcdef", "other=1"],
          "x-auth-token": "abcdef"
        })
        response.end("<h1>Sorry</h1>\r\nback soon")
      })
      const capture = yield* captured(port)
      assert.strictEqual(capture.statusLine, "503 Down For Maintenance")
      assert.strictEqual(capture.body, "<h1>Sorry</h1>\nback soon")
      assert.strictEqual(capture.finalUrl, `http://127.0.0.1:${port}/`)
      assert.strictEqual(capture.remoteAddress, "127.0.0.1")
      assert.isFalse(capture.bodyTruncated)
      assert.deepStrictEqual(valuesOf(capture, "retry-after"), ["30"])
      assert.deepStrictEqual(valuesOf(capture, "set-cookie"), ["••••", "••••"])
      assert.deepStrictEqual(valuesOf(capture, "x-auth-token"), ["••••"])
    }).pipe(Effect.scoped)
  )

  it.live("is taken of a body that breaks a rule, and of none that passes", () =>
    Effect.gen(function* () {
      const port = yield* target((_, response) => response.end("all is lost"))
      assert.strictEqual((yield* captured(port, { bodyContains: "all is well" })).body, "all is lost")
      assert.isUndefined((yield* attempt(port, { bodyContains: "all" })).capture)
      assert.isUndefined((yield* attempt(port)).capture)
      assert.isUndefined((yield* attempt(1)).capture)
    }).pipe(Effect.scoped)
  )

  it.live("follows redirects, and masks the values of queries", () =>
    Effect.gen(function* () {
      const port = yield* target((request, response) => {
        if (request.url?.startsWith("/end") === true) return void response.writeHead(500).end("no")
        response.writeHead(302, { location: "/end?ticket=12345678&next=x" }).end()
      })
      const end = yield* captured(port)
      assert.strictEqual(end.finalUrl, `http://127.0.0.1:${port}/end?ticket=••••&next=••••`)
      const first = yield* captured(port, { followRedirects: false })
      assert.strictEqual(first.statusLine, "302 Found")
      assert.deepStrictEqual(valuesOf(first, "location"), ["/end?••••"])
    }).pipe(Effect.scoped)
  )

  it.live("contains no secret of the monitor that the target repeats", () =>
    Effect.gen(function* () {
      const port = yield* target((request, response) => {
        const sent: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => sent.push(chunk))
        request.on("end", () => {
          const body = Buffer.concat(sent).toString()
          response.writeHead(500, {
            "content-type": "application/json",
            "x-echo": String(request.headers["x-api-key"])
          })
          response.end(JSON.stringify({ headers: request.headers, url: request.url, body, again: JSON.parse(body) }))
        })
      })
      const capture = yield* captured(port, {
        url: `http://ada:correct-horse@127.0.0.1:${port}/?token=query-secret`,
        method: "POST",
        headers: { "x-api-key": 'header"secret', "content-type": "application/json" },
        body: JSON.stringify({ user: { password: "body-secret-1" } })
      })
      const text = JSON.stringify(capture)
      for (const secret of ["correct-horse", "query-secret", "secret", "YWRhOm"]) assert.notInclude(text, secret)
      assert.deepStrictEqual(valuesOf(capture, "content-type"), ["application/json"])
      assert.deepStrictEqual(valuesOf(capture, "x-echo"), ["••••"])
      assert.include(capture.body!, "user-agent")
    }).pipe(Effect.scoped)
  )

  it.live("contains no credentials of the monitor", () =>
    Effect.gen(function* () {
      const port = yield* target((request, response) => {
        const { authorization = "" } = request.headers
        const plain = Buffer.from(authorization.replace("Basic ", ""), "base64").toString()
        response.writeHead(401, { "www-authenticate": 'Basic realm="shop"' }).end(`${authorization} ${plain}`)
      })
      const basic = yield* captured(port, { authentication: "basic", username: "ada", password: "correct-horse" })
      assert.notMatch(JSON.stringify(basic), /correct-horse|YWRh/)
      assert.deepStrictEqual(valuesOf(basic, "www-authenticate"), ['Basic realm="shop"'])
      const bearer = yield* captured(port, { authentication: "bearer", token: "a-bearer-token" })
      assert.notInclude(JSON.stringify(bearer), "a-bearer-token")
    }).pipe(Effect.scoped)
  )

  it.live("is taken when a header is not as expected", () =>
    Effect.gen(function* () {
      const port = yield* target((_, response) => response.end("body of it"))
      const headerAssertions = [{ header: "x-ready", operator: "equals", value: "yes" }]
      assert.strictEqual((yield* captured(port, { headerAssertions })).body, "body of it")
    }).pipe(Effect.scoped)
  )

  it.live("does not contain the beginning of a secret where the answer breaks off", () =>
    Effect.gen(function* () {
      const port = yield* target((_, response) => {
        response.writeHead(500, { "content-length": "100" })
        response.write("key is very-secret-v")
        response.socket!.end()
      })
      const { body, bodyTruncated } = yield* captured(port, { headers: { "x-key": "very-secret-value" } })
      assert.strictEqual(body, "key is ••••")
      assert.isTrue(bodyTruncated)
    }).pipe(Effect.scoped)
  )

  it.effect("keeps the received part on a timeout, for any expectation of the body", () =>
    Effect.gen(function* () {
      let sent = 0
      const port = yield* target((request, response) => {
        response.writeHead(200, { "content-type": "text/plain", "set-cookie": "session=abcdef" })
        // Headers alone, or the beginning of a body that breaks off in a secret.
        if (request.url === "/") response.write("first part, key is very-secret-v")
        else response.flushHeaders()
        sent++
      })
      const isSilentAfter = (count: number) => () => sent === count
      const headers = { "x-key": "very-secret-value" }
      for (const [index, settings] of [{}, { bodyContains: "the end" }].entries()) {
        const { capture, failure, status } = yield* timedOut(port, { headers, ...settings }, isSilentAfter(index + 1))
        assert.deepStrictEqual([status, failure?.code], ["down", "timeout"])
        assert.include(failure!.message, "while receiving the answer")
        assert.deepInclude(capture, {
          statusLine: "200 OK",
          body: "first part, key is ••••",
          bodyTruncated: true,
          remoteAddress: "127.0.0.1"
        })
        assert.deepStrictEqual(valuesOf(capture!, "set-cookie"), ["••••"])
      }
      const empty = yield* timedOut(port, { url: `http://127.0.0.1:${port}/headers` }, isSilentAfter(3))
      assert.deepInclude(empty.capture, { statusLine: "200 OK", body: "", bodyTruncated: true })
    }).pipe(Effect.scoped)
  )

  it.effect("is not that of a redirect when what follows it does not answer", () =>
    Effect.gen(function* () {
      let isFollowed = false
      const port = yield* target((request, response) => {
        if (request.url === "/") response.writeHead(302, { location: "/silent" }).end("elsewhere")
        else isFollowed = true
      })
      const { capture, failure } = yield* timedOut(port, {}, () => isFollowed)
      assert.deepStrictEqual([failure?.code, capture], ["timeout", undefined])
    }).pipe(Effect.scoped)
  )

  it.live("is bounded text for any hostile response", () =>
    Effect.gen(function* () {
      const bodies: ReadonlyArray<readonly [string, Record<string, string>, Buffer]> = [
        [
          "binary",
          { "content-type": "image/png" },
          Buffer.from(Array.from({ length: 20_000 }, (_, index) => index % 256))
        ],
        ["terminal escapes", {}, Buffer.from("\u001b]0;owned\u0007\u001b[2J\u009b31m\u202egnp.exe")],
        ["HTML", { "content-type": "text/html" }, Buffer.from("<script>alert(1)</script>".repeat(1000))],
        ["a wrong charset", { "content-type": "text/html; charset=utf-16le" }, Buffer.from("plain text")],
        ["an unknown charset", { "content-type": "text/plain; charset=klingon" }, Buffer.from("Q'apla'")],
        ["a wrong encoding", { "content-encoding": "gzip" }, Buffer.from("this is not gzip")],
        ["an unknown encoding", { "content-encoding": "rot13" }, Buffer.from("uryyb")],
        ["a bomb", { "content-encoding": "gzip" }, gzipSync(Buffer.alloc(50_000_000))],
        ["half characters", {}, Buffer.from("é".repeat(5000)).subarray(0, 8001)],
        [
          "headers",
          Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`x-${index}`, "v".repeat(600)])),
          Buffer.from("x")
        ]
      ]
      for (const [what, headers, body] of bodies) {
        const port = yield* target((_, response) => response.writeHead(500, headers).end(body))
        const capture = yield* captured(port)
        assert.isAtMost(Buffer.byteLength(capture.body!), bodyBytes, what)
        assert.isAtMost(JSON.stringify(capture).length, 60_000, what)
        // oxlint-disable-next-line no-control-regex -- none of these may be left
        assert.notMatch(capture.body!, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/, what)
        assert.strictEqual(capture.body!.toWellFormed(), capture.body, what)
      }
    }).pipe(Effect.scoped)
  )

  it.live("takes little of an endless body", () =>
    Effect.gen(function* () {
      let sent = 0
      const port = yield* target((_, response) => {
        response.writeHead(500)
        const chunk = Buffer.alloc(65_536, "a")
        const pour = (): void => {
          while (response.writable && response.write(chunk)) sent += chunk.length
          if (response.writable) response.once("drain", pour)
        }
        pour()
      })
      const capture = yield* captured(port)
      assert.strictEqual(capture.body, "a".repeat(bodyBytes))
      assert.isTrue(capture.bodyTruncated)
      assert.isBelow(sent, 50_000_000)
    }).pipe(Effect.scoped)
  )

  it.live("is what is known of a target that does not speak HTTP", () =>
    Effect.gen(function* () {
      const port = yield* listening(
        createTcpServer((socket) => {
          socket.on("error", () => undefined)
          socket.resume()
          socket.end("SSH-2.0-OpenSSH_9.9\r\n")
        })
      )
      assert.deepStrictEqual(yield* captured(port), {
        finalUrl: `http://127.0.0.1:${port}/`,
        statusLine: null,
        headers: [],
        body: null,
        bodyTruncated: false,
        remoteAddress: "127.0.0.1"
      })
    }).pipe(Effect.scoped)
  )
})
