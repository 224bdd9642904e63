/** Appliances that only speak old versions of TLS. */
import type { SecureVersion, TLSSocket } from "node:tls"
import { certificates } from "@kanmon/testkit/Certificates"
import * as Targets from "@kanmon/testkit/Targets"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { attempt } from "./Attempt.ts"

const speaking = (only: SecureVersion) =>
  Effect.gen(function* () {
    const { good, root } = yield* certificates
    const spoken: Array<string | null> = []
    const target = yield* Targets.http(
      (request, response) => {
        spoken.push((request.socket as TLSSocket).getProtocol())
        response.end("ready")
      },
      { ...good, minVersion: only, maxVersion: only, ciphers: "DEFAULT:@SECLEVEL=0" }
    )
    return { ...target, spoken, network: { allowPrivate: true, ca: [root] } }
  })

const versions = ["1.0", "1.1", "1.2", "1.3"] as const
const inNode = { "1.0": "TLSv1", "1.1": "TLSv1.1", "1.2": "TLSv1.2", "1.3": "TLSv1.3" } as const

describe("tlsMinVersion", () => {
  it.live.each(versions)("decides whether a server that only speaks TLS %s is accepted", (only) =>
    Effect.gen(function* () {
      const target = yield* speaking(inNode[only])
      for (const oldest of [undefined, ...versions]) {
        const settings = { url: `${target.url}/`, ...(oldest === undefined ? {} : { tlsMinVersion: oldest }) }
        const found = yield* attempt("http", settings, target.network)
        if (only >= (oldest ?? "1.2")) {
          assert.deepInclude(found, { status: "up", failure: null }, oldest)
          assert.deepInclude(found.facts["certificate"], { protocol: inNode[only], nameMatches: true })
        } else {
          assert.strictEqual(found.failure?.code, "tls_failed", oldest)
          assert.include(found.failure!.message, `older than ${oldest ?? "1.2"}`)
          assert.include(found.failure!.message, "tlsMinVersion")
        }
      }
      assert.deepStrictEqual([...new Set(target.spoken)], [inNode[only]])
    }).pipe(Effect.scoped)
  )

  it.live("verifies certificates all the same", () =>
    Effect.gen(function* () {
      const target = yield* speaking("TLSv1")
      const found = yield* attempt("http", { url: `${target.url}/`, tlsMinVersion: "1.0" }, { allowPrivate: true })
      assert.strictEqual(found.failure?.code, "tls_untrusted")
      assert.isEmpty(target.spoken)
    }).pipe(Effect.scoped)
  )
})

describe("a refusal in the handshake", () => {
  it.live("names the host, also when the monitor has an address for it", () =>
    Effect.gen(function* () {
      const target = yield* speaking("TLSv1.1")
      const settings = { url: `https://site.example:${target.port}/`, dnsOverride: "127.0.0.1" }
      const found = yield* attempt("http", settings, target.network)
      assert.include(found.failure!.message, `site.example:${target.port} `)
      const closed = yield* attempt(
        "http",
        { ...settings, url: `https://site.example:${yield* Targets.refusing}/` },
        target.network
      )
      assert.strictEqual(closed.failure?.code, "connect_refused")
      assert.include(closed.failure!.message, "site.example:")
      const older = yield* attempt("http", { ...settings, tlsMinVersion: "1.1" }, target.network)
      assert.strictEqual(older.status, "up")
      assert.strictEqual(older.facts["address"], "127.0.0.1")
    }).pipe(Effect.scoped)
  )

  it.live("keeps the policy for the address that a monitor has", () =>
    Effect.gen(function* () {
      const settings = { url: "https://site.example/", dnsOverride: "10.0.0.1" }
      const found = yield* attempt("http", settings, { allowPrivate: false })
      assert.strictEqual(found.failure?.code, "address_refused")
    })
  )
})
