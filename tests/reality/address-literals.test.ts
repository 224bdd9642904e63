/** Targets and channels that are named by an address: the certificate has to name that address (RFC 9110, section 4.3.5). */
import type { TLSSocket } from "node:tls"
import { Dialer } from "@kanmon/core/Dialer"
import { send } from "@kanmon/core/HttpRequest"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import { certificateFor, certificates } from "@kanmon/testkit/Certificates"
import * as Targets from "@kanmon/testkit/Targets"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { attempt, type Network } from "./Attempt.ts"

const addresses = ["127.0.0.1", "::1"] as const
const other = { "127.0.0.1": "::1", "::1": "127.0.0.1" } as const

/** What a server presents, and whether it names the address that is called. */
const presented = [
  ["the address", (address: string) => [address], true],
  ["the address and a name", (address: string) => ["site.example", address], true],
  ["another address", (address: keyof typeof other) => [other[address]], false],
  ["a name alone", () => ["localhost"], false]
] as const

const cases = addresses.flatMap((address) =>
  presented.map(([what, names, fits]) => ({ address, what, names: names(address), fits }))
)

/** A server on a loopback address that records the names it was asked for (SNI). */
const serving = (address: (typeof addresses)[number], names: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { root } = yield* certificates
    const asked: Array<unknown> = []
    const target = yield* Targets.http(
      (request, response) => {
        asked.push((request.socket as TLSSocket).servername)
        response.end("at your service")
      },
      yield* certificateFor(...names),
      address
    )
    return { ...target, root, asked }
  })

const network = (root: string): Network => ({ allowPrivate: true, ca: [root] })

describe("a server that is called by its address", () => {
  it.live.each(cases)("passes a check when its certificate has $what ($address)", ({ address, fits, names }) =>
    Effect.gen(function* () {
      const target = yield* serving(address, names)
      const found = yield* attempt("http", { url: `${target.url}/` }, network(target.root))
      if (fits) {
        assert.deepInclude(found, { status: "up", failure: null })
        assert.deepInclude(found.facts["certificate"], { nameMatches: true, problem: null })
        // RFC 6066 allows names alone.
        assert.deepStrictEqual(target.asked, [false])
      } else {
        assert.strictEqual(found.failure?.code, "tls_name_mismatch")
        assert.include(found.failure!.message, address)
        assert.deepInclude(found.facts["certificate"], {
          nameMatches: false,
          problem: "ERR_TLS_CERT_ALTNAME_INVALID"
        })
        assert.isEmpty(target.requests)
      }
    }).pipe(Effect.scoped)
  )

  it.live.each(cases)("gets messages when its certificate has $what ($address)", ({ address, fits, names }) =>
    Effect.gen(function* () {
      const target = yield* serving(address, names)
      const answer = yield* send({ url: new URL(`${target.url}/hook`), method: "POST", body: "{}" }).pipe(
        Effect.result,
        Effect.provide(
          NodeDialer.layer(network(target.root)).pipe(Layer.provide(NodeResolver.layer({ allowPrivate: true })))
        )
      )
      assert.deepStrictEqual(
        answer._tag === "Success" ? answer.success.status : answer.failure.reason,
        fits ? 200 : "tls_untrusted"
      )
    }).pipe(Effect.scoped)
  )

  it.live("is compared with the address in every notation of it", () =>
    Effect.gen(function* () {
      const target = yield* serving("::1", ["::1"])
      const { dial } = yield* Effect.provide(
        Effect.map(Dialer, (service) => service),
        NodeDialer.layer(network(target.root)).pipe(Layer.provide(NodeResolver.layer({ allowPrivate: true })))
      )
      for (const host of ["::1", "0:0:0:0:0:0:0:1", "0000:0000::0001"]) {
        const { peer } = yield* dial({ host, port: target.port, tls: {} })
        assert.deepInclude(peer!, { authorizationError: null, nameMismatch: false }, host)
      }
    }).pipe(Effect.scoped)
  )

  it.live("follows from a name to an address, and back", () =>
    Effect.gen(function* () {
      const { root } = yield* certificates
      const named = yield* Targets.http(Targets.answer({ body: "in" }), yield* certificateFor("localhost"))
      const numbered = yield* Targets.http(
        Targets.redirect(`https://localhost:${named.port}/`),
        yield* certificateFor("::1"),
        "::1"
      )
      const found = yield* attempt("http", { url: `${numbered.url}/`, bodyContains: "in" }, network(root))
      assert.deepInclude(found, { status: "up", failure: null })
    }).pipe(Effect.scoped)
  )

  it.live("is still refused for an untrusted or expired certificate", () =>
    Effect.gen(function* () {
      const { expired, root, selfSigned } = yield* certificates
      for (const [shown, code] of [
        [expired, "tls_expired"],
        [selfSigned, "tls_self_signed"]
      ] as const) {
        const { port } = yield* Targets.http(Targets.answer({}), shown)
        const found = yield* attempt("http", { url: `https://127.0.0.1:${port}/` }, network(root))
        assert.strictEqual(found.failure?.code, code)
      }
    }).pipe(Effect.scoped)
  )
})
