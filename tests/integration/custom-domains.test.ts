/** Custom domains with a real certificate authority, a real name server and a real PostgreSQL. */
import { eventually } from "@kanmon/testkit/Eventually"
import { assert, describe, it } from "@effect/vitest"
import { busyShare } from "@kanmon/monitoring/testing/custom-domains/CertificatePlan.ts"
import { recordName } from "@kanmon/monitoring/testing/custom-domains/DomainProof.ts"
import { CustomDomains } from "@kanmon/monitoring/testing/custom-domains/CustomDomains.ts"
import { PublicPages } from "@kanmon/monitoring/testing/status-pages/PublicPages.ts"
import { Effect, Fiber, type Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as AcmeGate from "../support/AcmeGate.ts"
import * as Engines from "../support/Engines.ts"
import { domain, host, later, pageWith, stage, tls, visit } from "../support/CustomDomainStage.ts"
import * as Pebble from "../support/Pebble.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const second = 1000
const minute = 60 * second
const hour = 60 * minute

const test = (
  name: string,
  body: Effect.Effect<
    void,
    unknown,
    Effect.Services<ReturnType<typeof stage>> | Layer.Success<typeof TestDatabase.store>
  >
) => it.live(name, () => body.pipe(Effect.provide(TestDatabase.store), Effect.scoped, Effect.orDie), 60_000)

describe.skipIf(Pebble.skipped)(`custom domains${Pebble.note}`, () => {
  test(
    "gets a certificate, and serves it by name",
    Effect.gen(function* () {
      const { engine, gate, pebble } = yield* stage({ refusedNonces: 20 })
      yield* pebble.alias(domain, host)
      const page = yield* pageWith(domain)
      const step = yield* engine("a")
      assert.isTrue(yield* step)
      assert.deepStrictEqual(yield* page.standing, { status: "active", error: null })
      assert.isFalse(yield* step)
      assert.strictEqual(gate.orders(), 1)

      const port = yield* tls
      const root = yield* pebble.root
      const seen = yield* visit(port, root, domain)
      // The leaf, the intermediate that was sent, and the root.
      assert.strictEqual(seen.chain, 3)
      assert.include(seen.answer, "200 OK")
      assert.include(seen.answer, "strict-transport-security: max-age=31536000")
      assert.include(seen.answer, `The page of ${domain}`)
      const again = yield* visit(port, root, domain, domain, seen.session)
      assert.isTrue(again.resumed)
      assert.include(again.answer, "200 OK")
      assert.include((yield* visit(port, root, domain, "other.acme.test")).answer, "421 Misdirected")
      for (const stranger of ["other.acme.test", "acme.test", "127.0.0.1.nip.test"])
        yield* Effect.flip(visit(port, root, stranger))
    })
  )

  test(
    "uses the operator's account with the authority, if it requires one",
    Effect.gen(function* () {
      const key = Buffer.from("a key that the authority has given out").toString("base64url")
      const { engine, pebble } = yield* stage({ bindings: { "kid-1": key } })
      yield* pebble.alias(domain, host)
      const page = yield* pageWith(domain)
      yield* yield* engine("a")
      const without = yield* page.standing
      assert.strictEqual(without.status, "failed")
      assert.match(without.error!, /operator must set ACME_EAB_KID and ACME_EAB_HMAC_KEY/)

      const bound = yield* engine("b", { binding: { keyId: "kid-1", key: Redacted.make(key) } })
      assert.isTrue(yield* bound.pipe(later(10 * minute)))
      assert.deepStrictEqual(yield* page.standing, { status: "active", error: null })
    })
  )

  test(
    "stores private keys encrypted",
    Effect.gen(function* () {
      const { engine, pebble } = yield* stage()
      yield* pebble.alias(domain, host)
      yield* pageWith(domain)
      yield* yield* engine("a")
      const sql = yield* SqlClient.SqlClient
      const [stored] = yield* sql`SELECT * FROM custom_domains`
      const [account] = yield* sql`SELECT * FROM acme_accounts`
      assert.match(stored!["chain"] as string, /BEGIN CERTIFICATE[^]*BEGIN CERTIFICATE/)
      for (const row of [stored!, account!]) {
        assert.match(row["key_encrypted"] as string, /^v1\.[\w-]{200,}$/)
        assert.notInclude(JSON.stringify(row), "PRIVATE KEY")
      }
      assert.lengthOf(yield* sql`SELECT * FROM acme_challenges`, 0)
      // With another secret it cannot be used, so a new one is ordered.
      yield* sql`UPDATE custom_domains SET key_encrypted = replace(key_encrypted, 'v1.', 'v1.AAAA'), next_look_at = now()`
      yield* sql`UPDATE acme_accounts SET key_encrypted = replace(key_encrypted, 'v1.', 'v1.AAAA')`
      yield* yield* engine("a")
      const [renewed] = yield* sql`SELECT * FROM custom_domains`
      assert.notStrictEqual(renewed!["chain"], stored!["chain"])
    })
  )

  test(
    "renews at two thirds of the lifetime, and serves the new certificate",
    Effect.gen(function* () {
      const { engine, gate, pebble } = yield* stage({ validity: 7200 })
      yield* pebble.alias(domain, host)
      const page = yield* pageWith(domain)
      const step = yield* engine("a")
      yield* step
      const port = yield* tls
      const root = yield* pebble.root
      const first = yield* visit(port, root, domain)
      assert.isFalse(yield* step.pipe(later(75 * minute)))
      assert.isTrue(yield* step.pipe(later(85 * minute)))
      assert.strictEqual(gate.orders(), 2)
      assert.deepStrictEqual(yield* page.standing, { status: "active", error: null })
      const after = yield* tls
      assert.notStrictEqual((yield* visit(after, root, domain)).serial, first.serial)
    })
  )

  test(
    "does not call the authority while the DNS record points elsewhere",
    Effect.gen(function* () {
      const { engine, gate, pebble } = yield* stage()
      yield* pebble.alias(domain, "pages.other.test")
      const page = yield* pageWith(domain)
      const step = yield* engine("a")
      yield* step
      const wrong = yield* page.standing
      assert.strictEqual(wrong.status, "pending_dns")
      assert.match(
        wrong.error!,
        /found a CNAME record that leads to pages\.other\.test\. Expected .* pages\.kanmon\.test/
      )
      assert.isFalse(yield* step)
      yield* pebble.noAlias(domain)
      assert.isTrue(yield* step.pipe(later(10 * second)))
      assert.match((yield* page.standing).error!, /has no DNS record/)
      yield* pebble.address(domain, "127.0.0.1", "192.0.2.1")
      yield* page.touch.pipe(later(11 * second))
      assert.isTrue(yield* step.pipe(later(12 * second)))
      assert.match((yield* page.standing).error!, /beside the right address also 192\.0\.2\.1/)
      assert.deepStrictEqual(gate.asked, [])

      yield* pebble.alias(domain, host)
      assert.isTrue(yield* step.pipe(later(2 * hour)))
      assert.deepStrictEqual(yield* page.standing, { status: "active", error: null })
      // What leads away again is served to its end, and not renewed.
      yield* pebble.alias(domain, "pages.other.test")
      assert.isTrue(yield* step.pipe(later(80 * 24 * hour)))
      const leaving = yield* page.standing
      assert.strictEqual(leaving.status, "active")
      assert.match(leaving.error!, /leads elsewhere.*the certificate is not renewed/)
      assert.isTrue(yield* step.pipe(later(91 * 24 * hour)))
      assert.strictEqual((yield* page.standing).status, "pending_dns")
      assert.strictEqual(gate.orders(), 1)
    })
  )

  test(
    "reports a failed challenge, and retries with pauses",
    Effect.gen(function* () {
      const { engine, gate, pebble } = yield* stage()
      yield* pebble.alias(domain, host)
      const page = yield* pageWith(domain)
      const step = yield* engine("a")
      const sql = yield* SqlClient.SqlClient
      // The challenge is gone before anybody asks for it.
      yield* sql`CREATE FUNCTION vanish() RETURNS trigger AS 'BEGIN RETURN NULL; END' LANGUAGE plpgsql`
      yield* sql`CREATE TRIGGER vanish BEFORE INSERT ON acme_challenges FOR EACH ROW EXECUTE FUNCTION vanish()`
      yield* step
      const failed = yield* page.standing
      assert.strictEqual(failed.status, "failed")
      assert.match(
        failed.error!,
        /^The certificate authority requested status\.acme\.test on port 80 and got a response/
      )
      let orders = 1
      // Its owner is impatient: each change is a look, and an order until there were three failures in an hour.
      for (let time = 1; time <= 6; time++) {
        yield* page.touch.pipe(later(time * second))
        yield* step.pipe(later(time * second + 500))
        orders = gate.orders()
      }
      assert.strictEqual(orders, 3)
      assert.isFalse(yield* step.pipe(later(50 * minute)))
      yield* sql`DROP TRIGGER vanish ON acme_challenges`
      assert.isTrue(yield* step.pipe(later(65 * minute)))
      assert.deepStrictEqual(yield* page.standing, { status: "active", error: null })
    })
  )

  test(
    "waits for an authority that is down, and registers again if it has lost the account",
    Effect.gen(function* () {
      const { engine, pebble } = yield* stage({ validity: 7200 })
      yield* pebble.alias(domain, host)
      const page = yield* pageWith(domain)
      const step = yield* engine("a")
      yield* pebble.stop
      yield* step
      const waiting = yield* page.standing
      assert.strictEqual(waiting.status, "provisioning")
      assert.match(waiting.error!, /^The certificate authority cannot be reached/)
      // It rests for all: another name is not even tried.
      yield* pebble.alias("two.acme.test", host)
      const other = yield* pageWith("two.acme.test")
      yield* step
      assert.match((yield* other.standing).error!, /^The certificate authority is asked at /)
      yield* pebble.start
      assert.isTrue(yield* step.pipe(later(2 * minute)))
      assert.isTrue(yield* step.pipe(later(2 * minute)))
      assert.deepStrictEqual(yield* page.standing, { status: "active", error: null })
      const port = yield* tls
      const { serial } = yield* visit(port, yield* pebble.root, domain)
      const root = yield* pebble.root

      yield* other.remove
      // The authority is down at the time of renewal: the old certificate stays in use.
      yield* pebble.stop
      yield* step.pipe(later(90 * minute))
      const kept = yield* page.standing
      assert.strictEqual(kept.status, "active")
      assert.match(kept.error!, /^The certificate was not renewed; it holds until .*cannot be reached/)
      assert.strictEqual((yield* visit(port, root, domain)).serial, serial)
      // Back with no memory of our account.
      yield* pebble.start
      yield* Effect.repeat(step.pipe(later(95 * minute)), { while: (worked) => worked })
      assert.deepStrictEqual(yield* page.standing, { status: "active", error: null })
    })
  )

  test(
    "divides the work among servers, and replaces one that dies",
    Effect.gen(function* () {
      const { engine, gate, pebble } = yield* stage()
      yield* pebble.alias(domain, host)
      const page = yield* pageWith(domain)
      const [one, two] = [yield* engine("one"), yield* engine("two")]
      const sql = yield* SqlClient.SqlClient
      // A third took it.
      yield* Engines.join("third")
      yield* sql`INSERT INTO custom_domains (name, next_look_at, leased_until, leased_by)
        VALUES (${domain}, now() - interval '1 hour', now() + interval '6 minutes', 'third')`
      assert.deepStrictEqual(yield* Effect.all([one, two], { concurrency: 2 }), [false, false])
      yield* Engines.die("third")
      const worked = yield* Effect.all([one, two], { concurrency: 2 })
      assert.deepStrictEqual([...worked].sort(), [false, true])
      assert.strictEqual(gate.orders(), 1)
      assert.deepStrictEqual(yield* page.standing, { status: "active", error: null })
      assert.lengthOf(yield* sql`SELECT * FROM outbox WHERE event->>'subject' LIKE '%.page.%.updated'`, 2)
    })
  )

  test(
    "releases an order if the server stops",
    Effect.gen(function* () {
      const { engine, gate, pebble } = yield* stage()
      yield* pebble.alias(domain, host)
      const page = yield* pageWith(domain)
      const sql = yield* SqlClient.SqlClient
      gate.hold(AcmeGate.newOrder)
      const stopping = yield* Effect.forkChild(yield* engine("one"))
      yield* eventually(Effect.sync(gate.held), (isHeld) => isHeld)
      assert.strictEqual((yield* page.standing).status, "provisioning")
      // Killed now, it would count: servers that die again and again must not order each time.
      assert.lengthOf(yield* sql`SELECT * FROM custom_domains WHERE cardinality(refused_at) = 1`, 1)
      yield* Fiber.interrupt(stopping)
      assert.lengthOf(yield* sql`SELECT * FROM custom_domains WHERE leased_by IS NOT NULL`, 0)
      assert.isTrue(yield* yield* engine("two"))
      assert.deepStrictEqual(yield* page.standing, { status: "active", error: null })
      assert.lengthOf(yield* sql`SELECT * FROM custom_domains WHERE cardinality(refused_at) = 0`, 1)
    })
  )

  test(
    "honours Retry-After, and retries a refused nonce with a new one",
    Effect.gen(function* () {
      const { engine, gate, pebble } = yield* stage({ refusedNonces: 0 })
      yield* pebble.alias(domain, host)
      const page = yield* pageWith(domain)
      const step = yield* engine("a")
      const attempts = () => gate.asked.filter((line) => line === `POST ${AcmeGate.newOrder}`).length
      gate.refuseNext(AcmeGate.newOrder, {
        status: 429,
        type: "rateLimited",
        detail: "too many certificates already issued for this exact set of identifiers",
        headers: { "retry-after": "7200" }
      })
      yield* step
      const limited = yield* page.standing
      assert.strictEqual(limited.status, "provisioning")
      assert.match(limited.error!, /limits its rate of orders \(too many certificates already issued/)
      for (const time of [minute, 30 * minute, 115 * minute]) yield* step.pipe(later(time))
      assert.strictEqual(attempts(), 1)
      gate.refuseNext(AcmeGate.newOrder, { status: 400, type: "badNonce", detail: "no such nonce" })
      assert.isTrue(yield* step.pipe(later(122 * minute)))
      assert.strictEqual(attempts(), 3)
      assert.deepStrictEqual(yield* page.standing, { status: "active", error: null })
    })
  )

  test(
    "refuses names that the authority does not issue, and the installation's own",
    Effect.gen(function* () {
      const { engine, gate, pebble } = yield* stage()
      const step = yield* engine("a", { reserved: [host, "kanmon.test"], pagesDomain: "on.kanmon.test" })
      const standing = (name: string) =>
        Effect.gen(function* () {
          yield* pebble.alias(name, host)
          const page = yield* pageWith(name)
          yield* step
          return yield* page.standing
        })
      for (const own of ["kanmon.test", "login.kanmon.test", `login.${host}`, "shop.on.kanmon.test", "on.kanmon.test"])
        assert.deepInclude(yield* standing(own), {
          status: "failed",
          error: `${own} belongs to this installation. Choose a domain of your own.`
        })
      assert.deepStrictEqual(gate.asked, [])
      const blocked = yield* standing("blocked.acme.test")
      assert.strictEqual(blocked.status, "failed")
      assert.match(blocked.error!, /does not issue for blocked\.acme\.test .*Choose another domain/)
    })
  )

  test(
    "becomes active only for the project in the TXT record, if sign-up is open",
    Effect.gen(function* () {
      const { engine, gate, pebble } = yield* stage()
      yield* pebble.alias(domain, host)
      const squatter = yield* pageWith(domain, "squatter")
      const step = yield* engine("a", { trusted: false })
      assert.isTrue(yield* step)
      const waiting = yield* squatter.standing
      assert.strictEqual(waiting.status, "pending_dns")
      assert.include(waiting.error, `TXT record ${recordName(domain)} with the value ${squatter.projectId}`)
      assert.deepStrictEqual(gate.asked, [])
      yield* squatter.remove

      const owner = yield* pageWith(domain, "owner")
      yield* pebble.text(recordName(domain), owner.projectId)
      assert.isTrue(yield* step.pipe(later(10 * second)))
      assert.deepStrictEqual(yield* owner.standing, { status: "active", error: null })
      // The TXT record can be removed: the proof stays valid while the domain points here.
      yield* pebble.noText(recordName(domain))
      assert.isTrue(yield* step.pipe(later(8 * hour)))
      assert.deepStrictEqual(yield* owner.standing, { status: "active", error: null })

      // The CNAME record and the certificate outlive the page; another page gets neither.
      yield* owner.remove
      const next = yield* pageWith(domain, "next")
      assert.isTrue(yield* step.pipe(later(17 * hour)))
      assert.strictEqual((yield* next.standing).status, "pending_dns")
      yield* Effect.flip(visit(yield* tls, yield* pebble.root, domain))
      assert.strictEqual(gate.orders(), 1)
    })
  )

  test(
    "does not use a certificate that was ordered for another page",
    Effect.gen(function* () {
      const { engine, gate, pebble } = yield* stage()
      yield* pebble.alias(domain, host)
      const owner = yield* pageWith(domain, "owner")
      yield* pebble.text(recordName(domain), owner.projectId)
      gate.hold(AcmeGate.newOrder)
      const ordering = yield* Effect.forkChild(yield* engine("one", { trusted: false }))
      yield* eventually(Effect.sync(gate.held), (isHeld) => isHeld)
      yield* owner.remove
      const next = yield* pageWith(domain, "next")
      gate.release()
      yield* Fiber.join(ordering)
      assert.deepStrictEqual(yield* next.standing, { status: "pending_dns", error: null })
    })
  )

  test(
    "requires the TXT record for a domain with address records, also if sign-up is closed",
    Effect.gen(function* () {
      const { engine, pebble } = yield* stage()
      yield* pebble.address(domain, "127.0.0.1")
      const page = yield* pageWith(domain)
      const step = yield* engine("a")
      yield* step
      assert.include((yield* page.standing).error, recordName(domain))
      yield* pebble.text(recordName(domain), page.projectId)
      yield* step.pipe(later(10 * second))
      assert.deepStrictEqual(yield* page.standing, { status: "active", error: null })
    })
  )

  test(
    "limits the orders of one organization",
    Effect.gen(function* () {
      const { engine, gate, pebble } = yield* stage()
      const sql = yield* SqlClient.SqlClient
      const orders = (count: number, organizationId: string, registrable: string) =>
        sql`INSERT INTO certificate_orders (domain, registrable, organization_id, ordered_at)
          SELECT 'x', ${registrable}, ${organizationId}, now() FROM generate_series(1, ${count})`
      yield* pebble.alias("two.acme.test", host)
      yield* pebble.alias("three.eager.test", host)
      yield* pebble.alias(domain, host)
      const eager = yield* pageWith("two.acme.test", "eager")
      yield* orders(busyShare, eager.organizationId, "eager.test")
      // Another organization does not help: the domains lie below one that is registered once.
      const puppet = yield* pageWith("three.eager.test", "puppet")
      const other = yield* pageWith(domain, "other")
      yield* Effect.repeat(yield* engine("a"), { while: (worked) => worked })
      for (const page of [eager, puppet]) {
        const waiting = yield* page.standing
        assert.strictEqual(waiting.status, "provisioning")
        assert.match(waiting.error!, /^The certificate authority is asked at /)
      }
      assert.deepStrictEqual(yield* other.standing, { status: "active", error: null })
      assert.strictEqual(gate.orders(), 1)
      yield* Effect.repeat((yield* engine("a")).pipe(later(4 * hour)), { while: (worked) => worked })
      assert.deepStrictEqual(yield* eager.standing, { status: "active", error: null })
    })
  )

  test(
    "checks served domains before waiting ones",
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const name of ["a.eager.test", "b.eager.test", "c.eager.test", domain]) yield* pageWith(name)
      yield* sql`UPDATE status_pages SET custom_domain_status = 'active', custom_domain_proven = true
        WHERE custom_domain = ${domain}`
      yield* sql`INSERT INTO custom_domains (name, looked_at, next_look_at)
        SELECT custom_domain, now(), now() - CASE WHEN custom_domain = ${domain} THEN interval '1 second' ELSE interval '1 hour' END
        FROM status_pages`
      yield* Engines.join("a")
      const leased = yield* (yield* CustomDomains).lease("a", minute)
      assert.strictEqual(leased?.name, domain)
    })
  )

  test(
    "takes reserved domains out of service on an upgrade, and informs their owner",
    Effect.gen(function* () {
      const { running } = yield* stage()
      const page = yield* pageWith(`login.${host}`)
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE status_pages SET custom_domain_status = 'active', custom_domain_proven = true WHERE id = ${page.id}`
      yield* sql`INSERT INTO custom_domains (name, next_look_at) VALUES (${`login.${host}`}, now() + interval '6 hours')`
      yield* running({ reserved: [host] })
      const standing = yield* eventually(page.standing, ({ status }) => status !== "active")
      assert.deepStrictEqual(standing, {
        status: "failed",
        error: `login.${host} belongs to this installation. Choose a domain of your own.`
      })
      assert.lengthOf(yield* sql`SELECT * FROM outbox WHERE event->>'subject' LIKE '%.page.%.updated'`, 1)
      assert.strictEqual((yield* (yield* PublicPages).customDomains).size, 0)
    })
  )

  test(
    "needs no certificate if a proxy provides TLS",
    Effect.gen(function* () {
      const { engine, gate, pebble } = yield* stage()
      yield* pebble.alias(domain, host)
      const page = yield* pageWith(domain)
      yield* yield* engine("a", { host: undefined })
      assert.match((yield* page.standing).error!, /KANMON_PAGES_HOST/)
      yield* page.touch
      yield* yield* engine("a", { certificates: false })
      assert.deepStrictEqual(yield* page.standing, { status: "active", error: null })
      assert.deepStrictEqual(gate.asked, [])
    })
  )
})
