/**
 * Why a certificate was not issued: the relevant error types of ACME, and who has to act.
 * @see https://www.rfc-editor.org/rfc/rfc8555#section-6.7
 */
import { Data } from "effect"

/**
 * The party that can fix it: the domain's owner, the authority (later, without anyone acting), or this installation's
 * operator.
 */
export type Blame = "domain" | "authority" | "operator"

const blames = {
  connection: "domain",
  dns: "domain",
  unauthorized: "domain",
  incorrectResponse: "domain",
  tls: "domain",
  caa: "domain",
  rejectedIdentifier: "domain",
  unsupportedIdentifier: "domain",
  rateLimited: "authority",
  serverInternal: "authority",
  badNonce: "authority",
  orderNotReady: "authority",
  /** No response, or an unreadable one. Not an ACME error. */
  unreachable: "authority",
  /** Any other error. */
  other: "authority",
  accountDoesNotExist: "operator",
  userActionRequired: "operator",
  externalAccountRequired: "operator",
  invalidContact: "operator",
  unsupportedContact: "operator",
  malformed: "operator",
  badCSR: "operator",
  /** The authority refuses the account: `unauthorized` without a challenge. */
  accountRefused: "operator"
} as const satisfies Record<string, Blame>

export type AcmeReason = keyof typeof blames

export class AcmeFailed extends Data.TaggedError("AcmeFailed")<{
  readonly reason: AcmeReason
  /** The authority's message, on one line. */
  readonly detail: string
  /** Seconds to wait before the next order, if the authority named any. */
  readonly retryAfter?: number | undefined
}> {
  get blame(): Blame {
    return blames[this.reason]
  }
}

const prefix = "urn:ietf:params:acme:error:"

/** The reason for a problem document's type. */
export const reasonOf = (type: unknown): AcmeReason => {
  if (typeof type !== "string" || !type.startsWith(prefix)) return "other"
  const name = type.slice(prefix.length)
  return Object.hasOwn(blames, name) ? (name as AcmeReason) : "other"
}

/** The error for the page's owner, with a remedy. */
export const words = ({ detail, reason }: AcmeFailed, domain: string): string => {
  const said = detail === "" ? "" : ` (${detail})`
  switch (reason) {
    case "connection":
    case "tls":
      return `The certificate authority cannot reach ${domain} on port 80${said}. Forward port 80 of the pages' host to this installation.`
    case "dns":
      return `The certificate authority cannot resolve ${domain}${said}. Check the domain's DNS, and its DNSSEC if it has any.`
    case "unauthorized":
    case "incorrectResponse":
      return `The certificate authority requested ${domain} on port 80 and got a response that is not from this installation${said}. Disable any proxy in between, and point all addresses of the domain to this installation.`
    case "caa":
      return `A CAA record forbids the certificate authority to issue for ${domain}${said}. Add the authority to the record, or remove the record.`
    case "rejectedIdentifier":
    case "unsupportedIdentifier":
      return `The certificate authority does not issue for ${domain}${said}. Choose another domain.`
    case "rateLimited":
      return `The certificate authority limits its rate of orders${said}. No action needed; it is retried automatically.`
    case "unreachable":
      return `The certificate authority cannot be reached${said}. No action needed; it is retried automatically.`
    case "externalAccountRequired":
      return `The certificate authority requires an external account${said}. This installation's operator must set ACME_EAB_KID and ACME_EAB_HMAC_KEY, or another authority in ACME_DIRECTORY_URL.`
    default:
      return blames[reason] === "operator"
        ? `The certificate authority refuses orders from this installation${said}. Its operator must check ACME_DIRECTORY_URL and ACME_EMAIL.`
        : `The certificate authority did not issue${said}. No action needed; it is retried automatically.`
  }
}
