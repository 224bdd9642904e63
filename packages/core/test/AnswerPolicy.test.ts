import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { guarded } from "../src/AnswerPolicy.ts"
import { specialRanges } from "../src/NetworkPolicy.ts"
import { type RecordType, Resolver } from "../src/Resolver.ts"

const strict = { allowPrivate: false }
const setting = "KANMON_ALLOW_PRIVATE_TARGETS"

/** The answer for a name with these records, and how often the underlying resolver was asked. */
const ask = (records: ReadonlyArray<string>, type: RecordType, settings = strict, hostname = "shop.example") => {
  let asked = 0
  const below = Resolver.of({
    records: () => Effect.sync(() => (asked++, records)),
    addresses: () => Effect.succeed([])
  })
  const result = Effect.runSync(Effect.result(guarded(below, settings).records(hostname, type)))
  return { told: JSON.stringify(result), found: result._tag === "Success" ? result.success : result.failure, asked }
}

const special: ReadonlyArray<readonly [RecordType, string]> = [
  ...specialRanges.map(({ range }): readonly [RecordType, string] => [
    range.includes(":") ? "AAAA" : "A",
    range.split("/")[0]!
  ]),
  ["A", "10.20.30.40"],
  ["A", "169.254.169.254"],
  ["A", "100.100.100.200"],
  ["AAAA", "fd00:ec2::254"],
  ["AAAA", "::ffff:10.20.30.40"],
  ["AAAA", "64:ff9b::a14:1e28"],
  ["CNAME", "db-7.internal"],
  ["CNAME", "DB-7.Corp."],
  ["CNAME", "api.team.svc.cluster.local"],
  ["MX", "10 mail.home.arpa"]
]
const open: ReadonlyArray<readonly [RecordType, string]> = [
  ["A", "8.8.8.8"],
  ["AAAA", "2606:4700:4700::1111"],
  ["CNAME", "internal.example"],
  ["CNAME", "localhost.example"],
  ["MX", "10 mail.corp.example"],
  ["MX", "0 "],
  ["TXT", "v=spf1 ip4:10.0.0.1 -all"]
]

describe("AnswerPolicy", () => {
  it.each(special)("hides records in a special range or zone: %s %s", (type, record) => {
    const { found, told } = ask([record], type)
    assert.deepInclude(found, { _tag: "ResolveFailed", reason: "address_refused" })
    assert.notInclude(told, record)
    assert.include(told, setting)
    assert.deepStrictEqual(ask([record], type, { allowPrivate: true }).found, [record])
  })

  it.each(open)("returns other records: %s %s", (type, record) =>
    assert.deepStrictEqual(ask([record], type).found, [record])
  )

  it("hides all records if one is special, at any position", () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.ipV4().filter((address) => !address.startsWith("10.")),
          { maxLength: 5 }
        ),
        fc.nat(5),
        fc.nat(0xffffff),
        (others, at, rest) => {
          const inner = `10.${rest >> 16}.${(rest >> 8) & 255}.${rest & 255}`
          const { told } = ask(others.toSpliced(at, 0, inner), "A")
          for (const record of [...others, inner]) assert.notInclude(told, `"${record}"`)
          assert.include(told, "address_refused")
        }
      )
    ))

  it.each(["db.internal", "printer.LOCAL.", "nas.home.arpa", "metadata.google.internal", "host.lan"])(
    "does not look up private names: %s",
    (hostname) => {
      const { asked, found } = ask(["secret"], "TXT", strict, hostname)
      assert.deepInclude(found, { reason: "address_refused" })
      assert.strictEqual(asked, 0)
      assert.deepStrictEqual(ask(["fine"], "TXT", { allowPrivate: true }, hostname).found, ["fine"])
    }
  )
})
