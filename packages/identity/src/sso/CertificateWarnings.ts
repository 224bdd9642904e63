/** Warnings to owners about the certificates of an identity provider before sign-ins fail. */
import { X509Certificate } from "node:crypto"
import type { OrganizationSignOn } from "@kanmon/domain/SignOnSettings"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"

const soonDays = 30

const dayOf = (date: Date): string => date.toISOString().slice(0, 10)

/**
 * One sentence for each certificate outside of its period, or near its end. They are accepted all the same: providers sign with
 * certificates that have expired until somebody replaces them, on both sides at once.
 */
export const warningsOf = (settings: OrganizationSignOn, now: EpochMillis): ReadonlyArray<string> => {
  if (settings.protocol !== "saml") return []
  const { length } = settings.certificates
  return settings.certificates.flatMap((pem, index) => {
    const { validFromDate: from, validToDate: to } = new X509Certificate(pem)
    const name = length === 1 ? "The certificate of the identity provider" : `Certificate ${index + 1} of ${length}`
    if (to.getTime() < now)
      return [`${name} expired on ${dayOf(to)}. Replace it at the identity provider, and add the new one here.`]
    if (from.getTime() > now) return [`${name} is not valid before ${dayOf(from)}.`]
    if (to.getTime() < now + soonDays * dayMillis)
      return [`${name} expires on ${dayOf(to)}. Add the next one here before the identity provider changes to it.`]
    return []
  })
}
