import type { Socket } from "node:net"
/** Outgoing connections to real servers: refused addresses, errors, and closed sockets. */
import { eventually } from "@kanmon/testkit/Eventually"
import { Dialer, type DialOptions } from "@kanmon/core/Dialer"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import { type Certificates, certificates } from "@kanmon/testkit/Certificates"
import { dns, type Reply } from "@kanmon/testkit/DnsTarget"
import * as Targets from "@kanmon/testkit/Targets"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Scope } from "effect"

const dialer = (settings: NodeDialer.DialerSettings, server?: string) =>
  Effect.provide(
    Effect.map(Dialer, (service) => service),
    NodeDialer.layer(settings).pipe(Layer.provide(NodeResolver.layer({ ...settings, server })))
  )

const open = { allowPrivate: true }
const strict = { allowPrivate: false }

const failureOf = (settings: NodeDialer.DialerSettings, options: DialOptions, server?: string) =>
  Effect.gen(function* () {
    const { dial } = yield* dialer(settings, server)
    return yield* Effect.flip(Effect.scoped(dial(options)))
  })

/** A name server that answers each question for an address with the next of these lists. */
const turning = (...answers: ReadonlyArray<ReadonlyArray<string>>) => {
  let asked = 0
  return dns((name, type): Reply => {
    if (type !== "A") return []
    const addresses = answers[Math.min(asked++, answers.length - 1)] ?? []
    return addresses.map((data) => ({ type: "A", name, data }))
  })
}

describe("the dialer", () => {
  it.live.each(["127.0.0.1", "::1", "::ffff:127.0.0.1", "169.254.169.254", "0.0.0.0", "64:ff9b::7f00:1"])(
    "refuses %s without connecting",
    (host) =>
      Effect.gen(function* () {
        const { message, reason } = yield* failureOf(strict, { host, port: 80 })
        assert.strictEqual(reason, "address_refused")
        assert.include(message, host)
      })
  )

  it.live("refuses a name if one of its addresses is private, without revealing it", () =>
    Effect.gen(function* () {
      const target = yield* Targets.tcp()
      const { server } = yield* turning(["127.0.0.1", "10.1.2.3"])
      const settings = { allowPrivate: false, allowTargets: new Set([`127.0.0.1:${target.port}`]) }
      const { message, reason } = yield* failureOf(settings, { host: "a.example", port: target.port }, server)
      assert.strictEqual(reason, "address_refused")
      assert.include(message, "private use")
      assert.notInclude(message, "10.1.2.3")
      assert.strictEqual(target.accepted(), 0)
    }).pipe(Effect.scoped)
  )

  it.live("resolves a name once and dials the checked address", () =>
    Effect.gen(function* () {
      const target = yield* Targets.tcp()
      const settings = { allowPrivate: false, allowTargets: new Set([`127.0.0.1:${target.port}`]) }
      const { questions, server } = yield* turning(["127.0.0.1"], ["10.0.0.1"])
      const { dial } = yield* dialer(settings, server)
      const { address } = yield* dial({ host: "rebind.example", port: target.port })
      assert.strictEqual(address, "127.0.0.1")
      assert.deepStrictEqual(
        questions.filter((question) => question.startsWith("A ")),
        ["A rebind.example"]
      )
      const second = yield* Effect.flip(dial({ host: "rebind.example", port: target.port }))
      assert.strictEqual(second.reason, "address_refused")
      assert.strictEqual(target.accepted(), 1)
    }).pipe(Effect.scoped)
  )

  it.live("tries the next address if one refuses", () =>
    Effect.gen(function* () {
      const target = yield* Targets.tcp()
      const { server } = yield* turning(["127.0.0.2", "127.0.0.3", "127.0.0.1"])
      const { dial } = yield* dialer(open, server)
      const { address, timing } = yield* dial({ host: "several.example", port: target.port })
      assert.strictEqual(address, "127.0.0.1")
      assert.isAtLeast(timing.connect, 0)
      const { reason } = yield* failureOf(open, { host: "several.example", port: yield* Targets.refusing }, server)
      assert.strictEqual(reason, "connect_refused")
    }).pipe(Effect.scoped)
  )

  it.live("reports the reason of a failure", () =>
    Effect.gen(function* () {
      const port = yield* Targets.refusing
      const refused = yield* failureOf(open, { host: "127.0.0.1", port })
      assert.deepInclude(refused, { reason: "connect_refused", cause: "ECONNREFUSED" })
      assert.strictEqual(refused.message, `127.0.0.1:${port} refused the connection`)
      const { server } = yield* dns((name) => (name.startsWith("gone") ? "nxdomain" : []))
      assert.strictEqual((yield* failureOf(open, { host: "gone.example", port }, server)).reason, "dns_nxdomain")
      assert.strictEqual((yield* failureOf(open, { host: "empty.example", port }, server)).reason, "dns_no_address")
    }).pipe(Effect.scoped)
  )

  it.live("reports unknown if its own resolver is down", () =>
    Effect.gen(function* () {
      const { server } = yield* Effect.scoped(dns(() => []))
      const { reason } = yield* failureOf(open, { host: "a.example", port: 80 }, server)
      assert.strictEqual(reason, "egress_unavailable")
    })
  )

  it.live("announces each stage", () =>
    Effect.gen(function* () {
      const { good } = yield* certificates
      const target = yield* Targets.http(Targets.answer({}), good)
      const { dial } = yield* dialer(open)
      const stages: Array<string> = []
      const { timing } = yield* dial({ host: "127.0.0.1", port: target.port, tls: {}, stage: (s) => stages.push(s) })
      assert.deepStrictEqual(stages, ["dns", "connect", "tls"])
      assert.sameMembers(Object.keys(timing), ["dns", "connect", "tls"])
    }).pipe(Effect.scoped)
  )
})

describe("a connection", () => {
  it.live("closes with its scope, and may break before", () =>
    Effect.gen(function* () {
      const accepted: Array<Socket> = []
      const target = yield* Targets.tcp((socket) => void accepted.push(socket))
      const { dial } = yield* dialer(open)
      const scope = yield* Scope.make()
      const { socket } = yield* Scope.provide(dial({ host: "127.0.0.1", port: target.port }), scope)
      socket.resume()
      yield* eventually(
        Effect.sync(() => accepted.length),
        (count) => count === 1
      )
      accepted[0]!.resetAndDestroy()
      yield* Targets.closed(target)
      yield* Scope.close(scope, Exit.void)
      const quiet = yield* Targets.tcp()
      yield* Effect.scoped(dial({ host: "127.0.0.1", port: quiet.port }))
      yield* Targets.closed(quiet)
    }).pipe(Effect.scoped)
  )

  it.live("closes at once if the handshake is interrupted", () =>
    Effect.gen(function* () {
      const target = yield* Targets.tcp()
      const { dial } = yield* dialer(open)
      const dialling = yield* Effect.forkChild(Effect.scoped(dial({ host: "127.0.0.1", port: target.port, tls: {} })))
      yield* eventually(Effect.sync(target.open), (count) => count === 1)
      yield* Fiber.interrupt(dialling)
      yield* Targets.closed(target)
    }).pipe(Effect.scoped)
  )

  it.live("leaves nothing open if it is interrupted at any moment", () =>
    Effect.gen(function* () {
      const target = yield* Targets.tcp()
      const { dial } = yield* dialer(open)
      for (let round = 0; round < 100; round++) {
        const dialling = yield* Effect.forkChild(Effect.scoped(dial({ host: "127.0.0.1", port: target.port })))
        for (let step = 0; step < round % 20; step++) yield* Effect.yieldNow
        yield* Fiber.interrupt(dialling)
      }
      yield* Targets.closed(target)
    }).pipe(Effect.scoped)
  )
})

const peerOf = (which: Exclude<keyof Certificates, "root">, host: string, trusted: boolean) =>
  Effect.gen(function* () {
    const { [which]: identity, root } = yield* certificates
    const target = yield* Targets.http(Targets.answer({}), identity)
    const { server } = yield* turning(["127.0.0.1"])
    const { dial } = yield* dialer({ ...open, ...(trusted ? { ca: [root] } : {}) }, server)
    return (yield* dial({ host, port: target.port, tls: {} })).peer!
  }).pipe(Effect.scoped)

describe("a certificate", () => {
  it.live.each([
    ["good", "site.example", true, null, false],
    ["good", "site.example.", true, null, false],
    ["good", "127.0.0.1", true, null, false],
    ["good", "other.example", true, "ERR_TLS_CERT_ALTNAME_INVALID", true],
    ["good", "site.example", false, "UNABLE_TO_GET_ISSUER_CERT_LOCALLY", false],
    ["expired", "site.example", true, "CERT_HAS_EXPIRED", false],
    ["expiredWrongName", "site.example", true, "CERT_HAS_EXPIRED", true],
    ["notYetValid", "site.example", true, "CERT_NOT_YET_VALID", false],
    ["wrongName", "site.example", true, "ERR_TLS_CERT_ALTNAME_INVALID", true],
    ["selfSigned", "site.example", true, "DEPTH_ZERO_SELF_SIGNED_CERT", false],
    ["incomplete", "site.example", true, "UNABLE_TO_VERIFY_LEAF_SIGNATURE", false],
    ["strangeRoot", "site.example", true, "SELF_SIGNED_CERT_IN_CHAIN", false]
  ] as const)("is reported, not enforced: %s for %s", ([which, host, trusted, error, nameMismatch]) =>
    Effect.gen(function* () {
      const peer = yield* peerOf(which, host, trusted)
      assert.deepInclude({ ...peer }, { authorizationError: error, nameMismatch })
      assert.isDefined(peer.certificate.fingerprint256)
    })
  )

  it.live("is present on every connection, without TLS session resumption", () =>
    Effect.gen(function* () {
      const { good } = yield* certificates
      const target = yield* Targets.http(Targets.answer({}), good)
      const { dial } = yield* dialer(open)
      for (let round = 0; round < 3; round++) {
        const { peer } = yield* Effect.scoped(dial({ host: "127.0.0.1", port: target.port, tls: {} }))
        assert.isDefined(peer?.certificate.subject)
      }
    }).pipe(Effect.scoped)
  )
})

describe("a handshake that fails", () => {
  const failing = (port: number) => failureOf(open, { host: "127.0.0.1", port, tls: {} })

  it.live("detects a port without TLS", () =>
    Effect.gen(function* () {
      const { port } = yield* Targets.raw("HTTP/1.1 400 Bad Request\r\n\r\n")
      const { message, reason } = yield* failing(port)
      assert.strictEqual(reason, "tls_failed")
      assert.include(message, "does not speak TLS")
    }).pipe(Effect.scoped)
  )

  it.live("detects a server that closes the connection", () =>
    Effect.gen(function* () {
      const { port } = yield* Targets.tcp((socket) => void socket.once("data", () => socket.destroy()))
      assert.include((yield* failing(port)).message, "closed the connection during the TLS handshake")
    }).pipe(Effect.scoped)
  )

  it.live("detects a server with only old TLS versions", () =>
    Effect.gen(function* () {
      const { good } = yield* certificates
      const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const
      const target = yield* Targets.http(Targets.answer({}), { ...good, ...old })
      const { message, reason } = yield* failing(target.port)
      assert.strictEqual(reason, "tls_failed")
      assert.include(message, "too old")
    }).pipe(Effect.scoped)
  )
})
