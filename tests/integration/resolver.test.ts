/** Name resolution with a real name server. */
import { eventually } from "@kanmon/testkit/Eventually"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import { Resolver, type RecordType } from "@kanmon/core/Resolver"
import { dns, type Reply } from "@kanmon/testkit/DnsTarget"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"

const zone = (name: string, type: string): Reply => {
  if (name === "") return []
  switch (`${type} ${name}`) {
    case "A site.example":
      return [
        { type: "A", name, data: "192.0.2.7" },
        { type: "A", name, data: "192.0.2.8" }
      ]
    case "AAAA site.example":
      return [{ type: "AAAA", name, data: "2001:db8::7" }]
    case "CNAME www.site.example":
      return [{ type: "CNAME", name, data: "Site.Example" }]
    case "MX site.example":
      return [{ type: "MX", name, data: { preference: 10, exchange: "mail.site.example" } }]
    case "TXT site.example":
      return [{ type: "TXT", name, data: ["v=spf1 ", "-all"] }]
    case "TXT utf8.example":
      // The text is cut at 255 bytes, here in the middle of a character.
      return [{ type: "TXT", name, data: [Buffer.from("Café 🏯").subarray(0, 4), Buffer.from("Café 🏯").subarray(4)] }]
    case "TXT latin1.example":
      return [{ type: "TXT", name, data: [Buffer.from("Café", "latin1")] }]
    case "TXT long.example":
      return { truncated: [{ type: "TXT", name, data: ["x".repeat(200), "y".repeat(200)] }] }
    case "A halfsilent.example":
      return [{ type: "A", name, data: "192.0.2.9" }]
    case "AAAA halfsilent.example":
      return "silence"
  }
  const reply = name.split(".")[0]
  return reply === "nxdomain" ||
    reply === "servfail" ||
    reply === "refused" ||
    reply === "silence" ||
    reply === "nonsense"
    ? reply
    : []
}

const resolverOf = (settings: NodeResolver.ResolverSettings) =>
  Effect.provide(
    Effect.map(Resolver, (resolver) => resolver),
    NodeResolver.layer(settings)
  )

/** Our own resolver is the test's server. */
const own = (answers: (name: string, type: string) => Reply = zone) =>
  Effect.gen(function* () {
    const server = yield* dns(answers)
    return { ...server, resolver: yield* resolverOf({ allowPrivate: true, server: server.server }) }
  })

const reasonOf = <A, E extends { readonly reason: string }>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), ({ reason }) => reason)

describe("records", () => {
  it.live.each([
    ["A", "site.example", ["192.0.2.7", "192.0.2.8"]],
    ["AAAA", "site.example", ["2001:db8::7"]],
    ["CNAME", "www.site.example", ["Site.Example"]],
    ["MX", "site.example", ["10 mail.site.example"]],
    ["TXT", "site.example", ["v=spf1 -all"]],
    ["TXT", "utf8.example", ["Café 🏯"]],
    ["TXT", "latin1.example", ["Café"]],
    ["TXT", "long.example", ["x".repeat(200) + "y".repeat(200)]]
  ] as ReadonlyArray<[RecordType, string, ReadonlyArray<string>]>)("reads %s of %s", ([type, name, expected]) =>
    Effect.gen(function* () {
      const { server } = yield* dns(zone)
      const resolver = yield* resolverOf({ allowPrivate: true })
      assert.deepStrictEqual(yield* resolver.records(name, type, server), expected)
    }).pipe(Effect.scoped)
  )

  it.live.each([
    ["nxdomain", "dns_nxdomain"],
    ["empty", "dns_no_records"],
    ["servfail", "dns_servfail"],
    ["refused", "dns_refused"]
  ])("tells %s as %s", ([name, reason]) =>
    Effect.gen(function* () {
      const { resolver, server } = yield* own()
      assert.strictEqual(yield* reasonOf(resolver.records(`${name}.example`, "A", server)), reason)
      assert.strictEqual(yield* reasonOf(resolver.records(`${name}.example`, "A")), reason)
    }).pipe(Effect.scoped)
  )

  it.live("does not query a private server, unless it is allowed", () =>
    Effect.gen(function* () {
      const { questions, server } = yield* dns(zone)
      const strict = yield* resolverOf({ allowPrivate: false })
      assert.strictEqual(yield* reasonOf(strict.records("site.example", "A", server)), "address_refused")
      assert.strictEqual(yield* reasonOf(strict.records("site.example", "A", "[::1]:53")), "address_refused")
      assert.strictEqual(yield* reasonOf(strict.records("site.example", "A", "no address")), "dns_failed")
      assert.deepStrictEqual(questions, [])
      const exempt = yield* resolverOf({ allowPrivate: false, allowTargets: new Set([server]) })
      assert.strictEqual((yield* exempt.records("site.example", "A", server)).length, 2)
    }).pipe(Effect.scoped)
  )

  it.live("stops when it is interrupted", () =>
    Effect.gen(function* () {
      const { questions, server } = yield* dns(zone)
      const resolver = yield* resolverOf({ allowPrivate: true })
      const asking = yield* Effect.forkChild(resolver.records("silence.example", "A", server))
      yield* eventually(
        Effect.sync(() => questions.length),
        (count) => count > 0
      )
      yield* Fiber.interrupt(asking)
    }).pipe(Effect.scoped)
  )
})

describe("a resolver that does not answer", () => {
  it.live("results in unknown if it is our own", () =>
    Effect.gen(function* () {
      const { resolver } = yield* own(() => "silence")
      assert.strictEqual(yield* reasonOf(resolver.addresses("site.example")), "resolver_unavailable")
    }).pipe(Effect.scoped)
  )

  it.live("results in unknown if nothing listens there", () =>
    Effect.gen(function* () {
      const { server } = yield* Effect.scoped(dns(zone))
      const resolver = yield* resolverOf({ allowPrivate: true, server })
      assert.strictEqual(yield* reasonOf(resolver.records("site.example", "A")), "resolver_unavailable")
      assert.strictEqual(yield* reasonOf(resolver.addresses("site.example")), "resolver_unavailable")
    })
  )

  it.live("results in down if it answers other queries", () =>
    Effect.gen(function* () {
      const { resolver, server } = yield* own()
      const reasons = yield* Effect.all(
        [
          reasonOf(resolver.addresses("silence.example")),
          reasonOf(resolver.records("silence.example", "A")),
          reasonOf(resolver.records("silence.example", "A", server))
        ],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(reasons, ["dns_timeout", "dns_timeout", "dns_timeout"])
    }).pipe(Effect.scoped)
  )
})

describe("addresses", () => {
  it.live("returns both families, IPv4 first", () =>
    Effect.gen(function* () {
      const { resolver } = yield* own()
      assert.deepStrictEqual(yield* resolver.addresses("site.example"), [
        { address: "192.0.2.7", family: 4 },
        { address: "192.0.2.8", family: 4 },
        { address: "2001:db8::7", family: 6 }
      ])
    }).pipe(Effect.scoped)
  )

  it.live("does not wait for a server that is silent about IPv6", () =>
    Effect.gen(function* () {
      const { resolver } = yield* own()
      assert.deepStrictEqual(yield* resolver.addresses("halfsilent.example"), [{ address: "192.0.2.9", family: 4 }])
    }).pipe(Effect.scoped)
  )

  it.live("shares concurrent lookups, and queries again later", () =>
    Effect.gen(function* () {
      const { questions, resolver } = yield* own()
      const asked = () => questions.filter((question) => question === "A site.example").length
      yield* Effect.all(
        Array.from({ length: 20 }, () => resolver.addresses("site.example")),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(asked(), 1)
      yield* resolver.addresses("site.example")
      assert.strictEqual(asked(), 2)
    }).pipe(Effect.scoped)
  )

  it.live("answers the others if one of a shared lookup is interrupted", () =>
    Effect.gen(function* () {
      const { resolver } = yield* own()
      const first = yield* Effect.forkChild(resolver.addresses("halfsilent.example"))
      const second = yield* Effect.forkChild(resolver.addresses("halfsilent.example"))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(first)
      assert.strictEqual((yield* Fiber.join(second)).length, 1)
    }).pipe(Effect.scoped)
  )

  it.live("resolves names of this machine locally", () =>
    Effect.gen(function* () {
      const resolver = yield* resolverOf({ allowPrivate: false })
      const found = yield* resolver.addresses("localhost")
      assert.isTrue(found.some(({ address }) => address === "127.0.0.1" || address === "::1"))
    })
  )

  it.live.each(["nxdomain", "empty", "servfail"])("say precisely why there are none: %s", (name) =>
    Effect.gen(function* () {
      const { resolver } = yield* own()
      const expected = { nxdomain: "dns_nxdomain", empty: "dns_no_records", servfail: "dns_servfail" }[name]
      assert.strictEqual(yield* reasonOf(resolver.addresses(`${name}.example`)), expected)
    }).pipe(Effect.scoped)
  )
})
