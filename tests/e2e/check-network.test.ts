/** Where an installation may look on behalf of people who choose the names, with its settings as an operator sets them. */
import { dns, type Reply } from "@kanmon/testkit/DnsTarget"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { make } from "../support/Product.ts"

/** What the operator's own resolver knows. */
const inside = (name: string, type: string): Reply => {
  if (type === "TXT") return [{ type: "TXT", name, data: "the inner face" }]
  return type === "A" ? [{ type: "A", name, data: "10.20.30.40" }] : []
}

/** What everybody knows. */
const outside = (name: string, type: string): Reply =>
  type === "TXT" ? [{ type: "TXT", name, data: "the outer face" }] : []

describe("an installation that does not allow private targets", () => {
  it.live("reveals no records of private zones", () =>
    Effect.gen(function* () {
      const inner = yield* dns(inside)
      const outer = yield* dns(outside)
      const trials = (env: Record<string, string>) =>
        Effect.gen(function* () {
          const product = yield* make({ env: { KANMON_ALLOW_PRIVATE_TARGETS: "false", ...env } })
          yield* product.healthy
          const ada = yield* product.signUp
          const dnsMonitor = { name: "Zone", type: "dns", hostname: "zone.example", interval: 60 }
          const trial = (recordType: string) => ada.call("POST", "/monitors/test", { ...dnsMonitor, recordType })
          const made = yield* ada.call("POST", "/monitors", { ...dnsMonitor, recordType: "A" })
          const lan = { name: "LAN", type: "http", url: "http://127.0.0.1:1/", interval: 60 }
          const streamed = yield* ada.call("POST", "/monitors/test", lan, { accept: "text/event-stream" })
          const found = { a: (yield* trial("A")).body, txt: (yield* trial("TXT")).body, made: made.body }
          return { ...found, streamed: String(streamed.body) }
        }).pipe(Effect.scoped)

      const apart = yield* trials({ KANMON_DNS_RESOLVER: inner.server, KANMON_CHECK_RESOLVER: outer.server })
      assert.deepStrictEqual(apart.txt.regions[0].facts, { records: ["the outer face"] })
      assert.strictEqual(apart.a.failure.code, "dns_no_records")
      assert.match(
        apart.streamed,
        /^event: start\ndata: .*\n\nevent: region\ndata: .*"code":"address_refused".*\n\nevent: end\n/
      )
      assert.notProperty(apart.made, "warnings")

      const shared = yield* trials({ KANMON_DNS_RESOLVER: inner.server })
      assert.deepStrictEqual(shared.txt.regions[0].facts, { records: ["the inner face"] })
      assert.strictEqual(shared.a.failure.code, "address_refused")
      assert.strictEqual(shared.made.warnings[0].code, "address_refused")
      assert.notInclude(JSON.stringify(shared), "10.20.30.40")
    }).pipe(Effect.scoped)
  )
})
