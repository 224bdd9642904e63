import { assert, describe, it } from "@effect/vitest"
import type { DomainOutcome, LeasedDomain } from "../../src/custom-domains/CustomDomains.ts"
import { ProjectId, StatusPageId, OrganizationId } from "@kanmon/domain/Ids"
import * as fc from "fast-check"
import { AcmeFailed, type AcmeReason } from "../../src/custom-domains/AcmeFailed.ts"
import {
  afterOrder,
  busyAt,
  busyShare,
  decide,
  failuresAnHour,
  missesOfProof,
  type Situation
} from "../../src/custom-domains/CertificatePlan.ts"
import type { Pointing } from "../../src/custom-domains/DomainPointing.ts"
import type { Proof } from "../../src/custom-domains/DomainProof.ts"

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const start = Date.UTC(2026, 10, 20, 12)

const untouched: LeasedDomain = {
  name: "status.acme.example",
  pageId: StatusPageId.make("sp_1"),
  projectId: ProjectId.make("prj_1"),
  organizationId: OrganizationId.make("org_1"),
  status: "pending_dns",
  error: null,
  proven: false,
  certificate: null,
  misses: 0,
  attempts: 0,
  refusals: [],
  askAfter: null
}

const situation = (given: Partial<Situation> = {}): Situation => ({
  now: start,
  random: 0.5,
  domain: untouched,
  pointing: { _tag: "Here", by: "cname" },
  proof: { _tag: "Given" },
  host: "pages.kanmon.example",
  certificates: true,
  authorityRestsUntil: null,
  lately: { all: 0, own: 0 },
  ...given
})

const outcome = (given: Partial<Situation>) => {
  const plan = decide(situation(given))
  return plan._tag === "Rest" ? plan.outcome : assert.fail("it wants to order")
}

const elsewhere: Pointing = { _tag: "Elsewhere", found: "the address 192.0.2.1" }

// Half of them here: an order needs many things at once, and is what most of the laws are about.
const pointings: fc.Arbitrary<Pointing> = fc.oneof(
  fc.constant<Pointing>({ _tag: "Here", by: "cname" }),
  fc.constantFrom<Pointing>(
    { _tag: "Missing" },
    elsewhere,
    { _tag: "Unanswered", detail: "SERVFAIL" },
    { _tag: "Unknown" }
  )
)
const proofs: fc.Arbitrary<Proof> = fc.oneof(
  fc.constant<Proof>({ _tag: "Given" }),
  fc.constantFrom<Proof>({ _tag: "Missing" }, { _tag: "Unanswered", detail: "SERVFAIL" }, { _tag: "Unknown" })
)
const runs = { numRuns: 2000 }
const instants = fc.integer({ min: start - 200 * day, max: start + 200 * day })
const certificates = fc
  .tuple(instants, fc.integer({ min: hour, max: 400 * day }))
  .map(([notBefore, lifetime]) => ({ notBefore, notAfter: notBefore + lifetime }))
// An active domain was proven, which `decide` preserves, as a property below checks.
const domains: fc.Arbitrary<LeasedDomain> = fc
  .record({
    name: fc.constant(untouched.name),
    pageId: fc.constant(untouched.pageId),
    projectId: fc.constant(untouched.projectId),
    organizationId: fc.constant(untouched.organizationId),
    proven: fc.boolean(),
    status: fc.constantFrom("pending_dns", "provisioning", "active", "failed"),
    error: fc.constantFrom(null, "Something was wrong."),
    certificate: fc.option(certificates),
    misses: fc.nat(100),
    attempts: fc.nat(100),
    refusals: fc
      .array(fc.integer({ min: start - 2 * hour, max: start }), { maxLength: 6 })
      .map((times) => times.sort()),
    askAfter: fc.option(fc.integer({ min: start - day, max: start + 7 * day }))
  })
  .map((domain) => ({ ...domain, proven: domain.proven || domain.status === "active" }))
const situations: fc.Arbitrary<Situation> = fc.record({
  now: fc.constant(start),
  random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  domain: domains,
  pointing: pointings,
  proof: proofs,
  host: fc.constant("pages.kanmon.example"),
  certificates: fc.boolean(),
  authorityRestsUntil: fc.option(fc.integer({ min: start - hour, max: start + hour })),
  lately: fc.record({
    all: fc.constantFrom(0, busyAt - 1, busyAt),
    own: fc.constantFrom(0, busyShare - 1, busyShare)
  })
})
const reasons: ReadonlyArray<AcmeReason> = [
  "connection",
  "unauthorized",
  "caa",
  "rateLimited",
  "unreachable",
  "malformed"
]
const failures = fc
  .tuple(fc.constantFrom(...reasons), fc.option(fc.integer({ min: 0, max: 3 * 86_400 }), { nil: undefined }))
  .map(([reason, retryAfter]) => new AcmeFailed({ reason, detail: "No", retryAfter }))

/** The domain as it is leased the next time. */
const carried = (domain: LeasedDomain, outcome: DomainOutcome): LeasedDomain => ({ ...domain, ...outcome })

const recently = (times: ReadonlyArray<number>, now: number) => times.filter((time) => time > now - hour).length

describe("the plan for a custom domain", () => {
  it("orders only what leads here, is allowed, and is needed", () => {
    fc.assert(
      fc.property(situations, (given) => {
        if (decide(given)._tag !== "Order") return
        const { certificate, askAfter, refusals } = given.domain
        assert.isTrue(given.certificates)
        assert.strictEqual(given.pointing._tag, "Here")
        assert.strictEqual(given.proof._tag, "Given")
        assert.isAtMost(askAfter ?? 0, start)
        assert.isAtMost(given.authorityRestsUntil ?? 0, start)
        assert.isBelow(recently(refusals, start), failuresAnHour)
        if (given.lately.all >= busyAt || given.lately.own >= busyShare)
          assert.isAbove(certificate?.notAfter ?? 0, start, "only what is served already")
        if (certificate !== null)
          assert.isAtLeast(start, certificate.notAfter - (certificate.notAfter - certificate.notBefore) / 3)
      }),
      runs
    )
  })

  it("gives no domain up, and looks at none in haste", () => {
    fc.assert(
      fc.property(situations, failures, (given, failure) => {
        const plan = decide(given)
        const { askAfter, nextLookAt } = plan._tag === "Rest" ? plan.outcome : afterOrder(given, start, failure)
        assert.isAbove(nextLookAt, start)
        const latest = Math.max(start, askAfter ?? 0, given.authorityRestsUntil ?? 0) + 8 * hour
        assert.isAtMost(nextLookAt, latest)
      }),
      runs
    )
  })

  it("serves a valid certificate in any other state", () => {
    fc.assert(
      fc.property(situations, failures, (given, failure) => {
        const { certificate } = given.domain
        fc.pre(given.certificates && certificate !== null && certificate.notAfter > start)
        // A proof that was given stands while the domain leads here.
        fc.pre(given.pointing._tag !== "Here" || given.proof._tag === "Given")
        const domain = { ...given.domain, status: "active" as const, proven: true }
        const plan = decide({ ...given, domain })
        const { status } = plan._tag === "Rest" ? plan.outcome : afterOrder({ ...given, domain }, start, failure)
        assert.strictEqual(status, "active")
      }),
      runs
    )
  })

  it("says what is wrong exactly when something is", () => {
    fc.assert(
      fc.property(situations, failures, (given, failure) => {
        const plan = decide(given)
        if (plan._tag === "Order") return assert.match(afterOrder(given, start, failure).error!, /^(The|A) .*\.$/)
        if (given.pointing._tag === "Unknown" || given.proof._tag === "Unknown") return
        const { error, status } = plan.outcome
        if (given.pointing._tag !== "Here") assert.include(error, given.host)
        if (status === "pending_dns") assert.isNotNull(error)
      }),
      runs
    )
  })

  it("activates no domain that its owner has not proven, with any certificate of an earlier page", () => {
    fc.assert(
      fc.property(situations, (given) => {
        const domain = { ...given.domain, status: "pending_dns" as const, proven: false }
        const plan = decide({ ...given, domain })
        if (given.pointing._tag === "Here" && given.proof._tag === "Given") return
        if (plan._tag === "Order") return assert.fail("it wants to order")
        assert.deepInclude(plan.outcome, { status: "pending_dns", proven: false })
      }),
      runs
    )
    const certificate = { notBefore: start - 10 * day, notAfter: start + 80 * day }
    const waiting = outcome({ domain: { ...untouched, certificate }, proof: { _tag: "Missing" } })
    assert.match(waiting.error!, /TXT record _kanmon-challenge\.status\.acme\.example with the value prj_1/)
  })

  it("says of no domain that it is active and unproven", () => {
    fc.assert(
      fc.property(situations, (given) => {
        const plan = decide(given)
        if (plan._tag === "Rest" && plan.outcome.status === "active") assert.isTrue(plan.outcome.proven)
      }),
      runs
    )
  })

  it("wants a new proof of a domain that has led elsewhere for hours, and none after a short absence", () => {
    let domain: LeasedDomain = { ...untouched, status: "active", proven: true }
    let away = 0
    for (let look = 1; look < missesOfProof; look++) {
      const next = outcome({ domain, pointing: elsewhere })
      assert.isTrue(next.proven)
      away += next.nextLookAt - start
      domain = carried(domain, next)
    }
    assert.isAbove(away, hour)
    assert.isFalse(outcome({ domain, pointing: elsewhere }).proven)
    // Name servers that do not answer give no information about the owner.
    assert.isTrue(outcome({ domain, pointing: { _tag: "Unanswered", detail: "SERVFAIL" } }).proven)
  })

  it("leaves the authority alone for as long as it says", () => {
    fc.assert(
      fc.property(situations, fc.integer({ min: 1, max: 3 * 86_400 }), (given, seconds) => {
        const failure = new AcmeFailed({ reason: "rateLimited", detail: "Too many", retryAfter: seconds })
        const { askAfter, nextLookAt } = afterOrder(given, start, failure)
        assert.strictEqual(askAfter, start + seconds * 1000)
        assert.isAtLeast(nextLookAt, start + seconds * 1000)
      }),
      runs
    )
  })

  it("never fails more often in an hour than its ceiling, even when its owner hurries it", () => {
    const steps = fc.array(
      fc.record({ failure: failures, hurried: fc.boolean(), random: fc.constantFrom(0, 0.5, 0.99) }),
      {
        minLength: 50,
        maxLength: 200
      }
    )
    fc.assert(
      fc.property(steps, (taken) => {
        let now = start
        let domain = untouched
        const failed: Array<number> = []
        for (const { failure, hurried, random } of taken) {
          const given = situation({ now, random, domain })
          const plan = decide(given)
          const next = plan._tag === "Order" ? afterOrder(given, now, failure) : plan.outcome
          if (plan._tag === "Order" && failure.blame !== "authority") failed.push(now)
          domain = carried(domain, next)
          now = hurried ? now + minute / 2 : next.nextLookAt
          assert.isAtMost(recently(failed, now), failuresAnHour)
        }
      })
    )
  })

  it("looks soon after a domain was set, then less and less, down to hourly", () => {
    let domain = untouched
    const pauses: Array<number> = []
    for (let look = 0; look < 14; look++) {
      const next = outcome({ domain, pointing: elsewhere })
      pauses.push((next.nextLookAt - start) / 1000)
      domain = carried(domain, next)
    }
    assert.deepStrictEqual(pauses.slice(0, 4), [5, 10, 20, 40])
    assert.deepStrictEqual(pauses.slice(-3), [3600, 3600, 3600])
    assert.strictEqual(domain.status, "pending_dns")
    assert.strictEqual(decide(situation({ domain }))._tag, "Order")
  })

  it("renews at two thirds of any lifetime, and tries harder as the end comes nearer", () => {
    const lifetime = 45 * day
    const certificate = { notBefore: start, notAfter: start + lifetime }
    const domain: LeasedDomain = { ...untouched, status: "active", proven: true, certificate }
    assert.strictEqual(decide(situation({ now: start + 29 * day, domain }))._tag, "Rest")
    const due = situation({ now: start + 31 * day, domain: { ...domain, attempts: 20 } })
    assert.strictEqual(decide(due)._tag, "Order")
    const down = new AcmeFailed({ reason: "unreachable", detail: "connect ECONNREFUSED" })
    const next = afterOrder(due, due.now, down)
    assert.strictEqual(next.nextLookAt - due.now, 6 * hour)
    assert.match(
      next.error!,
      /^The certificate was not renewed; it holds until 2027-01-04 12:00:00 UTC\. .*ECONNREFUSED/
    )
    const late = { ...due, now: start + lifetime - 2 * hour }
    assert.strictEqual(afterOrder(late, late.now, down).nextLookAt - late.now, 0.5 * hour)
  })

  it("keeps a domain that leads elsewhere until its certificate ends", () => {
    const certificate = { notBefore: start - 40 * day, notAfter: start + 5 * day }
    const domain: LeasedDomain = { ...untouched, status: "active", proven: true, certificate }
    const now = outcome({ domain, pointing: elsewhere })
    assert.strictEqual(now.status, "active")
    assert.match(
      now.error!,
      /found the address 192\.0\.2\.1\. Expected a CNAME .*Until then the certificate is not renewed; .* its end, 2026-11-25/
    )
    assert.strictEqual(outcome({ domain, pointing: elsewhere, now: start + 6 * day }).status, "pending_dns")
  })

  it("is done with the DNS record where a proxy sees to TLS", () => {
    assert.deepInclude(outcome({ certificates: false }), { status: "active", error: null })
    assert.strictEqual(outcome({ certificates: false, pointing: elsewhere }).status, "pending_dns")
  })

  it("blames the domain, the authority or the operator, and resets after a success", () => {
    const after = (reason: AcmeReason) => afterOrder(situation(), start, new AcmeFailed({ reason, detail: "" }))
    assert.deepInclude(after("unauthorized"), { status: "failed", attempts: 1, refusals: [start] })
    assert.deepInclude(after("unreachable"), { status: "provisioning", attempts: 1, refusals: [] })
    assert.include(after("externalAccountRequired").error!, "ACME_DIRECTORY_URL")
    const worn = situation({ domain: { ...untouched, attempts: 9, misses: 9, refusals: [start], askAfter: start } })
    const issued = { notBefore: start, notAfter: start + 90 * day }
    assert.deepInclude(afterOrder(worn, start, issued), {
      status: "active",
      error: null,
      attempts: 0,
      misses: 0,
      refusals: [],
      askAfter: null
    })
  })
})
