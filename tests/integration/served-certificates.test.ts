/** Cached certificates: the cost of handshakes, and serving while the database is down. */
import { assert, describe, it } from "@effect/vitest"
import { certificates as testCertificates } from "@kanmon/testkit/Certificates"
import { Certificates, type StoredCertificate } from "@kanmon/monitoring/testing/custom-domains/Certificates.ts"
import { Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as HostName from "@kanmon/monitoring/testing/custom-domains/HostName.ts"
import { ServedCertificates } from "@kanmon/monitoring/testing/custom-domains/ServedCertificates.ts"

const day = 86_400_000
const domain = "status.acme.example"

/** A store that counts what it is asked, and can be away. */
const counted = Effect.map(testCertificates, ({ good }) => {
  const store = { names: 0, finds: 0, away: false, stored: new Map<string, StoredCertificate>() }
  const certificate = { chain: good.cert, key: Redacted.make(good.key), notBefore: 0, notAfter: day, issuedAt: 1 }
  store.stored.set(domain, certificate)
  const here = Effect.suspend(() => (store.away ? Effect.die(new Error("The database is away")) : Effect.void))
  const layer = ServedCertificates.layer.pipe(
    Layer.provide(
      Layer.mock(Certificates)({
        domains: Effect.andThen(here, () => Effect.sync(() => (store.names++, new Set(store.stored.keys())))),
        find: (name) => Effect.andThen(here, () => Effect.sync(() => (store.finds++, store.stored.get(name))))
      })
    )
  )
  return { store, certificate, layer }
})

const asked = (name: string) => Effect.flatMap(ServedCertificates, (served) => served.contextOf(name))

describe("certificates in memory", () => {
  it.effect("needs one query for many handshakes, and one every few seconds for unknown names", () =>
    Effect.gen(function* () {
      const { layer, store } = yield* counted
      yield* Effect.gen(function* () {
        const names = Array.from({ length: 1000 }, (_, index) => `${index}.evil.example`)
        const found = yield* Effect.forEach(names, asked, { concurrency: 100 })
        assert.isTrue(found.every((context) => context === undefined))
        const contexts = yield* Effect.forEach(Array.from({ length: 100 }), () => asked(domain), { concurrency: 10 })
        assert.strictEqual(new Set(contexts).size, 1)
        assert.isDefined(contexts[0])
        assert.deepInclude(store, { names: 1, finds: 1 })
        yield* TestClock.adjust("6 seconds")
        yield* Effect.forEach(names, asked, { concurrency: 100 })
        assert.deepInclude(store, { names: 2, finds: 1 })
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("follows renewals, new and removed names within a minute", () =>
    Effect.gen(function* () {
      const { certificate, layer, store } = yield* counted
      yield* Effect.gen(function* () {
        const first = yield* asked(domain)
        yield* TestClock.adjust("31 seconds")
        assert.strictEqual(yield* asked(domain), first)
        store.stored.set(domain, { ...certificate, issuedAt: 2 })
        store.stored.set("new.acme.example", certificate)
        assert.isUndefined(yield* asked("new.acme.example"))
        yield* TestClock.adjust("6 seconds")
        assert.isDefined(yield* asked("new.acme.example"))
        yield* TestClock.adjust("31 seconds")
        const renewed = yield* asked(domain)
        assert.isDefined(renewed)
        assert.notStrictEqual(renewed, first)
        store.stored.delete(domain)
        yield* TestClock.adjust("31 seconds")
        assert.isUndefined(yield* asked(domain))
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("continues to serve while the database is down, until they expire", () =>
    Effect.gen(function* () {
      const { layer, store } = yield* counted
      yield* Effect.gen(function* () {
        const first = yield* asked(domain)
        store.away = true
        yield* TestClock.adjust("1 hour")
        assert.strictEqual(yield* asked(domain), first)
        assert.isUndefined(yield* asked("new.acme.example"))
        yield* TestClock.adjust("1 day")
        assert.isUndefined(yield* asked(domain))
      }).pipe(Effect.provide(layer))
    })
  )
})

describe("a host name", () => {
  it("is normalised as in certificates, or refused", () => {
    const read = (text: string) => HostName.ofHeader(text)
    assert.strictEqual(read("Status.Acme.Example:8443"), domain)
    assert.strictEqual(read(`${domain}.`), domain)
    assert.strictEqual(read("127.0.0.1:80"), "127.0.0.1")
    for (const odd of ["", " ", "[::1]:80", "a b", "a/b", "a@b", ":80", `${"a".repeat(300)}.example`, "a\r\nb"])
      assert.isUndefined(read(odd), odd)
    assert.isUndefined(HostName.ofHeader(undefined))
  })
})
