/**
 * Decides which addresses may be dialled. Users choose targets, so without this a check could reach into the operator's
 * network. Pure; the dialer applies it to every address before connecting.
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 */
import { isIP } from "node:net"
import ipaddr from "ipaddr.js"

/** A special-purpose range. The operator can allow `private` ones; the others are not reachable in a useful way. */
interface SpecialRange {
  readonly range: string
  readonly name: string
  readonly kind: "private" | "never"
}

/** All special-purpose ranges, most specific first within a family. */
export const specialRanges: ReadonlyArray<SpecialRange> = [
  { range: "168.63.129.16/32", name: "cloud host service", kind: "private" },
  { range: "255.255.255.255/32", name: "broadcast (RFC 919)", kind: "never" },
  { range: "0.0.0.0/8", name: "this network (RFC 791)", kind: "never" },
  { range: "10.0.0.0/8", name: "private use (RFC 1918)", kind: "private" },
  { range: "100.64.0.0/10", name: "shared address space (RFC 6598)", kind: "private" },
  { range: "127.0.0.0/8", name: "loopback (RFC 1122)", kind: "private" },
  { range: "169.254.0.0/16", name: "link local (RFC 3927)", kind: "private" },
  { range: "172.16.0.0/12", name: "private use (RFC 1918)", kind: "private" },
  { range: "192.0.0.0/24", name: "protocol assignments (RFC 6890)", kind: "never" },
  { range: "192.0.2.0/24", name: "documentation (RFC 5737)", kind: "never" },
  { range: "192.31.196.0/24", name: "AS112 (RFC 7535)", kind: "never" },
  { range: "192.52.193.0/24", name: "AMT (RFC 7450)", kind: "never" },
  { range: "192.88.99.0/24", name: "6to4 relay (RFC 7526)", kind: "never" },
  { range: "192.168.0.0/16", name: "private use (RFC 1918)", kind: "private" },
  { range: "192.175.48.0/24", name: "AS112 (RFC 7534)", kind: "never" },
  { range: "198.18.0.0/15", name: "benchmarking (RFC 2544)", kind: "private" },
  { range: "198.51.100.0/24", name: "documentation (RFC 5737)", kind: "never" },
  { range: "203.0.113.0/24", name: "documentation (RFC 5737)", kind: "never" },
  { range: "224.0.0.0/4", name: "multicast (RFC 5771)", kind: "never" },
  { range: "240.0.0.0/4", name: "reserved (RFC 1112)", kind: "never" },
  { range: "::/128", name: "unspecified (RFC 4291)", kind: "never" },
  { range: "::1/128", name: "loopback (RFC 4291)", kind: "private" },
  { range: "::/96", name: "IPv4-compatible (RFC 4291)", kind: "never" },
  { range: "64:ff9b::/96", name: "NAT64 (RFC 6052)", kind: "never" },
  { range: "64:ff9b:1::/48", name: "local NAT64 (RFC 8215)", kind: "never" },
  { range: "100::/64", name: "discard only (RFC 6666)", kind: "never" },
  { range: "100:0:0:1::/64", name: "dummy prefix (RFC 9780)", kind: "never" },
  { range: "2001::/23", name: "protocol assignments, Teredo (RFC 2928)", kind: "never" },
  { range: "2001:db8::/32", name: "documentation (RFC 3849)", kind: "never" },
  { range: "2002::/16", name: "6to4 (RFC 3056)", kind: "never" },
  { range: "2620:4f:8000::/48", name: "AS112 (RFC 7534)", kind: "never" },
  { range: "3fff::/20", name: "documentation (RFC 9637)", kind: "never" },
  { range: "5f00::/16", name: "segment routing (RFC 9602)", kind: "never" },
  { range: "fc00::/7", name: "unique local (RFC 4193)", kind: "private" },
  { range: "fe80::/10", name: "link local (RFC 4291)", kind: "private" },
  { range: "fec0::/10", name: "site local (RFC 3879)", kind: "private" },
  { range: "ff00::/8", name: "multicast (RFC 4291)", kind: "never" }
]

const parsed = specialRanges.map((special) => ({ ...special, cidr: ipaddr.parseCIDR(special.range) }))
const globalUnicast = ipaddr.parseCIDR("2000::/3")

export interface PolicySettings {
  /** Allow private, loopback and link-local addresses. */
  readonly allowPrivate: boolean
  /** Single targets that are always allowed: `address:port`, `[v6]:port`. */
  readonly allowTargets?: ReadonlySet<string>
}

/** `host:port`, with brackets around an IPv6 address. */
export const authority = (host: string, port: number): string =>
  host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`

/** How an operator allows private ranges, as the end of a sentence. */
export const permission = "the operator can allow it with KANMON_ALLOW_PRIVATE_TARGETS=true"

/** Why an address may not be dialled. */
export interface Refusal {
  /** Follows the address or its owner in a sentence: `is in a special range: …`. */
  readonly why: string
  /** `; ` and what the operator can do; empty when there is nothing. */
  readonly remedy: string
  /** The same as parameters of a reason. */
  readonly parameters: {
    readonly why: "special" | "not_an_address" | "not_global"
    readonly range?: string
    readonly remedy?: "operator"
  }
}

/** Why an address may not be dialled; null when it may. */
export const refusal = (
  address: string,
  port: number,
  { allowPrivate, allowTargets }: PolicySettings
): Refusal | null => {
  if (isIP(address) === 0) return final("is not an IP address", { why: "not_an_address" })
  if (allowTargets?.has(authority(address, port)) === true) return null
  // An IPv4-mapped IPv6 address is subject to the rules for IPv4.
  const ip = ipaddr.process(address)
  for (const { cidr, kind, name } of parsed) {
    if (cidr[0].kind() !== ip.kind() || !ip.match(cidr)) continue
    const why = `is in a special range: ${name}`
    if (kind === "never") return final(why, { why: "special", range: name })
    return allowPrivate
      ? null
      : { why, remedy: `; ${permission}`, parameters: { why: "special", range: name, remedy: "operator" } }
  }
  if (ip.kind() === "ipv6" && !ip.match(globalUnicast))
    return final("is not a global unicast address (RFC 4291)", { why: "not_global" })
  return null
}

const final = (why: string, parameters: Refusal["parameters"]): Refusal => ({ why, remedy: "", parameters })
