import { assert, describe, it } from "@effect/vitest"
import ipaddr from "ipaddr.js"
import { refusal, specialRanges } from "../src/NetworkPolicy.ts"

const strict = { allowPrivate: false }

/** First, last and a middle address of a range. */
const members = (range: string): ReadonlyArray<string> => {
  const [base, bits] = ipaddr.parseCIDR(range)
  const bytes = base.toByteArray()
  const fill = (inner: number, rest: number): string => {
    const filled = bytes.map((byte, index) => {
      const host = Math.min(8, Math.max(0, (index + 1) * 8 - bits))
      const mask = (1 << host) - 1
      return (byte & ~mask) | ((index === bytes.length - 1 ? rest : inner) & mask)
    })
    return ipaddr.fromByteArray(filled).toString()
  }
  return [fill(0, 0), fill(0x5a, 0x5a), fill(0xff, 0xff)]
}

const numberOf = (address: string): bigint =>
  BigInt(
    `0x${ipaddr
      .parse(address)
      .toByteArray()
      .map((byte) => byte.toString(16).padStart(2, "0"))
      .join("")}`
  )

/** The addresses directly before and after a range. */
const neighbours = (range: string): ReadonlyArray<string> => {
  const width = range.includes(":") ? 128 : 32
  const [base, bits] = ipaddr.parseCIDR(range)
  const first = numberOf(base.toString())
  return [first - 1n, first + (1n << BigInt(width - bits))]
    .filter((at) => at >= 0n && at < 1n << BigInt(width))
    .map((at) => Array.from({ length: width / 8 }, (_, index) => Number((at >> BigInt(width - 8 - index * 8)) & 255n)))
    .map((bytes) => ipaddr.fromByteArray(bytes).toString())
}

/** By plain arithmetic, independent of the policy's implementation. */
const isSpecial = (address: string): boolean =>
  (address.includes(":") && numberOf(address) >> 125n !== 1n) ||
  specialRanges.some(({ range }) => {
    if (range.includes(":") !== address.includes(":")) return false
    const [base, bits] = ipaddr.parseCIDR(range)
    const rest = BigInt((range.includes(":") ? 128 : 32) - bits)
    return numberOf(base.toString()) >> rest === numberOf(address) >> rest
  })

describe("NetworkPolicy", () => {
  it.each(specialRanges)("refuses $range, $name", ({ range }) => {
    for (const address of members(range)) assert.isNotNull(refusal(address, 443, strict), address)
  })

  it.each(specialRanges)("covers exactly $range", ({ range }) => {
    for (const address of neighbours(range))
      assert.strictEqual(refusal(address, 443, strict) !== null, isSpecial(address), address)
  })

  it("allows a single target by address and port", () => {
    const settings = { allowPrivate: false, allowTargets: new Set(["127.0.0.1:8080", "[::1]:8080"]) }
    assert.isNull(refusal("127.0.0.1", 8080, settings))
    assert.isNull(refusal("::1", 8080, settings))
    assert.isNotNull(refusal("127.0.0.1", 8081, settings))
    assert.isNotNull(refusal("127.0.0.2", 8080, settings))
  })

  it.each(specialRanges.filter(({ kind, range }) => kind === "private" && !range.includes(":")))(
    "allows $range when private targets are allowed",
    ({ range }) => {
      for (const address of members(range)) assert.isNull(refusal(address, 443, { allowPrivate: true }), address)
    }
  )

  it.each(specialRanges.filter(({ kind }) => kind === "never"))(
    "refuses $range even when private targets are allowed",
    ({ range }) => {
      const address = members(range)[1]!
      // Loopback is part of the IPv4-compatible range.
      assert.isNotNull(refusal(address, 443, { allowPrivate: true }), address)
    }
  )

  it.each([
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:10.1.2.3",
    "::ffff:169.254.169.254",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "::127.0.0.1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2"
  ])("refuses the embedded address %s", (address) => assert.isNotNull(refusal(address, 443, strict)))

  it.each([
    "8.8.8.8",
    "1.1.1.1",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.1",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "::ffff:8.8.8.8",
    "2606:4700:4700::1111",
    "2a00:1450:4001:81b::200e",
    "2001:200::1"
  ])("allows %s", (address) => assert.isNull(refusal(address, 443, strict), address))

  it.each(["", "example.org", "1.2.3", "4000::1", "0:0:0:0:1::1"])(
    "refuses %j, which is not a public address",
    (address) => assert.isNotNull(refusal(address, 443, strict))
  )
})
