/** Schemas of hosts: names and addresses that checks accept. */
import { isIP } from "node:net"
import { domainToASCII } from "node:url"
import { Schema } from "effect"
import { filteredText } from "@kanmon/domain/BoundedText"

const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/i

const nameProblem = (text: string): string | undefined => {
  if (/[/:@%\s]/.test(text)) return "Expected a host name or an IP address, without a scheme, a port or a path"
  const ascii = domainToASCII(text.replace(/\.$/, ""))
  if (ascii === "" || ascii.length > 253 || !ascii.split(".").every((part) => label.test(part))) {
    return noHost
  }
  // Some systems read 127.1 and 0x7f.1 as addresses too; require the usual notation.
  return isIP(ascii) === 0 ? undefined : `Expected a host name or a whole IP address; this reads as ${ascii}`
}

const noHost = "Expected a host name such as db.example.org, or an IP address"

/** The bound leaves room for what becomes shorter in ASCII. A filter without JSON Schema would lose the field's description. */
const hostText = (problem: (text: string) => string | undefined) =>
  filteredText(1024, (text) => (text === "" ? noHost : problem(text)), {
    message: noHost,
    toJsonSchema: () => ({ minLength: 1, maxLength: 253 })
  })

/** A host name (international ones too) or an IPv4 or IPv6 address without brackets. */
export const Hostname = hostText((text) => (isIP(text) === 0 || text.includes("%") ? nameProblem(text) : undefined))

/** A host name, not an address. */
export const DomainName = hostText((text) =>
  isIP(text) === 0 ? nameProblem(text) : "Expected a name; this is an IP address"
)

/** A TCP or UDP port. */
export const Port = Schema.Int.check(
  Schema.isBetween({ minimum: 1, maximum: 65_535 }, { message: "Expected a port from 1 to 65535" })
)
