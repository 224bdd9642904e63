/**
 * Which DNS answers users may see for names they choose. A resolver inside the operator's network may know private zones,
 * so answers with special-purpose addresses or private names are refused as a whole. Split-horizon zones with one name
 * cannot be told apart here; use an external resolver for them.
 */
import { type Reason, reason as why } from "@kanmon/domain/Reason"
import { Effect } from "effect"
import { type PolicySettings, refusal } from "./NetworkPolicy.ts"
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
      privateZones.test(hostname) || (type === "PTR" && isPrivateReverse(hostname))
        ? refused(why("private_name", { host: hostname, remedy: "operator" }))
        : Effect.flatMap(resolver.records(hostname, type, server), (records) =>
            records.some((record) => isPrivate(type, record))
              ? refused(why("private_records", { host: hostname, type, remedy: "operator" }))
              : Effect.succeed(records)
          )
  }
}

const refused = (words: Reason): Effect.Effect<never, ResolveFailed> =>
  Effect.fail(new ResolveFailed({ reason: "address_refused", ...words }))

/** Whether a name of the reverse zones stands for a private address: its name would reveal the network behind it. */
const isPrivateReverse = (hostname: string): boolean => {
  const labels = hostname.toLowerCase().replace(/\.$/, "").split(".").toReversed()
  if (labels[0] !== "arpa") return false
  const [zone, parts] = [labels[1], labels.slice(2)]
  if (zone === "in-addr") return isForbidden(parts.concat("0", "0", "0", "0").slice(0, 4).join("."))
  if (zone !== "ip6") return false
  const digits = parts.join("").padEnd(32, "0").slice(0, 32)
  return isForbidden((digits.match(/.{4}/g) ?? []).join(":"))
}

const isForbidden = (address: string): boolean => refusal(address, 0, { allowPrivate: false }) !== null

const isPrivate = (type: RecordType, record: string): boolean => {
  switch (type) {
    case "A":
    case "AAAA":
      return refusal(record, 0, { allowPrivate: false }) !== null
    case "CNAME":
    case "MX":
    case "NS":
    case "PTR":
    case "SRV":
    case "SOA":
      return record.split(" ").some((part) => privateZones.test(part))
    case "CAA":
    case "TXT":
      return false
  }
}
