/** Compares an expected value with a record. */
import { SocketAddress, isIPv4, isIPv6 } from "node:net"
import type { RecordType } from "@kanmon/core/Resolver"

/** Exact for addresses (normalized) and TXT; case-insensitive and without the trailing dot for names. */
export const matches = (type: RecordType, record: string, expected: string): boolean => {
  switch (type) {
    case "A":
      return record === expected.trim()
    case "AAAA":
      return isIPv6(expected.trim()) && normalised(record) === normalised(expected.trim())
    case "CNAME":
      return name(record) === name(expected)
    case "MX": {
      const [wanted, actual] = [name(expected), name(record)]
      return wanted === actual || wanted === actual.slice(actual.indexOf(" ") + 1)
    }
    case "TXT":
      return record === expected
  }
}

/** Why no record of the type can have this value; null when one can. */
export const expectationProblem = (type: RecordType, expected: string): string | null => {
  if (type === "A" && !isIPv4(expected.trim())) return "Expected an IPv4 address for an A record"
  if (type === "AAAA" && !isIPv6(expected.trim())) return "Expected an IPv6 address for an AAAA record"
  return null
}

/** A record for display and storage: a TXT record may have 64 KiB of arbitrary bytes. */
export const shown = (record: string): string => {
  const text = record.replaceAll(/\p{Cc}/gu, "\uFFFD")
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

const name = (text: string): string => text.trim().replaceAll(/\s+/g, " ").replace(/\.$/, "").toLowerCase()

const normalised = (address: string): string => new SocketAddress({ address, family: "ipv6" }).address
