/** Names as people have them: in the hosts file, international, with one family of addresses, with answers that are cut off. */
import { certificateFor, certificates } from "@kanmon/testkit/Certificates"
import { dns, type Reply } from "@kanmon/testkit/DnsTarget"
import * as Targets from "@kanmon/testkit/Targets"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { attempt } from "./Attempt.ts"

type Answer = Extract<Reply, ReadonlyArray<unknown>>[number]

const address = (name: string, data: string): Answer =>
  data.includes(":") ? { type: "AAAA", name, data } : { type: "A", name, data }

/** A name server with these records; other names do not exist. */
const zone = (records: Readonly<Record<string, Reply>>) =>
  dns((name, type) => (name === "" ? [] : (records[`${type} ${name}`] ?? (hasName(records, name) ? [] : "nxdomain"))))

const hasName = (records: object, name: string): boolean => Object.keys(records).some((key) => key.endsWith(` ${name}`))

describe("a target over the operator's name server", () => {
  it.live("is found as localhost, which the name server is not asked for", () =>
    Effect.gen(function* () {
      const { questions, server } = yield* zone({})
      const { port } = yield* Targets.http(Targets.answer({}))
      const found = yield* attempt("http", { url: `http://localhost:${port}/` }, { allowPrivate: true, server })
      assert.deepInclude(found, { status: "up", failure: null })
      assert.notInclude(questions.join(), "localhost")
      const refused = yield* attempt("http", { url: `http://localhost:${port}/` }, { allowPrivate: false, server })
      assert.strictEqual(refused.failure?.code, "address_refused")
    }).pipe(Effect.scoped)
  )

  it.live("is asked for by its international name in ASCII, and named by it in the certificate", () =>
    Effect.gen(function* () {
      const ascii = "xn--mnchen-3ya.example"
      const { questions, server } = yield* zone({ [`A ${ascii}`]: [address(ascii, "127.0.0.1")] })
      const target = yield* Targets.http(Targets.answer({}), yield* certificateFor(ascii))
      const { root } = yield* certificates
      const settings = { url: `https://münchen.example:${target.port}/` }
      const found = yield* attempt("http", settings, { allowPrivate: true, server, ca: [root] })
      assert.deepInclude(found, { status: "up", failure: null })
      assert.include(questions, `A ${ascii}`)
    }).pipe(Effect.scoped)
  )

  it.live.each(["127.0.0.1", "::1"] as const)("is reached when its name has %s alone", (only) =>
    Effect.gen(function* () {
      const name = "one.example"
      const { server } = yield* zone({ [`${only === "::1" ? "AAAA" : "A"} ${name}`]: [address(name, only)] })
      const target = yield* Targets.http(Targets.answer({}), undefined, only)
      const found = yield* attempt("http", { url: `http://${name}:${target.port}/` }, { allowPrivate: true, server })
      assert.deepInclude(found, { status: "up", failure: null })
      assert.strictEqual(found.facts["address"], only)
    }).pipe(Effect.scoped)
  )

  it.live("is reached when the answer over UDP is cut off, and TCP has all of it", () =>
    Effect.gen(function* () {
      const name = "many.example"
      const { server } = yield* zone({
        [`A ${name}`]: { truncated: Array.from({ length: 60 }, () => address(name, "127.0.0.1")) },
        [`AAAA ${name}`]: "servfail"
      })
      const target = yield* Targets.http(Targets.answer({}))
      const found = yield* attempt("http", { url: `http://${name}:${target.port}/` }, { allowPrivate: true, server })
      assert.deepInclude(found, { status: "up", failure: null })
    }).pipe(Effect.scoped)
  )

  it.live("is told apart: no such name, a server that fails, a name without addresses", () =>
    Effect.gen(function* () {
      const { server } = yield* zone({
        "A broken.example": "servfail",
        "AAAA broken.example": "servfail",
        "TXT empty.example": []
      })
      for (const [host, code] of [
        ["nowhere.example", "dns_nxdomain"],
        ["broken.example", "dns_failed"],
        ["empty.example", "dns_no_address"]
      ] as const) {
        const found = yield* attempt("http", { url: `http://${host}/` }, { allowPrivate: true, server })
        assert.deepStrictEqual([found.status, found.failure?.code], ["down", code], host)
      }
    }).pipe(Effect.scoped)
  )
})

const domain = "site.example"
const other = (type: "NS" | "PTR", name: string, data: string): Answer => ({ type, name, data })

describe("a dns monitor", () => {
  const records: Readonly<Record<string, Reply>> = {
    [`NS ${domain}`]: [other("NS", domain, "ns1.site.example"), other("NS", domain, "NS2.site.example")],
    [`SRV _sip._tcp.${domain}`]: [
      {
        type: "SRV",
        name: `_sip._tcp.${domain}`,
        data: { priority: 10, weight: 5, port: 5060, target: "sip.site.example" }
      }
    ],
    [`CAA ${domain}`]: [
      { type: "CAA", name: domain, data: { flags: 0, tag: "issue", value: "ca.example", issuerCritical: false } },
      {
        type: "CAA",
        name: domain,
        data: { flags: 0, tag: "iodef", value: "mailto:sec@site.example", issuerCritical: false }
      }
    ],
    [`SOA ${domain}`]: [
      {
        type: "SOA",
        name: domain,
        data: {
          mname: "ns1.site.example",
          rname: "host.site.example",
          serial: 2026,
          refresh: 1,
          retry: 2,
          expire: 3,
          minimum: 4
        }
      }
    ],
    "PTR 7.113.0.203.in-addr.arpa": [other("PTR", "7.113.0.203.in-addr.arpa", "web.site.example")],
    [`MX ${domain}`]: [{ type: "MX", name: domain, data: { preference: 0, exchange: "." } }],
    [`TXT ${domain}`]: {
      truncated: [
        { type: "TXT", name: domain, data: ["v=spf1 include:mail.example -all"] },
        { type: "TXT", name: domain, data: ["x".repeat(200), "y".repeat(200)] }
      ]
    }
  }

  const look = (settings: object) =>
    Effect.gen(function* () {
      const { server } = yield* zone(records)
      return yield* attempt("dns", { hostname: domain, ...settings }, { allowPrivate: true, server })
    }).pipe(Effect.scoped)

  it.live.each<readonly [settings: object, status: string]>([
    [{ recordType: "NS", expectedValue: "NS1.Site.Example." }, "up"],
    [{ recordType: "NS", expectedValues: ["ns1.site.example", "ns9.site.example"] }, "up"],
    [{ recordType: "NS", expectedValues: ["ns1.site.example", "ns9.site.example"], match: "all" }, "down"],
    [{ recordType: "NS", expectedValues: ["ns2.site.example", "ns1.site.example"], match: "exactly" }, "up"],
    [{ recordType: "NS", expectedValues: ["ns1.site.example"], match: "all" }, "up"],
    [{ recordType: "NS", expectedValues: ["ns1.site.example"], match: "exactly" }, "down"],
    [{ recordType: "NS", expectedValues: ["ns8.site.example", "ns9.site.example"] }, "down"],
    [{ hostname: `_sip._tcp.${domain}`, recordType: "SRV", expectedValue: "10 5 5060 sip.site.example" }, "up"],
    [{ hostname: `_sip._tcp.${domain}`, recordType: "SRV", expectedValue: "sip.site.example." }, "up"],
    [{ hostname: `_sip._tcp.${domain}`, recordType: "SRV", expectedValue: "10 5 5061 sip.site.example" }, "down"],
    [{ recordType: "CAA", expectedValue: '0 issue "ca.example"' }, "up"],
    [{ recordType: "CAA", expectedValue: "issue ca.example" }, "up"],
    [{ recordType: "CAA", expectedValue: "ca.example" }, "up"],
    [{ recordType: "CAA", expectedValue: "iodef ca.example" }, "down"],
    [{ recordType: "SOA", expectedValue: "ns1.site.example" }, "up"],
    [{ recordType: "SOA", expectedValue: "ns1.site.example. host.site.example. 2026 1 2 3 4" }, "up"],
    [{ recordType: "SOA", recordContains: " 2026 " }, "up"],
    [{ hostname: "7.113.0.203.in-addr.arpa", recordType: "PTR", expectedValue: "web.site.example" }, "up"],
    [{ recordType: "MX", expectedValue: "0 ." }, "up"],
    [{ recordType: "MX", expectedValue: "." }, "up"],
    [{ recordType: "MX", expectedValue: "0 mail.site.example" }, "down"],
    // The answer over UDP is cut off; TCP has all of it.
    [{ recordType: "TXT", recordContains: "include:mail.example" }, "up"],
    [{ recordType: "TXT", expectedValue: `${"x".repeat(200)}${"y".repeat(200)}` }, "up"],
    [{ recordType: "TXT", recordContains: "include:other.example" }, "down"]
  ])("compares %j: %s", ([settings, status]) =>
    Effect.gen(function* () {
      const found = yield* look(settings)
      assert.deepStrictEqual(
        [found.status, found.failure?.code],
        [status, status === "up" ? undefined : "dns_mismatch"]
      )
    })
  )

  it.live("says that a value was pasted with its quotes", () =>
    Effect.gen(function* () {
      const found = yield* look({ recordType: "TXT", expectedValue: '"v=spf1 include:mail.example -all"' })
      assert.match(found.failure!.message, /Leave out the quotes/)
    })
  )

  it.live("shows no names of private networks", () =>
    Effect.gen(function* () {
      const { server } = yield* zone({
        "PTR 5.1.168.192.in-addr.arpa": [other("PTR", "5.1.168.192.in-addr.arpa", "nas.site.example")],
        "NS site.example": [other("NS", domain, "dc1.corp")]
      })
      for (const settings of [
        { hostname: "5.1.168.192.in-addr.arpa", recordType: "PTR" },
        { hostname: domain, recordType: "NS" }
      ]) {
        const network = { allowPrivate: false, server, allowTargets: new Set([server]) }
        const found = yield* attempt("dns", settings, network)
        assert.strictEqual(found.failure?.code, "address_refused")
        assert.notMatch(JSON.stringify(found), /nas|dc1/)
      }
    }).pipe(Effect.scoped)
  )
})
