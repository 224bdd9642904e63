/**
 * Which DNS answers users may see for names they choose. A resolver inside the operator's network may know private zones,
 * so answers with special-purpose addresses or private names are refused as a whole. Split-horizon zones with one name
 * cannot be told apart here; use an external resolver for them.
 */
import { Effect } from "effect"
import { type PolicySettings, permission, refusal } from "./NetworkPolicy.ts"
import { ResolveFailed, type RecordType, type Resolver } from "./Resolver.ts"

/**
 * Names outside the public DNS: reserved ones (RFC 6761, 6762, 8375, ICANN's `internal`), and ones so common in private
 * networks that ICANN does not delegate them.
 */
const privateZones = /(?:^|\.)(?:localhost|local|internal|home\.arpa|corp|home|lan|intranet|private|localdomain)\.?$/i

/** A resolver for names that users choose. Host addresses are left to the dialer, which applies the same policy. */
export const guarded = (resolver: Resolver["Service"], { allowPrivate }: PolicySettings): Resolver["Service"] => {
  if (allowPrivate) return resolver
  return {
    ...resolver,
    records: (hostname, type, server) =>
      privateZones.test(hostname)
        ? refused(`${hostname} is a private network's name and cannot be looked up`)
        : Effect.flatMap(resolver.records(hostname, type, server), (records) =>
            records.some((record) => isPrivate(type, record))
              ? refused(
                  `The ${type} records of ${hostname} are in a special range or a private network and are not shown`
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
