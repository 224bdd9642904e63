/** Inputs that a person may type as a target. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { watched } from "../src/forms/watched.ts"

const typesOf = (text: string) => watched(text).map(({ type }) => type)

const host = fc.domain()
const port = fc.integer({ min: 1, max: 65_535 })
const space = fc.constantFrom("", " ", "  ")

describe("a target", () => {
  it("takes a URL for a website, as it was typed", () =>
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), space, (url, around) => {
        const [found, ...others] = watched(`${around}${url}${around}`)
        assert.deepInclude(found, { type: "http" })
        assert.strictEqual(found?.fields["url"], url)
        assert.deepStrictEqual(others, [])
      })
    ))

  it("takes a host with a port for a port, and no port that there is not", () =>
    fc.assert(
      fc.property(host, port, (name, number) => {
        const text = `${name}:${number}`
        assert.deepStrictEqual(watched(text), [
          { type: "tcp", fields: { host: name, port: String(number), name: text } }
        ])
        assert.deepStrictEqual(watched(`${name}:${65_536 + number}`), [])
      })
    ))

  it("leaves the choice where only a host is named, a website first", () =>
    fc.assert(
      fc.property(host, (name) => {
        assert.deepStrictEqual(typesOf(name), ["http", "ping", "icmp", "dns"])
        assert.strictEqual(watched(name)[0]?.fields["url"], `https://${name}`)
      })
    ))

  it("takes names without a dot, other scripts and IPv6 addresses for hosts", () => {
    for (const [text, url, host] of [
      ["localhost", "http://localhost", "localhost"],
      ["nas", "http://nas", "nas"],
      ["printer.lan", "http://printer.lan", "printer.lan"],
      ["bücher.example", "https://bücher.example", "xn--bcher-kva.example"],
      ["例え.jp", "https://例え.jp", "xn--r8jz45g.jp"],
      ["::1", "http://[::1]", "::1"],
      ["[::1]", "http://[::1]", "::1"],
      ["2001:db8::7", "https://[2001:db8::7]", "2001:db8::7"],
      ["192.168.1.4", "http://192.168.1.4", "192.168.1.4"],
      ["198.51.100.4", "https://198.51.100.4", "198.51.100.4"]
    ] as const) {
      const [http, ping] = watched(text)
      assert.deepStrictEqual(http, { type: "http", fields: { url, name: text } })
      assert.deepStrictEqual(ping, { type: "ping", fields: { host, name: text } })
    }
  })

  it("takes a host with a port and a path for a website, and IPv6 addresses with a port for a port", () => {
    for (const [text, url] of [
      ["nas:5000/status", "http://nas:5000/status"],
      ["shop.example:8443/health?x=1", "https://shop.example:8443/health?x=1"],
      ["[::1]:3000/", "http://[::1]:3000/"],
      ["shop.example/checkout", "https://shop.example/checkout"]
    ] as const)
      assert.deepStrictEqual(watched(text), [{ type: "http", fields: { url, name: text } }])
    for (const [text, host, number] of [
      ["[::1]:5432", "::1", "5432"],
      ["localhost:3000", "localhost", "3000"],
      ["bücher.example:25", "xn--bcher-kva.example", "25"]
    ] as const)
      assert.deepStrictEqual(watched(text), [{ type: "tcp", fields: { host, port: number, name: text } }])
    fc.assert(
      fc.property(fc.ipV6(), port, (address, number) => {
        assert.deepStrictEqual(typesOf(`[${address}]:${number}`), ["tcp"])
        assert.deepStrictEqual(typesOf(address), ["http", "ping", "icmp"])
        assert.isTrue(URL.canParse(watched(address)[0]!.fields["url"]!))
      })
    )
  })

  it("looks up no name of an address", () =>
    fc.assert(fc.property(fc.ipV4(), (address) => assert.deepStrictEqual(typesOf(address), ["http", "ping", "icmp"]))))

  it("takes a cron expression for a job, and the program of its line for the name", () => {
    const field = fc.constantFrom("*", "0", "30", "*/5", "1-5", "0,30")
    fc.assert(
      fc.property(fc.tuple(field, field, field, field, field), (fields) => {
        const schedule = fields.join(" ")
        assert.deepStrictEqual(watched(schedule), [{ type: "heartbeat", fields: { name: "Job", schedule } }])
        assert.deepStrictEqual(watched(`${fields.join("  ")} /usr/bin/dump --all > /dev/null`), [
          { type: "heartbeat", fields: { name: "dump", schedule } }
        ])
      })
    )
    assert.deepInclude(watched("0 6 * * MON-FRI")[0]?.fields, { schedule: "0 6 * * MON-FRI" })
  })

  it("reads the interval of a job from its words", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 999 }),
        fc.constantFrom([60, "minutes"], [60, "Minuten"], [3600, "hours"], [86_400, "days"]),
        (count, [seconds, unit]) => {
          const verb = unit === "Minuten" ? "alle" : "every"
          assert.strictEqual(
            watched(`export ${verb} ${count} ${unit}`)[0]?.fields["interval"],
            String(count * Number(seconds))
          )
        }
      )
    )
    for (const [text, interval] of [
      ["nightly backup", 86_400],
      ["every hour", 3600],
      ["Backup jede Stunde", 3600],
      ["hourly import", 3600],
      ["wöchentlich", 604_800],
      ["@daily", 86_400],
      ["@hourly /opt/sync", 3600],
      ["a job", 86_400]
    ] as const)
      assert.deepStrictEqual(
        watched(text).map(({ fields, type }) => [type, fields["interval"]]),
        [["heartbeat", String(interval)]],
        text
      )
    assert.deepInclude(watched("nightly backup")[0]?.fields, { name: "Nightly backup" })
  })

  it("finds nothing in a text that names nothing, and never fails", () => {
    for (const text of [
      "",
      "  ",
      "hello there",
      "42",
      "http://",
      "https:// shop",
      "ftp://shop.example",
      "a:b:c",
      "[::1",
      "::1]:80",
      "[::g]:80"
    ])
      assert.deepStrictEqual(watched(text), [], text)
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        for (const { fields } of watched(text)) assert.isNotEmpty(fields["name"])
      })
    )
  })
})
