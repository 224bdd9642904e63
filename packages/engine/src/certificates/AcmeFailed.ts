/**
 * Why a certificate was not issued: the error types of ACME that matter to us, and whose turn it is to do something.
 * @see https://www.rfc-editor.org/rfc/rfc8555#section-6.7
 */
import { Data } from "effect"

/** Who can mend it: the domain's owner, the authority by itself in time, or this installation's operator. */
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
  /** No answer, or none that can be read. Not of ACME. */
  unreachable: "authority",
  /** Anything that we have no words for. */
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
  /** What the authority said, on one line. */
  readonly detail: string
  /** Seconds, where the authority says for how long it is not to be asked. */
  readonly retryAfter?: number | undefined
}> {
  get blame(): Blame {
    return blames[this.reason]
  }
}

const prefix = "urn:ietf:params:acme:error:"

/** The reason behind a problem document's type. */
export const reasonOf = (type: unknown): AcmeReason => {
  if (typeof type !== "string" || !type.startsWith(prefix)) return "other"
  const name = type.slice(prefix.length)
  return Object.hasOwn(blames, name) ? (name as AcmeReason) : "other"
}

/** For the page's owner: what is wrong, and what to do. */
export const words = ({ detail, reason }: AcmeFailed, domain: string): string => {
  const said = detail === "" ? "" : ` (${detail})`
  switch (reason) {
    case "connection":
    case "tls":
      return `The certificate authority cannot reach ${domain} on port 80${said}. Let port 80 of the pages' host through to this installation.`
    case "dns":
      return `The certificate authority cannot look ${domain} up${said}. Check the domain's DNS, and its DNSSEC if it has any.`
    case "unauthorized":
    case "incorrectResponse":
      return `The certificate authority asked ${domain} on port 80 and got another answer than ours${said}. Switch off any proxy in between, and let all its addresses lead to this installation.`
    case "caa":
      return `A CAA record does not let the certificate authority issue for ${domain}${said}. Add the authority to the record, or remove the record.`
    case "rejectedIdentifier":
    case "unsupportedIdentifier":
      return `The certificate authority does not issue for ${domain}${said}. Choose another domain.`
    case "rateLimited":
      return `The certificate authority wants to be left alone for a while${said}. There is nothing to do; it is asked again then.`
    case "unreachable":
      return `The certificate authority cannot be reached${said}. There is nothing to do; it is asked again by itself.`
    case "externalAccountRequired":
      return `The certificate authority takes no orders without an account that its operator has there${said}. This installation's operator has to set ACME_EAB_KID and ACME_EAB_HMAC_KEY, or another authority in ACME_DIRECTORY_URL.`
    default:
      return blames[reason] === "operator"
        ? `The certificate authority takes no orders from this installation${said}. Its operator has to see to it: ACME_DIRECTORY_URL and ACME_EMAIL name authority and account.`
        : `The certificate authority did not issue${said}. There is nothing to do; it is asked again by itself.`
  }
}
