/**
 * What lookups may tell people who choose the names. A resolver inside the operator's network may know zones that are nobody
 * else's business: records that lie in special ranges, or lead to names of private networks, are refused as a whole. Records
 * of a zone that has an inner and an outer face under one name cannot be told apart here; a resolver outside does not know them.
 */
import { Effect } from "effect"
import { type PolicySettings, permission, refusal } from "./NetworkPolicy.ts"
import { ResolveFailed, type RecordType, type Resolver } from "./Resolver.ts"

/**
 * Names that the public DNS does not have: reserved (RFC 6761, 6762, 8375, ICANN's `internal`), or so common in private
 * networks that ICANN does not delegate them.
 */
const privateZones = /(?:^|\.)(?:localhost|local|internal|home\.arpa|corp|home|lan|intranet|private|localdomain)\.?$/i

/** The resolver, for lookups of names that users choose. Addresses of hosts are left to the dialer, which holds them against the same policy. */
export const guarded = (resolver: Resolver["Service"], { allowPrivate }: PolicySettings): Resolver["Service"] => {
  if (allowPrivate) return resolver
  return {
    ...resolver,
    records: (hostname, type, server) =>
      privateZones.test(hostname)
        ? refused(`${hostname} is a name of private networks, which is not looked up from here`)
        : Effect.flatMap(resolver.records(hostname, type, server), (records) =>
            records.some((record) => isPrivate(type, record))
              ? refused(
                  `The ${type} records of ${hostname} lie in a special range or a private network, and are not shown`
                )
              : Effect.succeed(records)
          )
  }
}

const refused = (message: string): Effect.Effect<never, ResolveFailed> =>
  Effect.fail(new ResolveFailed({ reason: "address_refused", message: `${message}; ${permission}` }))

const isPrivate = (type: RecordType, record: string): boolean => {
  switch (type) {
    case "A":
    case "AAAA":
      return refusal(record, 0, { allowPrivate: false }) !== null
    case "CNAME":
    case "MX":
      return privateZones.test(record.slice(record.indexOf(" ") + 1))
    case "TXT":
      return false
  }
}
