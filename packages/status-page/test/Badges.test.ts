import { assert, describe, expect, it } from "@effect/vitest"
import { Indicator } from "@kanmon/domain/PublicPage"
import { MonitorStatus } from "@kanmon/domain/Status"
import { percent } from "@kanmon/domain/Uptime"
import * as fc from "fast-check"
import { type ElementCompact, xml2js } from "xml-js"
import { emptyPage, hostileTexts, samplePage } from "../../../tests/support/SamplePage.ts"
import { statusBadge, uptimeBadge } from "../src/Badges.ts"
import { uptimePercent } from "../src/UptimePercent.ts"

const golden = (name: string) => new URL(`golden/${name}`, import.meta.url).pathname

const [shop] = samplePage.monitors

/** Throws at what is not well-formed; the parser itself lets pass what XML cannot carry. */
const svgOf = (badge: string): ElementCompact => {
  assert.notMatch(badge, /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u)
  return (xml2js(badge, { compact: true, captureSpacesBetweenElements: true }) as ElementCompact)["svg"]
}

/** Every text that a badge draws, shadows and all. */
const texts = (badge: string): ReadonlyArray<string> =>
  [...badge.matchAll(/<text [^>]*>([^<]*)/g)].map(([, text]) => text!)

/** The names of a badge's elements. */
const elements = (badge: string): ReadonlyArray<string> => [...badge.matchAll(/<(\w+)/g)].map(([, name]) => name!)

const statuses = [...new Set([...MonitorStatus.literals, ...Indicator.literals])]
const percents = [null, 0, 0.0001, 50, 95, 98.5, 99, 99.5, 99.9, 99.999, 100]

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme", maxLength: 120 }),
  fc
    .array(
      fc.constantFrom("<", ">", "&", "]]>", "&lt;", '"', "'", "\n", "\u0000", "\uD800", " ", "\u202E", "\u0301", "x")
    )
    .map((parts) => parts.join(""))
)

describe("a badge", () => {
  it.each([
    ["acme.status.svg", statusBadge(samplePage.name, samplePage.status.indicator)],
    ["empty.status.svg", statusBadge(emptyPage.name, emptyPage.status.indicator)],
    ["shop.status.svg", statusBadge(shop!.name, shop!.status)],
    ["shop.uptime.svg", uptimeBadge(`${shop!.name}, 30 days`, shop!.uptime30d)],
    ["unknown.uptime.svg", uptimeBadge("Documentation", null)],
    [
      "hostile.svg.txt",
      Object.values(hostileTexts)
        .map((text) => `${statusBadge(text, "down")}\n`)
        .join("")
    ]
  ])("matches the golden file %s", (name, badge) => expect(badge).toMatchFileSnapshot(golden(`badges/${name}`)))

  it("has its status as text, also for screen readers", () => {
    for (const status of statuses) {
      const { _attributes, title } = svgOf(statusBadge("Shop", status))
      assert.strictEqual(_attributes!["role"], "img")
      assert.strictEqual(_attributes!["aria-label"], `Shop: ${status.replace("_", " ")}`)
      assert.strictEqual(title._text, _attributes!["aria-label"])
    }
  })

  it("is well-formed, one line and at most as wide as a README for any label", () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(...statuses), (label, status) => {
        const badge = statusBadge(label, status)
        const { _attributes, title } = svgOf(badge)
        assert.isAtMost(Number(_attributes!["width"]), 700)
        assert.isTrue(title._text.endsWith(status.replace("_", " ")))
        assert.notMatch(badge, /[\n\r\p{Bidi_Control}]/u)
        assert.includeMembers([...elements(statusBadge("Shop", "up"))], [...elements(badge)])
      }),
      { numRuns: 500 }
    )
  })

  it("cuts long names between grapheme clusters", () => {
    const family = "👩‍👩‍👧‍👦"
    const [label] = texts(statusBadge(family.repeat(20), "up"))
    assert.strictEqual(label, `${family.repeat(5)}…`)
    assert.strictEqual(texts(statusBadge("x".repeat(40), "up"))[0], "x".repeat(40))
    assert.strictEqual(texts(statusBadge("x".repeat(41), "up"))[0], `${"x".repeat(39)}…`)
  })

  it("is wider for wide letters than for narrow ones", () => {
    const width = (label: string): number => Number(svgOf(statusBadge(label, "up"))._attributes!["width"])
    assert.isAbove(width("WWWW"), width("iiii"))
    assert.isAbove(width("日本語"), width("abc"))
    // 11 px Verdana: four letters of 3.02 px, then the paddings and the status.
    assert.strictEqual(width("iiii") - width("ii"), 6)
  })

  it("shows only the status without a label", () => {
    assert.strictEqual(svgOf(statusBadge(" \u0000 ", "up"))["title"]._text, "up")
  })

  it("has a text contrast of at least 4.5 on every colour, gradient included", () => {
    const badges = [...statuses.map((status) => statusBadge("x", status)), ...percents.map((p) => uptimeBadge("x", p))]
    for (const badge of badges) {
      const [, label, message] = /fill="(#\w+)"\/><rect x[^>]*fill="(#\w+)"\/>/.exec(badge)!
      for (const color of [label!, message!]) assert.isAtLeast(contrastWithWhite(color), 4.5, color)
      assert.include(badge, `<g fill="#fff" text-anchor`)
      assert.notMatch(badge, /<text[^>]*fill="/)
    }
  })
})

/** WCAG 2.2, where the badge's gradient is lightest: a tenth of #bbb. */
const contrastWithWhite = (color: string): number => {
  const hex = color.length === 4 ? color.replace(/\w/g, "$&$&") : color
  const [r, g, b] = [1, 3, 5].map((at) => {
    const channel = (0.9 * Number.parseInt(hex.slice(at, at + 2), 16) + 0.1 * 0xbb) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 1.05 / (0.2126 * r! + 0.7152 * g! + 0.0722 * b! + 0.05)
}

describe("uptime in percent", () => {
  it.each([
    [100, "100%"],
    [99.999, "99.99%"],
    [99.9999, "99.99%"],
    [99.995, "99.99%"],
    [99.29, "99.29%"],
    [99.9, "99.9%"],
    [99.001, "99%"],
    [50, "50%"],
    [0.01, "0.01%"],
    [0.0099, "<0.01%"],
    [0.0001, "<0.01%"],
    [1e-7, "<0.01%"],
    [0, "0%"],
    [null, "unknown"]
  ])("formats %d as %s", (percent, expected) => assert.strictEqual(uptimePercent(percent), expected))

  it("never overstates and loses less than a hundredth", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 100, noNaN: true }), (percent) => {
        const shown = Number(uptimePercent(percent).slice(0, -1))
        assert.isAtMost(shown, percent)
        assert.isBelow(percent - shown, 0.01 + 1e-9)
      })
    )
  })

  it("is 100% only without downtime and 0% only without uptime", () => {
    const time = fc.nat({ max: 90 * 86_400_000 })
    fc.assert(
      fc.property(time, time, (up, down) => {
        const shown = uptimePercent(percent({ up, down }))
        assert.strictEqual(shown === "100%", down === 0 && up > 0)
        assert.strictEqual(shown === "0%", up === 0 && down > 0)
        assert.strictEqual(uptimeBadge("x", percent({ up, down })).includes(">100%<"), shown === "100%")
      })
    )
  })
})
