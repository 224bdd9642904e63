/**
 * Decides what to do about a custom domain, and when to check it again. Pure. It guarantees that no certificate is ordered or
 * served for a name that does not lead here or that the project has not proven; that an authority gets no orders while it
 * asks for a pause, or after three failures within an hour; that no certificate is renewed early; and that no domain is
 * given up.
 */
import { instant } from "@kanmon/domain/Timestamp"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import type { DomainState, OrderCounts } from "./CustomDomainRepository.ts"
import type { DomainOutcome, LeasedDomain } from "./CustomDomains.ts"
import { type AcmeFailed, words as acmeWords } from "./AcmeFailed.ts"
import { type Pointing, words as pointingWords } from "./DomainPointing.ts"
import { type Proof, words as proofWords } from "./DomainProof.ts"

export interface Situation {
  readonly now: EpochMillis
  /** In `[0, 1)`: spreads domains that were added together. */
  readonly random: number
  readonly domain: LeasedDomain
  readonly pointing: Pointing
  /** Used only if the domain leads here. A proof stays valid for as long as it does. */
  readonly proof: Proof
  /** The host that custom domains have to lead to. */
  readonly host: string
  /** Whether to order certificates; otherwise a proxy in front terminates TLS. */
  readonly certificates: boolean
  /** Null when the authority takes orders. */
  readonly authorityRestsUntil: EpochMillis | null
  /** Certificates that were ordered within `busyMillis`. */
  readonly lately: OrderCounts
}

/** `Order`: place an order now; `afterOrder` decides what follows. */
export type CertificatePlan = { readonly _tag: "Order" } | { readonly _tag: "Rest"; readonly outcome: DomainOutcome }

/** When a certificate was issued. */
export interface Issued {
  readonly notBefore: EpochMillis
  readonly notAfter: EpochMillis
}

const secondMillis = 1000
const minuteMillis = 60_000
const hourMillis = 3_600_000

/** Let's Encrypt allows five failed validations of a name in an hour. */
export const failuresAnHour = 3

/**
 * Let's Encrypt takes 300 orders of an account in three hours. Above `busyAt` only renewals are ordered. One account, or one
 * registered domain, gets at most `busyShare`, so that a user who adds many domains does not block the others.
 */
export const busyMillis = 3 * hourMillis
export const busyAt = 200
export const busyShare = 20
const busyPause = 10 * minuteMillis

const firstLook = 5 * secondMillis
const longestMiss = hourMillis
const settledLook = 6 * hourMillis
const firstRetry = minuteMillis
const longestRetry = 6 * hourMillis
/** Failed checks in a row, about three hours, after which a domain that comes back has to be proven again. */
export const missesOfProof = 12

export const decide = (situation: Situation): CertificatePlan => {
  const { certificates, domain, now, pointing, proof } = situation
  if (pointing._tag === "Unknown" || (pointing._tag === "Here" && proof._tag === "Unknown"))
    return rest(situation, unchanged(situation), minuteMillis)
  if (pointing._tag !== "Here") return notHere(situation)
  if (proof._tag !== "Given") return unproven(situation)
  const here: Situation = { ...situation, domain: { ...domain, misses: 0, proven: true } }
  if (!certificates) return rest(here, { status: "active", error: null, proven: true }, settledLook)
  if (domain.certificate !== null && now < renewalOf(domain.certificate)) {
    const { notAfter, notBefore } = domain.certificate
    const renewal = renewalOf(domain.certificate) + Math.round(((notAfter - notBefore) / 60) * situation.random)
    return restUntil(
      here,
      { status: "active", error: null, proven: true },
      Math.min(renewal, now + spread(here, settledLook))
    )
  }
  const earliest = mayAskAt(here)
  return earliest <= now
    ? { _tag: "Order" }
    : restUntil(here, waiting(here, earliest), earliest + Math.round(10 * secondMillis * situation.random))
}

/** The outcome of an order that was placed in this situation and ended at `now`. */
export const afterOrder = (situation: Situation, now: EpochMillis, result: Issued | AcmeFailed): DomainOutcome => {
  const { domain } = situation
  if (!("_tag" in result)) {
    const done = { ...situation, now, domain: { ...domain, ...fresh, certificate: result } }
    const next = Math.min(renewalOf(result), now + spread(done, settledLook))
    return outcomeOf(done, { status: "active", error: null, proven: true }, next)
  }
  const { blame, retryAfter } = result
  const refusals = recent(domain.refusals, now)
  const failed: Situation = {
    ...situation,
    now,
    domain: {
      ...domain,
      misses: 0,
      attempts: domain.attempts + 1,
      refusals: blame === "authority" ? refusals : [...refusals, now],
      askAfter: retryAfter === undefined ? domain.askAfter : now + retryAfter * secondMillis
    }
  }
  const why = acmeWords(result, domain.name)
  const { certificate } = domain
  const { error, status } = isValid(certificate, now)
    ? {
        status: "active" as const,
        error: `The certificate was not renewed; it holds until ${instant(certificate.notAfter)}. ${why}`
      }
    : { status: blame === "authority" ? ("provisioning" as const) : ("failed" as const), error: why }
  const next = Math.max(now + retryPause(failed, domain.attempts), mayAskAt(failed))
  return outcomeOf(failed, { status, error, proven: true }, next)
}

const fresh = { misses: 0, attempts: 0, refusals: [], askAfter: null }

type Validity = NonNullable<LeasedDomain["certificate"]>

/** At two thirds of the lifetime. */
const renewalOf = ({ notAfter, notBefore }: Validity): EpochMillis => notAfter - (notAfter - notBefore) / 3

const isValid = (certificate: LeasedDomain["certificate"], now: EpochMillis): certificate is Validity =>
  certificate !== null && now < certificate.notAfter

const notHere = (situation: Situation): CertificatePlan => {
  const { certificates, domain, host, now, pointing } = situation
  const missed: Situation = { ...situation, domain: { ...domain, misses: domain.misses + 1 } }
  const pause = missPause(domain.misses)
  const why = pointingWords(pointing, domain.name, host)
  if (certificates && domain.proven && isValid(domain.certificate, now)) {
    const until = `Until then the certificate is not renewed; the page is served there to its end, ${instant(domain.certificate.notAfter)}.`
    return rest(missed, { status: "active", error: `${why} ${until}`, proven: true }, pause)
  }
  // Name servers that fail for a moment do not mean that the domain has moved.
  if (!certificates && domain.status === "active" && pointing._tag === "Unanswered")
    return rest(missed, { status: "active", error: why, proven: true }, pause)
  const proven = domain.proven && (pointing._tag === "Unanswered" || missed.domain.misses < missesOfProof)
  return rest(missed, { status: "pending_dns", error: why, proven }, pause)
}

const missPause = (misses: number): number => Math.min(longestMiss, firstLook * 2 ** Math.min(misses, 20))

/** The domain leads here, but possibly for another project's page. A stored certificate belonged to that page. */
const unproven = (situation: Situation): CertificatePlan => {
  const { domain, proof } = situation
  const missed: Situation = { ...situation, domain: { ...domain, misses: domain.misses + 1 } }
  const error = proofWords(proof, domain.name, domain.projectId)
  return rest(missed, { status: "pending_dns", error, proven: false }, missPause(domain.misses))
}

/** The state when nothing new is known. */
const unchanged = ({ certificates, domain, now }: Situation): DomainState => {
  const { error, proven, status } = domain
  if (!certificates || isValid(domain.certificate, now)) return { status, error, proven }
  return { status: status === "active" || status === "none" ? "provisioning" : status, error, proven }
}

/** The state while no order may be placed. The error of the last one stays. */
const waiting = (situation: Situation, until: EpochMillis): DomainState =>
  situation.domain.status === "pending_dns"
    ? {
        status: "provisioning",
        proven: true,
        error: `The certificate authority is asked at ${instant(until)}. There is nothing to do.`
      }
    : unchanged(situation)

/** The earliest instant at which the authority and our own limits allow an order. */
const mayAskAt = ({ authorityRestsUntil, domain, lately, now }: Situation): EpochMillis => {
  const failures = recent(domain.refusals, now)
  const ceiling = failures.length < failuresAnHour ? now : failures.at(-failuresAnHour)! + hourMillis
  const full = lately.all >= busyAt || lately.own >= busyShare
  const busy = full && !isValid(domain.certificate, now) ? now + busyPause : now
  return Math.max(now, ceiling, busy, domain.askAfter ?? now, authorityRestsUntil ?? now)
}

const recent = (times: ReadonlyArray<EpochMillis>, now: EpochMillis): ReadonlyArray<EpochMillis> =>
  times.filter((time) => time > now - hourMillis)

/** Doubles from a minute to six hours, and gets shorter as the certificate's end comes closer. */
const retryPause = (situation: Situation, before: number): number => {
  const { domain, now } = situation
  const left = isValid(domain.certificate, now) ? (domain.certificate.notAfter - now) / 4 : longestRetry
  const longest = Math.max(firstRetry, Math.min(longestRetry, left))
  return spread(situation, Math.min(longest, firstRetry * 2 ** Math.min(before, 20)))
}

/** Plus or minus 20 %. */
const spread = ({ random }: Situation, millis: number): number => Math.round(millis * (0.8 + 0.4 * random))

const rest = (situation: Situation, state: DomainState, pause: number): CertificatePlan =>
  restUntil(situation, state, situation.now + spread(situation, pause))

const restUntil = (situation: Situation, state: DomainState, nextLookAt: EpochMillis): CertificatePlan => ({
  _tag: "Rest",
  outcome: outcomeOf(situation, state, nextLookAt)
})

const outcomeOf = (
  { domain, now }: Situation,
  { error, proven, status }: DomainState,
  nextLookAt: EpochMillis
): DomainOutcome => ({
  status,
  error,
  proven,
  misses: domain.misses,
  attempts: domain.attempts,
  refusals: recent(domain.refusals, now),
  askAfter: domain.askAfter !== null && domain.askAfter > now ? domain.askAfter : null,
  nextLookAt: Math.max(Math.round(nextLookAt), now + secondMillis)
})
