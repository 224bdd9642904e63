/**
 * Proof that a custom domain's owner wants the page of this project there. The CNAME record is the same for every page and
 * outlives a page that was deleted, so it names an installation and no project; a TXT record beside it names the project.
 * Only who may write the domain's DNS zone can make it.
 * @see https://datatracker.ietf.org/doc/draft-ietf-dnsop-domain-verification-techniques/
 */
import { Resolver } from "@kanmon/core/Resolver"
import type { ProjectId } from "@kanmon/domain/Ids"
import type { CustomDomainRecord } from "@kanmon/domain/StatusPage"
import { Effect } from "effect"
import { type InstallationNames, isAboveOwn, isApex } from "./DomainNames.ts"
import { inTime, unanswered } from "./DomainPointing.ts"

/** What DNS said of the TXT record. */
export type Proof =
  | { readonly _tag: "Given" }
  | { readonly _tag: "Missing" }
  /** The domain's name servers do not say. */
  | { readonly _tag: "Unanswered"; readonly detail: string }
  /** We could not look, which says nothing of the domain. */
  | { readonly _tag: "Unknown" }

/** The name of the TXT record. */
export const recordName = (domain: string): string => `_kanmon-challenge.${domain}`

/** DNS names have at most 253 characters; the name of the TXT record is one, too. */
export const longestDomain = 253 - recordName("").length

/** The value of the TXT record. It is no secret: what counts is who can publish it. */
export const recordValue = (projectId: ProjectId): string => projectId

/** What decides whether the CNAME record alone is enough. */
export interface ProofPolicy extends InstallationNames {
  /** Everybody with a project here is trusted: sign-up is closed. */
  readonly trusted: boolean
}

/**
 * Whether the TXT record is needed. A CNAME record is enough where strangers cannot sign up: somebody made it for this
 * installation. Address records may be those of any other service on the same machine. A name above the installation's own
 * always needs the TXT record.
 */
export const isNeeded = (domain: string, byCname: boolean, policy: ProofPolicy): boolean =>
  !policy.trusted || !byCname || isAboveOwn(domain, policy)

/** Looks the TXT record up. Several values may stand there; one has to name the project. */
export const look = (domain: string, projectId: ProjectId): Effect.Effect<Proof, never, Resolver> =>
  Resolver.use((resolver) => resolver.records(recordName(domain), "TXT")).pipe(
    inTime,
    Effect.map((values): Proof => {
      // Some DNS forms keep the quotation marks that a zone file would have.
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

/** For the page's owner: what is missing, and what to do. */
export const words = (proof: Proof, domain: string, projectId: ProjectId): string => {
  const detail = proof._tag === "Unanswered" ? ` (${proof.detail})` : ""
  return (
    `${domain} leads here, but the record that names this project was not found${detail}. Create a TXT record ` +
    `${recordName(domain)} with the value ${recordValue(projectId)} where the domain's DNS is kept; it is looked at again ` +
    "by itself."
  )
}

/** The records that the domain's owner creates, in the order in which they matter. */
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
