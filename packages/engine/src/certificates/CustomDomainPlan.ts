/**
 * What to do about a page's own domain, and when to look again. Pure; the promises that hold however it goes: no name is
 * ordered or served that does not lead here and whose owner has not shown that it is this project's, no authority is asked while it wants to be left alone or more often than three failures
 * an hour allow, no certificate is renewed early, and no domain is given up.
 */
import { instant } from "@kanmon/core/NoticeText"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import type { DomainOutcome, DomainStanding, LeasedDomain, OrderCounts } from "@kanmon/store/certificates/CustomDomains"
import { type AcmeFailed, words as acmeWords } from "./AcmeFailed.ts"
import { type Pointing, words as pointingWords } from "./DomainPointing.ts"
import { type Proof, words as proofWords } from "./DomainProof.ts"

export interface Situation {
  readonly now: EpochMillis
  /** In `[0, 1)`: keeps domains that came together from staying together. */
  readonly random: number
  readonly domain: LeasedDomain
  readonly pointing: Pointing
  /** Matters where the domain leads here. One that was given stands for as long as the domain leads here. */
  readonly proof: Proof
  /** Where own domains are to lead. */
  readonly host: string
  /** Certificates are ours to get; otherwise a proxy in front sees to TLS. */
  readonly certificates: boolean
  /** Null: the authority may be asked. */
  readonly authorityRestsUntil: EpochMillis | null
  /** Certificates that were ordered within `busyMillis`. */
  readonly lately: OrderCounts
}

/** `Order`: now, and `afterOrder` says what follows from it. */
export type Plan = { readonly _tag: "Order" } | { readonly _tag: "Rest"; readonly outcome: DomainOutcome }

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
 * Let's Encrypt takes 300 orders of an account in three hours. From so many on only renewals are ordered, and one account, or
 * one registered domain, gets no more than a share: somebody who adds domain after domain must not cost others theirs.
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
/** Looks in a row, some three hours, after which a domain that leads elsewhere has to be proven again when it comes back. */
export const missesOfProof = 12

export const decide = (situation: Situation): Plan => {
  const { certificates, domain, now, pointing, proof } = situation
  if (pointing._tag === "Unknown" || (pointing._tag === "Here" && proof._tag === "Unknown"))
    return rest(situation, standing(situation), minuteMillis)
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

/** What an order led to. The situation is the one it was placed in; `now` is when it ended. */
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

/** At two thirds of the lifetime, however long that is. */
const renewalOf = ({ notAfter, notBefore }: Validity): EpochMillis => notAfter - (notAfter - notBefore) / 3

const isValid = (certificate: LeasedDomain["certificate"], now: EpochMillis): certificate is Validity =>
  certificate !== null && now < certificate.notAfter

const notHere = (situation: Situation): Plan => {
  const { certificates, domain, host, now, pointing } = situation
  const missed: Situation = { ...situation, domain: { ...domain, misses: domain.misses + 1 } }
  const pause = missPause(domain.misses)
  const why = pointingWords(pointing, domain.name, host)
  if (certificates && domain.proven && isValid(domain.certificate, now)) {
    const until = `Until then the certificate is not renewed; the page is served there to its end, ${instant(domain.certificate.notAfter)}.`
    return rest(missed, { status: "active", error: `${why} ${until}`, proven: true }, pause)
  }
  // Name servers that fail for a moment have not moved the domain.
  if (!certificates && domain.status === "active" && pointing._tag === "Unanswered")
    return rest(missed, { status: "active", error: why, proven: true }, pause)
  const proven = domain.proven && (pointing._tag === "Unanswered" || missed.domain.misses < missesOfProof)
  return rest(missed, { status: "pending_dns", error: why, proven }, pause)
}

const missPause = (misses: number): number => Math.min(longestMiss, firstLook * 2 ** Math.min(misses, 20))

/** It leads here, and for all we know another project's page is meant. A certificate that is there was that page's. */
const unproven = (situation: Situation): Plan => {
  const { domain, proof } = situation
  const missed: Situation = { ...situation, domain: { ...domain, misses: domain.misses + 1 } }
  const error = proofWords(proof, domain.name, domain.projectId)
  return rest(missed, { status: "pending_dns", error, proven: false }, missPause(domain.misses))
}

/** How it stands when nothing new is known. */
const standing = ({ certificates, domain, now }: Situation): DomainStanding => {
  const { error, proven, status } = domain
  if (!certificates || isValid(domain.certificate, now)) return { status, error, proven }
  return { status: status === "active" || status === "none" ? "provisioning" : status, error, proven }
}

/** How it stands while an order may not be placed. What the last one came to stays to be read. */
const waiting = (situation: Situation, until: EpochMillis): DomainStanding =>
  situation.domain.status === "pending_dns"
    ? {
        status: "provisioning",
        proven: true,
        error: `The certificate authority is asked at ${instant(until)}. There is nothing to do.`
      }
    : standing(situation)

/** The first instant at which neither the authority nor our own ceiling forbids an order. */
const mayAskAt = ({ authorityRestsUntil, domain, lately, now }: Situation): EpochMillis => {
  const failures = recent(domain.refusals, now)
  const ceiling = failures.length < failuresAnHour ? now : failures.at(-failuresAnHour)! + hourMillis
  const full = lately.all >= busyAt || lately.own >= busyShare
  const busy = full && !isValid(domain.certificate, now) ? now + busyPause : now
  return Math.max(now, ceiling, busy, domain.askAfter ?? now, authorityRestsUntil ?? now)
}

const recent = (times: ReadonlyArray<EpochMillis>, now: EpochMillis): ReadonlyArray<EpochMillis> =>
  times.filter((time) => time > now - hourMillis)

/** Doubles from a minute to six hours; the less time a certificate has left, the sooner. */
const retryPause = (situation: Situation, before: number): number => {
  const { domain, now } = situation
  const left = isValid(domain.certificate, now) ? (domain.certificate.notAfter - now) / 4 : longestRetry
  const longest = Math.max(firstRetry, Math.min(longestRetry, left))
  return spread(situation, Math.min(longest, firstRetry * 2 ** Math.min(before, 20)))
}

/** Give or take a fifth. */
const spread = ({ random }: Situation, millis: number): number => Math.round(millis * (0.8 + 0.4 * random))

const rest = (situation: Situation, standing: DomainStanding, pause: number): Plan =>
  restUntil(situation, standing, situation.now + spread(situation, pause))

const restUntil = (situation: Situation, standing: DomainStanding, nextLookAt: EpochMillis): Plan => ({
  _tag: "Rest",
  outcome: outcomeOf(situation, standing, nextLookAt)
})

const outcomeOf = (
  { domain, now }: Situation,
  { error, proven, status }: DomainStanding,
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
