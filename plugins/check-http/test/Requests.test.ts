/** Requests: bodies, credentials, client certificates, addresses and versions of HTTP. */
import { delivered, eventually } from "@kanmon/testkit/Eventually"
import { createHash, generateKeyPairSync } from "node:crypto"
import * as http2 from "node:http2"
import type { AddressInfo, Socket } from "node:net"
import type { TLSSocket } from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import { certificates } from "@kanmon/testkit/Certificates"
import * as Targets from "@kanmon/testkit/Targets"
import { Effect, Result } from "effect"
import { attempt, check, timedOut } from "./Attempt.ts"

const pathsOf = (config: object): ReadonlyArray<string> => {
  const result = check.normalize({ url: "https://shop.example/", ...config })
  return Result.isFailure(result) ? result.failure.errors.map(({ path }) => path) : []
}

describe("a request body", () => {
  it.live.each<readonly [object, string, string | undefined]>([
    [{ body: "a=1" }, "a=1", undefined],
    [{ body: "hello", bodyType: "text" }, "hello", "text/plain;charset=UTF-8"],
    [{ body: { a: [1, null] } }, '{"a":[1,null]}', "application/json"],
    [{ body: [1], bodyType: "json" }, "[1]", "application/json"],
    [{ body: ' {"a": 1}', bodyType: "json" }, ' {"a": 1}', "application/json"],
    [
      { body: { q: "a b&c", n: 1, l: ["x", "y"] }, bodyType: "form" },
      "q=a+b%26c&n=1&l=x&l=y",
      "application/x-www-form-urlencoded"
    ],
    [{ body: { a: 1 }, headers: { "Content-Type": "application/vnd.api+json" } }, '{"a":1}', "application/vnd.api+json"]
  ])("is sent with its type: %j", ([settings, body, type]) =>
    Effect.gen(function* () {
      const target = yield* Targets.http(Targets.answer({}))
      assert.strictEqual((yield* attempt(target.port, { method: "POST", ...settings })).status, "up")
      assert.strictEqual(target.requests[0]!.body, body)
      assert.strictEqual(target.requests[0]!.headers["content-type"], type)
    }).pipe(Effect.scoped)
  )

  it.each([
    [{ method: "POST", body: "{", bodyType: "json" }, ["body"]],
    [{ method: "POST", body: {}, bodyType: "text" }, ["body"]],
    [{ method: "POST", body: { a: {} }, bodyType: "form" }, ["body"]],
    [{ method: "POST", body: [1], bodyType: "form" }, ["body"]],
    [{ method: "POST", body: { a: "x".repeat(65_536) } }, ["body"]],
    [{ method: "POST", bodyType: "json" }, ["body"]],
    [{ method: "GET", body: {} }, ["body"]]
  ])("is refused where it does not fit its type", (config, paths) => assert.deepStrictEqual(pathsOf(config), paths))
})

/** A server that verifies digest authentication by itself; each nonce is valid `uses` times, then stale. */
const digestServer = (algorithm: "MD5" | "SHA-256", options: { readonly staleFirst?: boolean } = {}) => {
  const hash = (text: string) =>
    createHash(algorithm === "MD5" ? "md5" : "sha256")
      .update(text)
      .digest("hex")
  let nonces = 0
  return Targets.http((request, response) => {
    const header = request.headers.authorization ?? ""
    const field = (name: string) => new RegExp(`${name}="?([^",]*)"?`).exec(header)?.[1] ?? ""
    const challenge = (stale: boolean) => {
      const nonce = `nonce${++nonces}`
      response.writeHead(401, {
        "www-authenticate": [
          'Basic realm="other"',
          `Digest realm="lab", nonce="${nonce}", qop="auth", algorithm=${algorithm}, opaque="o"${stale ? ", stale=true" : ""}`
        ]
      })
      response.end("no")
    }
    if (!header.startsWith("Digest ")) return challenge(false)
    if (options.staleFirst === true && field("nonce") === "nonce1") return challenge(true)
    const a1 = hash(`ada:lab:s3cret`)
    const a2 = hash(`${request.method}:${request.url}`)
    const expected = hash(`${a1}:${field("nonce")}:${field("nc")}:${field("cnonce")}:auth:${a2}`)
    const fits = field("response") === expected && field(" uri") === request.url && field("opaque") === "o"
    if (!fits) return challenge(false)
    response.end("welcome")
  })
}

describe("authentication", () => {
  const digest = { authentication: "digest", username: "ada", password: "s3cret" }

  it.live.each(["MD5", "SHA-256"] as const)("answers a digest challenge with %s", (algorithm) =>
    Effect.gen(function* () {
      const target = yield* digestServer(algorithm)
      const url = `${target.url}/a?b=c%20d`
      const found = yield* attempt(target.port, { ...digest, url, bodyContains: "welcome" })
      assert.strictEqual(found.status, "up", JSON.stringify(found.failure))
      assert.lengthOf(target.requests, 2)
      const posted = yield* attempt(target.port, { ...digest, url, method: "POST", body: { a: 1 } })
      assert.strictEqual(posted.status, "up")
      const wrong = yield* attempt(target.port, { ...digest, password: "wrong" })
      assert.deepStrictEqual([wrong.status, wrong.failure?.code], ["down", "status_mismatch"])
      assert.lengthOf(target.requests, 6)
    }).pipe(Effect.scoped)
  )

  it.live("answers again when the nonce was stale", () =>
    Effect.gen(function* () {
      const target = yield* digestServer("SHA-256", { staleFirst: true })
      assert.strictEqual((yield* attempt(target.port, digest)).status, "up")
      assert.lengthOf(target.requests, 3)
    }).pipe(Effect.scoped)
  )

  it.live("says that a server asks for something else than digest", () =>
    Effect.gen(function* () {
      const { port } = yield* Targets.http(Targets.answer({ status: 401, headers: { "www-authenticate": "Basic" } }))
      assert.include((yield* attempt(port, digest)).failure!.message, "no digest authentication")
    }).pipe(Effect.scoped)
  )

  it.live("sends basic and bearer credentials at once, and only to its own origin", () =>
    Effect.gen(function* () {
      const other = yield* Targets.http(Targets.answer({}))
      const own = yield* Targets.http((request, response) =>
        (request.url === "/away" ? Targets.redirect(`${other.url}/there`) : Targets.answer({}))(request, response)
      )
      const basic = { authentication: "basic", username: "ada", password: "pässword:1" }
      yield* attempt(own.port, basic)
      assert.strictEqual(
        own.requests[0]!.headers.authorization,
        `Basic ${Buffer.from("ada:pässword:1").toString("base64")}`
      )
      yield* attempt(own.port, { authentication: "bearer", token: "t0ken", url: `${own.url}/away` })
      assert.strictEqual(own.requests[1]!.headers.authorization, "Bearer t0ken")
      assert.isUndefined(other.requests[0]!.headers.authorization)
    }).pipe(Effect.scoped)
  )

  it.each([
    [{ authentication: "basic", username: "a" }, ["password"]],
    [{ authentication: "basic", username: "a:b", password: "c" }, ["username"]],
    [{ authentication: "bearer" }, ["token"]],
    [{ authentication: "bearer", token: "a b" }, ["token"]],
    [{ authentication: "bearer", token: "a", username: "b" }, ["username"]],
    [{ password: "a" }, ["authentication"]],
    [{ authentication: "bearer", token: "a", headers: { Authorization: "b" } }, ["headers.authorization"]],
    [{ authentication: "bearer", token: "a", url: "https://u:p@shop.example/" }, ["url"]]
  ])("is refused where its fields do not fit: %j", (config, paths) => assert.deepStrictEqual(pathsOf(config), paths))
})

describe("a client certificate", () => {
  const asking = Effect.gen(function* () {
    const { good, root } = yield* certificates
    return yield* Targets.http(
      (request, response) => {
        const { subject } = (request.socket as TLSSocket).getPeerCertificate()
        response.end(`hello ${[subject.CN].flat().join()}`)
      },
      { ...good, ca: root, requestCert: true, rejectUnauthorized: true }
    )
  })

  it.live("is sent to a server that requires one", () =>
    Effect.gen(function* () {
      const { good, strangeRoot } = yield* certificates
      const target = yield* asking
      const settings = { url: `${target.url}/`, verifyTls: false }
      const identity = { clientCertificate: good.cert, clientKey: good.key }
      const known = yield* attempt(target.port, { ...settings, ...identity, bodyContains: "hello site.example" })
      assert.strictEqual(known.status, "up", JSON.stringify(known.failure))
      const without = yield* attempt(target.port, settings)
      assert.strictEqual(without.status, "down")
      const strange = { clientCertificate: strangeRoot.cert, clientKey: strangeRoot.key }
      assert.strictEqual((yield* attempt(target.port, { ...settings, ...strange })).status, "down")
    }).pipe(Effect.scoped)
  )

  it.live("may have an encrypted key, which must be cheap to open", () =>
    Effect.gen(function* () {
      const { good } = yield* certificates
      const { createPrivateKey } = yield* Effect.promise(() => import("node:crypto"))
      const key = createPrivateKey(good.key)
      const encrypted = key.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "open" })
      const config = { clientCertificate: good.cert, clientKey: encrypted }
      assert.deepStrictEqual(pathsOf({ ...config, clientKeyPassphrase: "open" }), [])
      assert.deepStrictEqual(pathsOf({ ...config, clientKeyPassphrase: "wrong" }), ["clientKeyPassphrase"])
      assert.deepStrictEqual(pathsOf(config), ["clientKeyPassphrase"])
      // EncryptedPrivateKeyInfo with PBES2 and PBKDF2, of 134 million rounds: deriving the key would outlast this test.
      const der = (tag: number, ...parts: ReadonlyArray<Buffer>): Buffer => {
        const content = Buffer.concat(parts)
        return Buffer.concat([Buffer.from([tag, content.length]), content])
      }
      const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"))
      const rounds = der(0x02, Buffer.from("08000000", "hex"))
      const derivation = der(0x30, oid("2a864886f70d01050c"), der(0x30, der(0x04, Buffer.alloc(8)), rounds))
      const cipher = der(0x30, oid("60864801650304012a"), der(0x04, Buffer.alloc(16)))
      const scheme = der(0x30, oid("2a864886f70d01050d"), der(0x30, derivation, cipher))
      const costly = der(0x30, scheme, der(0x04, Buffer.alloc(16)))
      const clientKey = `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${costly.toString("base64")}\n-----END ENCRYPTED PRIVATE KEY-----`
      assert.deepStrictEqual(pathsOf({ ...config, clientKey, clientKeyPassphrase: "open" }), ["clientKey"])
    })
  )

  it.live("is refused when its parts do not fit", () =>
    Effect.gen(function* () {
      const { expired, good } = yield* certificates
      const { privateKey } = generateKeyPairSync("rsa", {
        modulusLength: 4104,
        publicKeyEncoding: { type: "spki", format: "pem" },
        privateKeyEncoding: { type: "pkcs8", format: "pem" }
      })
      const parts = { clientCertificate: good.cert, clientKey: good.key }
      assert.deepStrictEqual(pathsOf(parts), [])
      assert.deepStrictEqual(pathsOf({ ...parts, clientKey: expired.key }), ["clientKey"])
      assert.deepStrictEqual(pathsOf({ ...parts, clientKey: privateKey }), ["clientKey"])
      assert.deepStrictEqual(pathsOf({ ...parts, clientKey: good.cert }), ["clientKey"])
      assert.deepStrictEqual(pathsOf({ ...parts, clientCertificate: good.key }), ["clientCertificate"])
      assert.deepStrictEqual(pathsOf({ clientCertificate: good.cert }), ["clientKey"])
      assert.deepStrictEqual(pathsOf({ clientKey: good.key }), ["clientCertificate"])
      assert.deepStrictEqual(pathsOf({ ...parts, url: "http://shop.example" }), ["clientCertificate"])
    })
  )
})

describe("dnsOverride", () => {
  it.live("connects to the address, and keeps the name for Host, SNI and the certificate", () =>
    Effect.gen(function* () {
      const { good } = yield* certificates
      let servername: unknown
      const target = yield* Targets.http((request, response) => {
        servername = (request.socket as TLSSocket).servername
        response.end()
      }, good)
      const url = `https://site.example:${target.port}/`
      const found = yield* attempt(target.port, { url, dnsOverride: "127.0.0.1", verifyTls: false })
      assert.strictEqual(found.status, "up", JSON.stringify(found.failure))
      assert.deepInclude(found.facts["certificate"], { nameMatches: true })
      assert.strictEqual(target.requests[0]!.headers.host, `site.example:${target.port}`)
      assert.strictEqual(servername, "site.example")
      assert.strictEqual(found.facts["address"], "127.0.0.1")
    }).pipe(Effect.scoped)
  )

  it.each([
    [{ dnsOverride: "shop.example" }, ["dnsOverride"]],
    [{ dnsOverride: "fe80::1%eth0" }, ["dnsOverride"]],
    [{ dnsOverride: "2001:db8::1" }, []],
    [{ url: "https://192.0.2.1/", dnsOverride: "192.0.2.2" }, ["dnsOverride"]]
  ])("is an address: %j", (config, paths) => assert.deepStrictEqual(pathsOf(config), paths))
})

describe("HTTP/2", () => {
  type Handler = (stream: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders) => void

  const server = (handler: Handler) =>
    Effect.gen(function* () {
      const { good } = yield* certificates
      const made = http2.createSecureServer({ ...good, allowHTTP1: true })
      made.on("stream", (stream, headers) => {
        stream.on("error", () => undefined)
        handler(stream, headers)
      })
      made.on("sessionError", () => undefined)
      made.on("request", (request, response) => {
        if (request.httpVersion === "1.1") response.end("one")
      })
      const sockets = new Set<Socket>()
      made.on("connection", (socket) => {
        sockets.add(socket)
        socket.on("close", () => sockets.delete(socket))
      })
      yield* Effect.acquireRelease(
        Effect.callback<void>((resume) => void made.listen(0, "127.0.0.1", () => resume(Effect.void))),
        () =>
          Effect.sync(() => {
            for (const socket of sockets) socket.destroy()
            made.close()
          })
      )
      const { port } = made.address() as AddressInfo
      const all = (settings: object) => ({ url: `https://127.0.0.1:${port}/a?b`, verifyTls: false, ...settings })
      const ask = (settings: object = {}) => attempt(port, all(settings))
      /** Its timeout comes when the server has done what it does. */
      const askInVain = (isSilent: () => boolean) => timedOut(port, all({}), isSilent)
      return { ask, askInVain, sockets }
    })

  it.live("is spoken where the server offers it, unless the monitor wants HTTP/1.1", () =>
    Effect.gen(function* () {
      const seen: Array<http2.IncomingHttpHeaders> = []
      const { ask, sockets } = yield* server((stream, headers) => {
        seen.push(headers)
        stream.additionalHeaders({ ":status": 103, link: "</a.css>; rel=preload" })
        stream.respond({ ":status": 200, "content-type": "text/plain", "x-a": "b" })
        stream.end("two")
      })
      const found = yield* ask({
        method: "POST",
        body: { a: 1 },
        bodyContains: "two",
        headers: { "x-own": "1" },
        headerAssertions: [{ header: "X-A", operator: "equals", value: "b" }]
      })
      assert.strictEqual(found.status, "up", JSON.stringify(found.failure))
      assert.deepInclude(found.facts, { statusCode: 200, httpVersion: "2" })
      for (const stage of ["connect", "tls", "firstByte", "download"] as const) assert.isNumber(found.timing[stage])
      assert.deepInclude(seen[0], {
        ":path": "/a?b",
        ":method": "POST",
        "x-own": "1",
        "content-type": "application/json"
      })
      yield* eventually(
        Effect.sync(() => sockets.size),
        (count) => count === 0
      )
      const old = yield* ask({ httpVersion: "1.1", bodyContains: "one" })
      assert.deepStrictEqual([old.status, old.facts["httpVersion"]], ["up", "1.1"], JSON.stringify(old.failure))
    }).pipe(Effect.scoped)
  )

  it.live("fails when the server resets the stream, ends the session, or sends half a body", () =>
    Effect.gen(function* () {
      const acts: ReadonlyArray<readonly [Handler, string]> = [
        [(stream) => stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR), "protocol_error"],
        [(stream) => stream.close(http2.constants.NGHTTP2_REFUSED_STREAM), "protocol_error"],
        [(stream) => stream.session!.destroy(), "connect_reset"],
        [
          (stream) => {
            stream.respond({ ":status": 200, "content-length": 5 })
            stream.write("half", () => stream.close(http2.constants.NGHTTP2_CANCEL))
          },
          "response_incomplete"
        ],
        [
          (stream) => {
            const more = (): void => {
              if (stream.destroyed) return
              stream.additionalHeaders({ ":status": 103, link: "x".repeat(2000) })
              setImmediate(more)
            }
            more()
          },
          "header_too_large"
        ]
      ]
      for (const [act, code] of acts) {
        const { ask } = yield* server(act)
        const { failure, status } = yield* ask({ bodyContains: "x" })
        assert.deepStrictEqual([status, failure?.code], ["down", code], JSON.stringify(failure))
      }
    }).pipe(Effect.scoped)
  )

  it.effect("captures what was received when a body breaks off, and when it goes silent", () =>
    Effect.gen(function* () {
      const { NGHTTP2_CANCEL } = http2.constants
      const half = (then: (stream: http2.ServerHttp2Stream) => unknown, headers: object = {}): Handler =>
        function (stream) {
          stream.respond({ ":status": 200, "content-type": "text/plain", ...headers })
          stream.write("half", () =>
            Effect.runFork(
              Effect.andThen(
                delivered,
                Effect.sync(() => then(stream))
              )
            )
          )
        }
      let isSilent = false
      const acts: ReadonlyArray<readonly [Handler, string]> = [
        [half((stream) => stream.close(NGHTTP2_CANCEL), { "content-length": 9 }), "response_incomplete"],
        [half((stream) => stream.session!.destroy()), "response_incomplete"],
        [half(() => (isSilent = true)), "timeout"]
      ]
      for (const [act, code] of acts) {
        const { ask, askInVain } = yield* server(act)
        const { capture, failure } = yield* code === "timeout" ? askInVain(() => isSilent) : ask()
        assert.strictEqual(failure?.code, code, JSON.stringify(failure))
        assert.deepInclude(capture, {
          statusLine: "200",
          body: "half",
          bodyTruncated: true,
          remoteAddress: "127.0.0.1"
        })
        assert.deepStrictEqual(
          capture!.headers.filter(({ name }) => name === "content-type"),
          [{ name: "content-type", value: "text/plain" }]
        )
      }
    }).pipe(Effect.scoped)
  )

  it.effect("reads no more than its limits, and ends with the timeout", () =>
    Effect.gen(function* () {
      const endless = yield* server((stream) => {
        stream.respond({ ":status": 200 })
        const pump = (): void => {
          while (!stream.destroyed && stream.write("x".repeat(60_000)));
          stream.once("drain", pump)
        }
        pump()
      })
      assert.strictEqual((yield* endless.ask({ bodyContains: "xx" })).status, "up")
      let isAsked = false
      const silent = yield* server(() => (isAsked = true))
      assert.strictEqual((yield* silent.askInVain(() => isAsked)).failure?.code, "timeout")
      yield* eventually(
        Effect.sync(() => silent.sockets.size),
        (count) => count === 0
      )
      const interim = yield* server((stream) => {
        const more = (): void => {
          if (stream.destroyed) return
          stream.additionalHeaders({ ":status": 103, link: "x" })
          setImmediate(more)
        }
        more()
      })
      assert.strictEqual((yield* interim.ask({})).failure?.code, "header_too_large")
    }).pipe(Effect.scoped)
  )
})
