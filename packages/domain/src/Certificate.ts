/** Certificate state: the stored facts about the certificate of a check. Pure. */
import { Schema } from "effect"
import { Explanation } from "./Explanation.ts"
import { type Reason, reason } from "./Reason.ts"
import type { Observation } from "./Observation.ts"
import { dayMillis, type EpochMillis, Timestamp } from "./Timestamp.ts"

/** Default number of days before expiry at which a certificate counts as expiring. */
export const defaultExpiryThreshold = 14

/** `invalid`: not expired, but its chain or its name is wrong. */
const CertificateStage = Schema.Literals(["good", "expiring", "expired", "invalid"])
export type CertificateStage = typeof CertificateStage.Type

export const CertificateState = Schema.Struct({
  /** SHA-256 of the certificate; identifies it. */
  fingerprint: Schema.String,
  stage: CertificateStage,
  /** Milliseconds since the epoch. */
  validTo: Schema.NullOr(Schema.Finite),
  /** The TLS verifier's error code. */
  problem: Schema.NullOr(Schema.String)
})
export type CertificateState = typeof CertificateState.Type

/** The part of the `certificate` fact that is evaluated; the rest is for display. */
const Facts = Schema.Struct({
  fingerprint256: Schema.NullOr(Schema.String),
  validTo: Schema.NullOr(Timestamp),
  problem: Schema.NullOr(Schema.String),
  nameMatches: Schema.Boolean
})
const decodeFacts = Schema.decodeUnknownOption(Facts)

/** The certificate's state at the time of the check; undefined when the check saw none. */
export const certificateOf = (
  { checkedAt, facts }: Pick<Observation, "facts" | "checkedAt">,
  thresholdDays: number = defaultExpiryThreshold
): CertificateState | undefined => {
  if (facts["certificate"] === undefined) return undefined
  const decoded = decodeFacts(facts["certificate"])
  if (decoded._tag === "None" || decoded.value.fingerprint256 === null) return undefined
  const { fingerprint256: fingerprint, problem, validTo } = decoded.value
  return { fingerprint, stage: stageOf(decoded.value, checkedAt, thresholdDays), validTo, problem }
}

const stageOf = (
  { nameMatches, problem, validTo }: typeof Facts.Type,
  now: EpochMillis,
  thresholdDays: number
): CertificateStage => {
  if (validTo !== null && validTo <= now) return "expired"
  if (problem !== null || !nameMatches) return "invalid"
  return validTo !== null && validTo - now <= thresholdDays * dayMillis ? "expiring" : "good"
}

const severity: Record<CertificateStage, number> = { good: 0, expiring: 1, invalid: 2, expired: 3 }

/** The worst of several certificates, for regions that see different ones. */
export const worst = (certificates: ReadonlyArray<CertificateState>): CertificateState | undefined =>
  certificates.reduce<CertificateState | undefined>(
    (found, each) => (found === undefined || severity[each.stage] > severity[found.stage] ? each : found),
    undefined
  )

const problems = {
  ERR_TLS_CERT_ALTNAME_INVALID: "certificate_names_another",
  DEPTH_ZERO_SELF_SIGNED_CERT: "certificate_self_signed",
  CERT_NOT_YET_VALID: "certificate_is_not_yet_valid",
  CERT_REVOKED: "certificate_revoked",
  CERT_HAS_EXPIRED: "certificate_or_issuer_expired",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "certificate_lacks_intermediate"
} as const

/** The verifier's error code as a reason: of the certificate of a host, or of the one that is shown. */
export const problemReason = (code: string, host?: string): Reason =>
  reason(
    Object.hasOwn(problems, code) ? problems[code as keyof typeof problems] : "certificate_untrusted",
    host === undefined ? { certificate: "this" } : { certificate: "own", host }
  )

/** The certificate as part of a monitor. */
export const CertificateSummary = Schema.Struct({
  issuer: Schema.NullOr(Schema.String),
  subject: Schema.NullOr(Schema.String),
  validFrom: Schema.NullOr(Timestamp),
  validTo: Schema.NullOr(Timestamp),
  /** Whole days; negative after expiry. */
  daysLeft: Schema.NullOr(Schema.Int),
  valid: Schema.Boolean,
  /** The problem as a sentence; null when there is none. */
  problem: Schema.NullOr(Schema.String),
  explanation: Schema.NullOr(Explanation).annotate({
    description: "The problem as a code and its parameters; null when there is none"
  })
})
export type CertificateSummary = typeof CertificateSummary.Type

const decodeSummary = Schema.decodeUnknownOption(
  Schema.Struct({
    issuer: Schema.NullOr(Schema.String),
    subject: Schema.NullOr(Schema.String),
    validFrom: Schema.NullOr(Timestamp),
    validTo: Schema.NullOr(Timestamp),
    problem: Schema.NullOr(Schema.String)
  })
)

/** Summarizes the certificate facts of a check; undefined when they describe no certificate. */
export const summarize = (facts: unknown, now: EpochMillis): CertificateSummary | undefined => {
  const decoded = decodeSummary(facts)
  if (decoded._tag === "None") return undefined
  const { problem, ...known } = decoded.value
  const over = known.validTo !== null && known.validTo <= now
  const why = over
    ? reason("certificate_has_expired", { certificate: "this" })
    : problem === null
      ? null
      : problemReason(problem)
  return {
    ...known,
    daysLeft: known.validTo === null ? null : Math.floor((known.validTo - now) / dayMillis),
    valid: why === null,
    problem: why?.message ?? null,
    explanation: why?.explanation ?? null
  }
}
