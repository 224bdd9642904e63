/**
 * Checks custom domains: whether their DNS records lead here, and whether they need a certificate. Any number of engines
 * share the work. `CertificatePlan` decides; this module does what it decides.
 */
import { Resolver } from "@kanmon/core/Resolver"
import { AcmeAccounts } from "./AcmeAccounts.ts"
import { Certificates } from "./Certificates.ts"
import { Challenges } from "./Challenges.ts"
import { CustomDomains, type DomainOutcome, type LeasedDomain } from "./CustomDomains.ts"
import { Clock, type Duration, Effect, Layer, Random } from "effect"
import { Acme } from "./Acme.ts"
import type { AcmeFailed } from "./AcmeFailed.ts"
import { afterOrder, busyMillis, decide, type Situation } from "./CertificatePlan.ts"
import { refusal, registrable } from "./DomainNames.ts"
import * as DomainPointing from "./DomainPointing.ts"
import * as DomainProof from "./DomainProof.ts"
import { every, failureLog } from "@kanmon/core/Recurring"
import { signal } from "@kanmon/platform/Signal"

export interface CustomDomainSettings extends DomainProof.ProofPolicy {
  /** The host that custom domains have to lead to; undefined until the operator sets it. */
  readonly host: string | undefined
  /** Whether to order certificates; otherwise a proxy in front terminates TLS, and only DNS is checked. */
  readonly certificates: boolean
}

export interface CustomDomainWorkerOptions extends CustomDomainSettings {
  /** The engine's name, the same after a restart. */
  readonly engine: string
}

/** Domains that one engine works on at once. */
const workers = 4
/** How long an engine may work on a leased domain: longer than an order may take. */
const leaseMillis = 6 * 60_000
const pollInterval: Duration.Input = "4 seconds"
const hourMillis = 3_600_000
/** The pause of all orders after a failure of the authority, which would fail the next order too. */
const authorityRest = { leastMillis: 60_000, maxMillis: 5 * 60_000 }

const nowhere = "This installation does not say where custom domains have to lead. Its operator sets KANMON_PAGES_HOST."

/** One step: leases the domain that has been due longest and works on it. False when none is due. */
export const make = Effect.fnUntraced(function* (options: CustomDomainWorkerOptions) {
  const accounts = yield* AcmeAccounts
  const acme = yield* Acme
  const certificates = yield* Certificates
  const domains = yield* CustomDomains
  const resolver = yield* Resolver

  const order = Effect.fnUntraced(function* (situation: Situation) {
    const { certificate, error, name, status } = situation.domain
    const state = { status, error, proven: true }
    const said = Effect.annotateLogs({ domain: name, authority: acme.directory })
    const served = certificate !== null && situation.now < certificate.notAfter
    yield* domains.begin(situation.domain, options.engine, {
      state: served ? state : { ...state, status: "provisioning", error: null },
      registrable: registrable(name)
    })
    const result = yield* Effect.result(acme.order(name))
    const now = yield* Clock.currentTimeMillis
    if (result._tag === "Success") {
      yield* certificates.keep(name, result.success)
      yield* said(Effect.logInfo("A certificate was issued"))
      return afterOrder(situation, now, result.success)
    }
    const failure: AcmeFailed = result.failure
    const { blame, detail, reason, retryAfter } = failure
    yield* (blame === "domain" ? Effect.logInfo : Effect.logWarning)("A certificate was not issued").pipe(
      Effect.annotateLogs({ reason, detail }),
      said
    )
    if (blame === "authority") {
      const wished = (retryAfter ?? 0) * 1000
      const pause = Math.min(Math.max(wished, authorityRest.leastMillis), authorityRest.maxMillis)
      yield* accounts.rest(acme.directory, now + pause)
    }
    return afterOrder(situation, now, failure)
  })

  const proofOf = ({ name, projectId, proven }: LeasedDomain, byCname: boolean): Effect.Effect<DomainProof.Proof> =>
    proven || !DomainProof.isNeeded(name, byCname, options)
      ? Effect.succeed({ _tag: "Given" })
      : Effect.provideService(DomainProof.look(name, projectId), Resolver, resolver)

  const work = Effect.fn("CustomDomainWorker.work")(function* (
    domain: LeasedDomain
  ): Effect.fn.Return<DomainOutcome, never> {
    const { name, organizationId } = domain
    yield* Effect.annotateCurrentSpan({ domain: name })
    const random = yield* Random.next
    const error = refusal(name, options)
    if (error !== undefined || options.host === undefined) {
      const nextLookAt = (yield* Clock.currentTimeMillis) + hourMillis
      return error === undefined
        ? { ...domain, status: "pending_dns", error: nowhere, nextLookAt }
        : { ...domain, status: "failed", error, proven: false, nextLookAt }
    }
    const pointing = yield* Effect.provideService(DomainPointing.look(name, options.host), Resolver, resolver)
    const proof: DomainProof.Proof =
      pointing._tag === "Here" ? yield* proofOf(domain, pointing.by === "cname") : { _tag: "Missing" }
    const now = yield* Clock.currentTimeMillis
    const situation: Situation = {
      now,
      random,
      domain,
      pointing,
      proof,
      host: options.host,
      certificates: options.certificates,
      authorityRestsUntil: options.certificates ? yield* accounts.restingUntil(acme.directory) : null,
      lately: yield* domains.ordersSince(now - busyMillis, organizationId, registrable(name))
    }
    const plan = decide(situation)
    return plan._tag === "Rest" ? plan.outcome : yield* order(situation)
  })

  return Effect.gen(function* () {
    const domain = yield* domains.lease(options.engine, leaseMillis)
    if (domain === undefined) return false
    yield* work(domain).pipe(
      Effect.flatMap((outcome) => domains.conclude(domain, options.engine, outcome)),
      Effect.onInterrupt(() => domains.release(domain.name, options.engine))
    )
    return true
  })
})

const watch = Effect.fnUntraced(function* (options: CustomDomainWorkerOptions) {
  const challenges = yield* Challenges
  const domains = yield* CustomDomains
  const step = yield* make(options)
  yield* domains.reclaim(options.engine)
  // Settings may have changed: domains that are reserved now are taken back at once.
  const ours = yield* domains.expedite((name) => refusal(name, options) !== undefined)
  if (ours.length > 0)
    yield* Effect.logWarning("Status pages have custom domains that no page can have; they are not served there").pipe(
      Effect.annotateLogs({ domains: ours.slice(0, 20).join(", "), count: ours.length })
    )

  const { retryUntilSuccess } = failureLog("Checking custom domains")
  const allDue = retryUntilSuccess(Effect.repeat(step, { while: (worked) => worked }), pollInterval)
  const signals = yield* Effect.forEach(Array.from({ length: workers }), () => signal)
  for (const { wait } of signals) yield* Effect.forkScoped(Effect.forever(Effect.andThen(wait, allDue)))
  // One looks for all workers: few installations have custom domains.
  const look = Effect.flatMap(domains.isAnyDue(options.engine), (due) =>
    due ? Effect.forEach(signals, ({ raise }) => raise, { discard: true }) : Effect.void
  )
  yield* every(pollInterval, "Looking for custom domains to check", look)
  yield* every("1 hour", "Deleting unused custom domains", Effect.andThen(challenges.prune, domains.prune))
})

export const layer = (
  options: CustomDomainWorkerOptions
): Layer.Layer<never, never, Acme | AcmeAccounts | Certificates | Challenges | CustomDomains | Resolver> =>
  Layer.effectDiscard(watch(options))
