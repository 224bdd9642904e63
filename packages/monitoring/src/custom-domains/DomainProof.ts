/**
 * Proof that a project may use a custom domain. The CNAME record names the installation but no project, and it may outlive a
 * deleted page, so a TXT record names the project. Only the owner of the domain's DNS zone can create it.
 * @see https://datatracker.ietf.org/doc/draft-ietf-dnsop-domain-verification-techniques/
 */
import { Resolver } from "@kanmon/core/Resolver"
import type { ProjectId } from "@kanmon/domain/Ids"
import type { CustomDomainRecord } from "@kanmon/domain/StatusPage"
import { Effect } from "effect"
import { type InstallationNames, isAboveOwn, isApex } from "./DomainNames.ts"
import { inTime, unanswered } from "./DomainPointing.ts"

/** The result of looking up the TXT record. */
export type Proof =
  | { readonly _tag: "Given" }
  | { readonly _tag: "Missing" }
  /** The domain's name servers did not answer. */
  | { readonly _tag: "Unanswered"; readonly detail: string }
  /** The lookup failed on our side, so nothing is known. */
  | { readonly _tag: "Unknown" }

/** The name of the TXT record. */
export const recordName = (domain: string): string => `_kanmon-challenge.${domain}`

/** The name of the TXT record must also fit the 253 characters of a DNS name. */
export const longestDomain = 253 - recordName("").length

/** The value of the TXT record. It is not secret: the proof is the right to publish it. */
const recordValue = (projectId: ProjectId): string => projectId

/** Settings that decide whether the CNAME record alone is enough. */
export interface ProofPolicy extends InstallationNames {
  /** All users are trusted: sign-up is closed. */
  readonly trusted: boolean
}

/**
 * Whether the TXT record is needed. A CNAME record is enough where strangers cannot sign up, since it names this
 * installation. Address records are not: they may mean another service on the same machine. A name above the
 * installation's own always needs the TXT record.
 */
export const isNeeded = (domain: string, byCname: boolean, policy: ProofPolicy): boolean =>
  !policy.trusted || !byCname || isAboveOwn(domain, policy)

/** Looks up the TXT record. If it has several values, one must name the project. */
export const look = (domain: string, projectId: ProjectId): Effect.Effect<Proof, never, Resolver> =>
  Resolver.use((resolver) => resolver.records(recordName(domain), "TXT")).pipe(
    inTime,
    Effect.map((values): Proof => {
      // Some DNS providers store the quotation marks of zone files.
      const given = values.some((value) => value.trim().replace(/^"(.*)"$/, "$1") === recordValue(projectId))
      return given ? { _tag: "Given" } : { _tag: "Missing" }
    }),
    Effect.catch((failure): Effect.Effect<Proof> =>
      Effect.succeed(
        failure.reason === "dns_nxdomain" || failure.reason === "dns_no_records"
          ? { _tag: "Missing" }
          : unanswered(failure)
      )
    )
  )

/** The error for the page's owner: the missing record and a remedy. */
export const words = (proof: Proof, domain: string, projectId: ProjectId): string => {
  const detail = proof._tag === "Unanswered" ? ` (${proof.detail})` : ""
  return (
    `${domain} leads here, but the record that names this project was not found${detail}. Create a TXT record ` +
    `${recordName(domain)} with the value ${recordValue(projectId)} where the domain's DNS is kept; it is checked again ` +
    "automatically."
  )
}

/** The DNS records that the domain's owner has to create, the most important first. */
export const recordsOf = (
  domain: string,
  projectId: ProjectId,
  host: string,
  policy: ProofPolicy
): ReadonlyArray<CustomDomainRecord> => {
  const apex = isApex(domain)
  const traffic: CustomDomainRecord = apex
    ? {
        type: "ALIAS",
        name: domain,
        value: host,
        purpose:
          "Leads visitors here. The top of a domain cannot have a CNAME record: use what your DNS provider calls ALIAS, " +
          "ANAME or CNAME flattening, or A and AAAA records with all addresses of the value and no others."
      }
    : { type: "CNAME", name: domain, value: host, purpose: "Leads visitors here." }
  const proof: CustomDomainRecord = {
    type: "TXT",
    name: recordName(domain),
    value: recordValue(projectId),
    purpose: "Proves that this project may use the domain. Keep it for as long as the page uses the domain."
  }
  return isNeeded(domain, !apex, policy) ? [traffic, proof] : [traffic]
}
