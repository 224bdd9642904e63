/** What the judge keeps of the certificate a check was shown, and how it stands. Pure. */
import { Schema } from "effect"
import type { Observation } from "./Observation.ts"
import { dayMillis, type EpochMillis, Timestamp } from "./Timestamp.ts"

/** Days before its end from which a certificate counts as expiring, unless the monitor says otherwise. */
export const defaultExpiryThreshold = 14

/** `invalid`: it has time left, but its chain or its name is not good. */
export type CertificateStage = "good" | "expiring" | "expired" | "invalid"

export interface CertificateState {
  /** SHA-256 of the certificate: two are the same when this is. */
  readonly fingerprint: string
  readonly stage: CertificateStage
  readonly validTo: EpochMillis | null
  /** The verifier's word for what is wrong with it. */
  readonly problem: string | null
}

/** The facts that a check reports as `certificate`. Everything else in it is for people. */
const Facts = Schema.Struct({
  fingerprint256: Schema.NullOr(Schema.String),
  validTo: Schema.NullOr(Timestamp),
  problem: Schema.NullOr(Schema.String),
  nameMatches: Schema.Boolean
})
const decodeFacts = Schema.decodeUnknownOption(Facts)

/** The certificate's state when the check was made; undefined when the check was shown none. */
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

/** The certificate that matters when several regions are shown different ones: the one that is worst off. */
export const worst = (certificates: ReadonlyArray<CertificateState>): CertificateState | undefined =>
  certificates.reduce<CertificateState | undefined>(
    (found, each) => (found === undefined || severity[each.stage] > severity[found.stage] ? each : found),
    undefined
  )

const problems: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: "does not name this host",
  DEPTH_ZERO_SELF_SIGNED_CERT: "is self-signed",
  CERT_NOT_YET_VALID: "is not valid yet",
  CERT_REVOKED: "was revoked",
  CERT_HAS_EXPIRED: "has expired, or stands below one that has",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "is sent without the intermediate certificate that leads to a trusted authority"
}

/** What the verifier's word means, to follow "The certificate of example.org …". */
export const problemInWords = (code: string): string => problems[code] ?? "comes from an authority that is not trusted"

/** The certificate as a monitor's record shows it. */
export const CertificateSummary = Schema.Struct({
  issuer: Schema.NullOr(Schema.String),
  subject: Schema.NullOr(Schema.String),
  validFrom: Schema.NullOr(Timestamp),
  validTo: Schema.NullOr(Timestamp),
  /** Whole days; negative when it is over. */
  daysLeft: Schema.NullOr(Schema.Int),
  valid: Schema.Boolean,
  /** What is wrong with it, in words; null when nothing is. */
  problem: Schema.NullOr(Schema.String)
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

/** Sums up the facts of a check; undefined when they are none of a certificate. */
export const summarize = (facts: unknown, now: EpochMillis): CertificateSummary | undefined => {
  const decoded = decodeSummary(facts)
  if (decoded._tag === "None") return undefined
  const { problem, ...known } = decoded.value
  const over = known.validTo !== null && known.validTo <= now
  const words = over ? "has expired" : problem === null ? null : problemInWords(problem)
  return {
    ...known,
    daysLeft: known.validTo === null ? null : Math.floor((known.validTo - now) / dayMillis),
    valid: words === null,
    problem: words === null ? null : `The certificate ${words}`
  }
}
