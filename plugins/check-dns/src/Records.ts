/** How an expected value is held against a record. */
import { SocketAddress, isIPv4, isIPv6 } from "node:net"
import type { RecordType } from "@kanmon/core/Resolver"

/** Exact for addresses (after normalising) and TXT; in any case and without the trailing dot for names. */
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

/** Why no record of the type could ever have this value; null when one could. */
export const expectationProblem = (type: RecordType, expected: string): string | null => {
  if (type === "A" && !isIPv4(expected.trim())) return "Expected an IPv4 address, as the record is an A record"
  if (type === "AAAA" && !isIPv6(expected.trim())) return "Expected an IPv6 address, as the record is an AAAA record"
  return null
}

/** A record as people and stores get to see it: a TXT record may have 64 KiB, and any bytes. */
export const shown = (record: string): string => {
  const text = record.replaceAll(/\p{Cc}/gu, "\uFFFD")
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

const name = (text: string): string => text.trim().replaceAll(/\s+/g, " ").replace(/\.$/, "").toLowerCase()

const normalised = (address: string): string => new SocketAddress({ address, family: "ipv6" }).address
