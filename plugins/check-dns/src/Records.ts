/** Compares expected values with records. */
import { SocketAddress, isIPv4, isIPv6 } from "node:net"
import { upTo } from "@kanmon/domain/BoundedText"
import type { RecordType } from "@kanmon/core/Resolver"

/**
 * Exact for addresses (normalized) and TXT; case-insensitive and without the trailing dot for names. MX and SRV also match by
 * their target alone, SOA by its server, CAA by its value or by tag and value.
 */
export const matches = (type: RecordType, record: string, expected: string): boolean => {
  switch (type) {
    case "A":
      return record === expected.trim()
    case "AAAA":
      return isIPv6(expected.trim()) && normalised(record) === normalised(expected.trim())
    case "CNAME":
    case "NS":
    case "PTR":
      return name(record) === name(expected)
    case "MX":
    case "SRV":
    case "SOA": {
      const [wanted, actual] = [name(expected), name(record)]
      const parts = upTo(actual, longestRecord).split(" ")
      return wanted === actual || wanted === (type === "SOA" ? parts[0] : parts.at(-1))
    }
    case "CAA": {
      const [wanted, actual] = [caa(expected), caa(record)]
      const parts = upTo(actual, longestRecord).split(" ")
      return wanted === actual || wanted === parts.slice(1).join(" ") || wanted === parts.slice(2).join(" ")
    }
    case "TXT":
      return record === expected
  }
}

export interface Expectations {
  readonly expectedValue?: string | undefined
  readonly expectedValues?: ReadonlyArray<string> | undefined
  readonly match?: "any" | "all" | "exactly" | undefined
  readonly recordContains?: string | undefined
}

/** An expectation that records do not fulfil, as parameters of a reason. */
export interface Unmet {
  readonly expectation: "value" | "one_of" | "also" | "only" | "containing"
  readonly expected: string
  readonly hint?: "quotes" | undefined
}

/** The error in the records, as the unmet expectation; undefined if they fulfil all expectations. */
export const missing = (
  type: RecordType,
  records: ReadonlyArray<string>,
  { expectedValue, expectedValues = [], match = "any", recordContains }: Expectations
): Unmet | undefined => {
  const has = (value: string): boolean => records.some((record) => matches(type, record, value))
  if (expectedValue !== undefined && !has(expectedValue))
    return { expectation: "value", expected: shown(expectedValue), hint: hint(type, expectedValue) }
  const absent = expectedValues.filter((value) => !has(value))
  if (match === "any" && expectedValues.length > 0 && absent.length === expectedValues.length)
    return { expectation: "one_of", expected: list(expectedValues), hint: hint(type, ...expectedValues) }
  if (match !== "any" && absent.length > 0)
    return { expectation: "also", expected: list(absent), hint: hint(type, ...absent) }
  const strange = records.filter((record) => !expectedValues.some((value) => matches(type, record, value)))
  if (match === "exactly" && strange.length > 0) return { expectation: "only", expected: list(expectedValues) }
  return recordContains === undefined || records.some((record) => record.includes(recordContains))
    ? undefined
    : { expectation: "containing", expected: shown(recordContains) }
}

/** Values of TXT records are often pasted with the quotes of a zone file, which are not part of them. */
const hint = (type: RecordType, ...values: ReadonlyArray<string>): "quotes" | undefined =>
  type === "TXT" && values.some((value) => /^\s*".*"\s*$/s.test(value)) ? "quotes" : undefined

const list = (values: ReadonlyArray<string>): string => values.map(shown).join(", ")

/** Why no record of the type can have this value; null when one can. */
export const expectationProblem = (type: RecordType, expected: string): string | null => {
  if (type === "A" && !isIPv4(expected.trim())) return "Expected an IPv4 address for an A record"
  if (type === "AAAA" && !isIPv6(expected.trim())) return "Expected an IPv6 address for an AAAA record"
  return null
}

/** Longer ones are compared as a whole. */
const longestRecord = 4000

/** A record for display and storage: a TXT record may have 64 KiB of arbitrary bytes. */
export const shown = (record: string): string => {
  const text = record.slice(0, 301).replaceAll(/\p{Cc}/gu, "\uFFFD")
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

/** Names in one case, without the dots at their ends; the root stays a dot. */
const name = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .map((part) => (part === "." ? part : part.replace(/\.$/, "")))
    .join(" ")

/** A CAA record without its quotes; the case of tags does not count (RFC 8659). */
const caa = (text: string): string => name(text.replaceAll('"', ""))

const normalised = (address: string): string => new SocketAddress({ address, family: "ipv6" }).address
