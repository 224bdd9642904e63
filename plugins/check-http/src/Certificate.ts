/** The certificate of a TLS handshake: facts for display and rules, and whether it is valid. */
import type { PeerCertificate } from "@kanmon/core/Dialer"
import { reason } from "@kanmon/domain/Reason"
import type { ReasonParameters } from "@kanmon/domain/ReasonsEnglish"
import type { Failure } from "@kanmon/domain/Observation"
import type { Schema } from "effect"
import type { DetailedPeerCertificate } from "node:tls"

const longestChain = 10
const maxNames = 100
/** All names must fit into the facts of one observation. */
const longestName = 200
/** OpenSSL refuses longer chains. */
const longestNames = 100 * 1024

/** Certificate facts as plain JSON. */
export const facts = (peer: PeerCertificate): Schema.JsonObject => {
  const { certificate, protocol } = peer
  return {
    subject: name(certificate.subject),
    issuer: name(certificate.issuer),
    names: namesOf(certificate),
    validFrom: iso(certificate.valid_from),
    validTo: iso(certificate.valid_to),
    serialNumber: certificate.serialNumber ?? null,
    fingerprint256: certificate.fingerprint256 ?? null,
    protocol,
    chain: chain(certificate).map((link) => ({
      subject: name(link.subject),
      validTo: iso(link.valid_to),
      fingerprint256: link.fingerprint256 ?? null
    })),
    nameMatches: !peer.nameMismatch,
    problem: peer.authorizationError ?? (peer.nameMismatch ? "ERR_TLS_CERT_ALTNAME_INVALID" : null)
  }
}

/** Why the certificate is not valid for this host; null when it is. */
export const verdict = (peer: PeerCertificate, host: string): Failure | null => {
  const { authorizationError: code, certificate, nameMismatch } = peer
  if (code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID")
    return outOfTime(code, certificate, host, nameMismatch)
  if (nameMismatch || code === "ERR_TLS_CERT_ALTNAME_INVALID" || code === "HOSTNAME_MISMATCH") {
    const others = namesOf(certificate).join(", ") || name(certificate.subject)
    const words =
      others === null
        ? reason("certificate_names_nobody", { host })
        : reason("certificate_names_others", {
            host,
            names: others.length > 200 ? `${others.slice(0, 200)}…` : others
          })
    return { code: "tls_name_mismatch", ...words }
  }
  switch (code) {
    case null:
      return null
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
      return { code: "tls_self_signed", ...reason("certificate_self_signed", { certificate: "own", host }) }
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
      return { code: "tls_untrusted", ...reason("certificate_incomplete", { host }) }
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
    case "UNABLE_TO_GET_ISSUER_CERT":
      return { code: "tls_untrusted", ...reason("certificate_untrusted", { certificate: "own", host }) }
    case "CERT_REVOKED":
      return { code: "tls_revoked", ...reason("certificate_revoked", { certificate: "own", host }) }
    default:
      return { code: "tls_untrusted", ...reason("certificate_invalid", { host, cause: code }) }
  }
}

/** The error code does not name the certificate of the chain: choose the one that expires first, or becomes valid last. */
const outOfTime = (
  code: "CERT_HAS_EXPIRED" | "CERT_NOT_YET_VALID",
  leaf: Certificate,
  host: string,
  nameMismatch: boolean
): Failure => {
  const ended = code === "CERT_HAS_EXPIRED"
  const limit = (link: Certificate): string => (ended ? link.valid_to : link.valid_from)
  const at = (link: Certificate): number => Date.parse(limit(link))
  const culprit = [leaf, ...chain(leaf)].reduce((worst, link) =>
    (ended ? at(link) < at(worst) : at(link) > at(worst)) ? link : worst
  )
  const moment = iso(limit(culprit))
  const named = culprit === leaf ? null : name(culprit.subject)
  const parameters: ReasonParameters<"certificate_expired" | "certificate_not_yet_valid"> = {
    host,
    certificate: culprit === leaf ? "own" : named === null ? "unnamed" : "named",
    name: named ?? undefined,
    moment: moment === null ? "unknown" : "known",
    at: moment ?? undefined,
    also: nameMismatch ? "names_others" : undefined
  }
  return ended
    ? { code: "tls_expired", ...reason("certificate_expired", parameters) }
    : { code: "tls_not_yet_valid", ...reason("certificate_not_yet_valid", parameters) }
}

const namesOf = ({ subjectaltname }: Certificate): ReadonlyArray<string> =>
  (subjectaltname ?? "")
    .slice(0, longestNames)
    .split(", ")
    .filter((entry) => entry !== "")
    .slice(0, maxNames)
    .map((entry) => clean(entry, longestName))

/** The text of certificates is untrusted. */
const clean = (text: string, most: number): string => text.slice(0, most).replaceAll(/\p{Cc}/gu, "\uFFFD")

type Certificate = DetailedPeerCertificate

const chain = (leaf: Certificate): ReadonlyArray<Certificate> => {
  const links: Array<Certificate> = []
  // A root is its own issuer.
  for (
    let at: Certificate | undefined = leaf.issuerCertificate, below = leaf;
    at !== undefined && at !== below && links.length < longestChain;
  ) {
    links.push(at)
    below = at
    at = at.issuerCertificate
  }
  return links
}

const name = (subject: Certificate["subject"] | undefined): string | null => {
  if (subject === undefined) return null
  const parts = [subject.CN, subject.O].flat().filter((part): part is string => typeof part === "string")
  return parts.length === 0 ? null : clean(parts.join(", "), 300)
}

const iso = (text: string | undefined): string | null => {
  const at = Date.parse(text ?? "")
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}
