/** The schema of a host: a name or an address, as checks take it. */
import { isIP } from "node:net"
import { domainToASCII } from "node:url"
import { Schema } from "effect"

const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/i

const problem = (text: string): string | undefined => {
  if (isIP(text) !== 0) return undefined
  if (/[/:@\s]/.test(text)) return "Expected a host name or an IP address, without a scheme, a port or a path"
  const ascii = domainToASCII(text.replace(/\.$/, ""))
  if (ascii === "" || ascii.length > 253 || !ascii.split(".").every((part) => label.test(part))) {
    return "Expected a host name such as db.example.org, or an IP address"
  }
  return undefined
}

/** A host name (international ones too) or an IPv4 or IPv6 address without brackets. */
export const Hostname = Schema.NonEmptyString.check(Schema.makeFilter(problem))

/** A TCP or UDP port. */
export const Port = Schema.Int.check(
  Schema.isBetween({ minimum: 1, maximum: 65_535 }, { message: "Expected a port from 1 to 65535" })
)
