import { assert, describe, it } from "@effect/vitest"
import { type RecordType, ResolveFailed, Resolver } from "@kanmon/core/Resolver"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { look, words } from "../../src/custom-domains/DomainPointing.ts"

const host = "pages.kanmon.example"
const domain = "status.acme.example"

type Zone = Readonly<Record<string, ReadonlyArray<string> | ResolveFailed["reason"]>>

/** Looks at a zone that has the host's own address. Keys are `<type> <name>`. */
const seen = (zone: Zone) => {
  const records = { [`A ${host}`]: ["192.0.2.10"], [`AAAA ${host}`]: ["2001:db8::10"], ...zone } as Zone
  const resolver = Resolver.of({
    records: (name: string, type: RecordType) => {
      const found = records[`${type} ${name}`] ?? "dns_no_records"
      return typeof found === "string"
        ? Effect.fail(new ResolveFailed({ reason: found, message: `no answer for ${name}` }))
        : Effect.succeed(found)
    },
    addresses: () => Effect.die("not asked")
  })
  return look(domain, host).pipe(Effect.provideService(Resolver, resolver))
}

describe("a domain's DNS record", () => {
  it.effect("leads here by a CNAME, by a chain of them, or by all our addresses", () =>
    Effect.gen(function* () {
      const chain = {
        [`CNAME ${domain}`]: ["alias.acme.example"],
        "CNAME alias.acme.example": ["Pages.Kanmon.Example"]
      }
      for (const zone of [{ [`CNAME ${domain}`]: [host] }, chain])
        assert.deepStrictEqual(yield* seen(zone), { _tag: "Here", by: "cname" })
      for (const zone of [
        { [`A ${domain}`]: ["192.0.2.10"] },
        { [`A ${domain}`]: ["192.0.2.10"], [`AAAA ${domain}`]: ["2001:db8::10"] }
      ])
        assert.deepStrictEqual(yield* seen(zone), { _tag: "Here", by: "addresses" })
    })
  )

  it.effect("is not ours with one address that is not", () =>
    Effect.gen(function* () {
      const mixed = yield* seen({ [`A ${domain}`]: ["192.0.2.10"], [`AAAA ${domain}`]: ["2001:db8::bad"] })
      assert.match(words(mixed, domain, host)!, /found beside the right address also 2001:db8::bad\. Expected a CNAME/)
      const foreign = yield* seen({ [`A ${domain}`]: ["192.0.2.99"] })
      assert.match(words(foreign, domain, host)!, /found the address 192\.0\.2\.99\./)
    })
  )

  it.effect("is named when it leads elsewhere or nowhere", () =>
    Effect.gen(function* () {
      const other = yield* seen({ [`CNAME ${domain}`]: ["pages.other.example"] })
      assert.match(words(other, domain, host)!, /found a CNAME record that leads to pages\.other\.example\./)
      assert.match(words(yield* seen({}), domain, host)!, /has no DNS record\. .*points to pages\.kanmon\.example/)
    })
  )

  it.effect("is not waited for when its name servers never answer", () =>
    Effect.gen(function* () {
      const silent = Resolver.of({ records: () => Effect.never, addresses: () => Effect.never })
      const fiber = yield* Effect.forkChild(look(domain, host).pipe(Effect.provideService(Resolver, silent)))
      yield* TestClock.adjust("15 seconds")
      const pointing = yield* Fiber.join(fiber)
      assert.strictEqual(pointing._tag, "Unanswered")
    })
  )

  it.effect("goes round in a circle only so often", () =>
    Effect.map(seen({ [`CNAME ${domain}`]: [domain] }), (pointing) => assert.strictEqual(pointing._tag, "Elsewhere"))
  )

  it.effect("is not judged when we cannot look, and is when its servers do not answer", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* seen({ [`CNAME ${domain}`]: "resolver_unavailable" }), { _tag: "Unknown" })
      assert.deepStrictEqual(yield* seen({ [`A ${host}`]: "dns_timeout", [`A ${domain}`]: ["192.0.2.1"] }), {
        _tag: "Unknown"
      })
      assert.strictEqual((yield* seen({ [`CNAME ${domain}`]: "dns_servfail" }))._tag, "Unanswered")
    })
  )
})
