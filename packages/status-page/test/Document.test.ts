import { createHash } from "node:crypto"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { MonitorId } from "@kanmon/domain/Ids"
import { barDays, type PublicMonitor, type PublicPage } from "@kanmon/domain/PublicPage"
import * as fc from "fast-check"
import { emptyPage, hostilePage, hostileTexts, sampleMonitor, samplePage } from "../../../tests/support/SamplePage.ts"
import { contentSecurityPolicy, style } from "../src/Assets.ts"
import { chunkSize, renderDocument, renderMissing, renderMonitors } from "../src/Document.ts"

const at = (cursor: number, chunk = chunkSize) => ({ root: "", base: "/status/acme", cursor, chunk })
const idsOf = (markup: string): ReadonlyArray<string> =>
  [...markup.matchAll(/<li class="monitor" id="([^"]+)"/g)].map(([, id]) => id!)

/** Days and response times as they are in life: nothing compresses better than a page on which nothing ever happens. */
const restless = (index: number): PublicMonitor => {
  let seed = (index + 1) * 2_654_435_761
  const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31
  const monitor = sampleMonitor(`many${index}`, `Service ${index} of ${Math.floor(random() * 1e6)}`, "up")
  return {
    ...monitor,
    displayGroup: `Group ${Math.floor(index / 40)}`,
    uptime24h: 99 + random(),
    uptime7d: 99 + random(),
    uptime30d: 99 + random(),
    uptime90d: 99 + random(),
    days: monitor.days.map((day) => {
      const downtime = random() < 0.1 ? Math.ceil(random() * 5000) : 0
      return { ...day, uptime: 100 - downtime / 864, downtime }
    }),
    responseTimes: monitor.responseTimes.map(() => Math.round(random() * 5000) / 10),
    outages: Array.from({ length: 8 }, () => {
      const startedAt = samplePage.updatedAt - Math.floor(random() * barDays * 86_400_000)
      return { startedAt, endedAt: startedAt + Math.ceil(random() * 5_000_000) }
    })
  }
}
const many: PublicPage = { ...samplePage, monitors: Array.from({ length: 500 }, (_, index) => restless(index)) }

describe("the status page's document", () => {
  it("is complete without a script", () => {
    const { incidents, maintenances, monitors, name, status } = samplePage
    const markup = renderDocument(samplePage, at(0))
    assert.match(markup, /^<!doctype html>\n<html lang="en">/)
    for (const text of [
      name,
      status.description,
      ...monitors.map((monitor) => monitor.name),
      ...[...incidents, ...maintenances, ...samplePage.history].map(({ title }) => title)
    ])
      assert.include(markup, text.replaceAll("&", "&amp;"))
    assert.deepStrictEqual(
      idsOf(markup),
      monitors.map(({ id }) => id)
    )
  })

  it("says since when a monitor is measured, where that is not for all the days of its figures", () => {
    const old = sampleMonitor("old", "Old", "up")
    const days = old.days.map((day, index) => ({ ...day, uptime: index < 88 ? null : 39.1 }))
    const page = (monitor: PublicMonitor) => renderDocument({ ...emptyPage, monitors: [monitor] }, at(0))
    assert.include(page({ ...old, days }), `Measured since <time datetime="${days[88]!.date}">`)
    for (const known of [
      old.days.map((day) => ({ ...day, uptime: 100 })),
      days.map((day) => ({ ...day, uptime: null }))
    ])
      assert.notInclude(page({ ...old, days: known }), "Measured since")
  })

  it("says how each affected monitor is while an incident goes on, the worst first", () => {
    const [incident] = samplePage.incidents
    const [well, slow, gone] = [
      sampleMonitor("well", "Pages", "up"),
      sampleMonitor("slow", "Search", "degraded"),
      sampleMonitor("gone", "Checkout", "down")
    ]
    const monitorIds = [well!.id, slow!.id, gone!.id]
    const page = { ...samplePage, monitors: [well!, slow!, gone!], maintenances: [], history: [] }
    const affectedIn = (shown: PublicPage): ReadonlyArray<string> =>
      [...renderDocument(shown, at(0)).matchAll(/<p class="affected">(.*?)<\/p>/gs)].map(([, text]) =>
        text!
          .replaceAll(/<[^>]*>/g, "")
          .replaceAll(/\s+/g, " ")
          .trim()
      )
    assert.deepStrictEqual(affectedIn({ ...page, incidents: [{ ...incident!, monitorIds }] }), [
      "Affects Checkout (Down), Search (Degraded), Pages (Operational)"
    ])
    assert.deepStrictEqual(affectedIn({ ...page, incidents: [], history: [{ ...incident!, monitorIds }] }), [
      "Affects Pages, Search, Checkout"
    ])
  })

  it("escapes untrusted text", () => {
    const markup = renderDocument(hostilePage, at(0))
    for (const [, attributes] of markup.matchAll(/<\w+((?:\s+[\w-]+(?:="[^"]*")?)*)\s*\/?>/g))
      assert.notMatch(attributes!.replaceAll(/"[^"]*"/g, ""), /\son\w+|\sstyle\b/i)
    assert.strictEqual(markup.match(/<script\b/g)!.length, 1)
    assert.strictEqual(markup.match(/<style\b/g)!.length, 1)
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...Object.values(hostileTexts))), (text) => {
        const page: PublicPage = {
          ...emptyPage,
          name: text,
          monitors: [{ ...sampleMonitor("one", text, "down"), displayGroup: text }]
        }
        const tags = (shown: string): ReadonlyArray<string> => [...shown.matchAll(/<\/?[a-z]\w*/g)].map(([tag]) => tag)
        const plain = renderDocument(
          { ...page, name: "x", monitors: [{ ...page.monitors[0]!, name: "x", displayGroup: "x" }] },
          at(0)
        )
        assert.deepStrictEqual(tags(renderDocument(page, at(0))), tags(plain))
      }),
      { numRuns: 60 }
    )
  })

  it("allows its own style and script, and nothing else", () => {
    for (const markup of [renderDocument(samplePage, at(0)), renderDocument(emptyPage, at(0)), renderMissing()]) {
      const [, shown] = /<style>([\s\S]*?)<\/style>/.exec(markup)!
      assert.strictEqual(shown, style)
      const hash = createHash("sha256").update(shown!).digest("base64")
      assert.include(contentSecurityPolicy, `style-src 'sha256-${hash}'`)
      assert.notMatch(markup, /\s(style|on\w+)="/)
      for (const [, address] of markup.matchAll(/\s(?:src|href)="([^"]+)"/g))
        assert.match(address!, /^(\/|\?|#|data:image\/svg|https:\/\/)/)
      for (const [, address] of markup.matchAll(/\ssrc="([^"]+)"/g)) assert.match(address!, /^\//)
    }
  })

  it("shows each monitor in exactly one chunk, with its group", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 137 }), fc.integer({ min: 1, max: 60 }), (count, chunk) => {
        const page = { ...samplePage, monitors: many.monitors.slice(0, count) }
        const seen: Array<string> = []
        let next: number | undefined = 0
        while (next !== undefined) {
          const markup: string = next === 0 ? renderDocument(page, at(0, chunk)) : renderMonitors(page, at(next, chunk))
          seen.push(...idsOf(markup))
          const more = /rel="next" href="\?cursor=(\d+)"/.exec(markup)?.[1]
          next = more === undefined ? undefined : Number(more)
        }
        assert.deepStrictEqual(
          seen,
          page.monitors.map(({ id }) => id)
        )
      }),
      { numRuns: 30 }
    )
    // A group that goes on in the next chunk is the same group there.
    const groups = (markup: string) => [...markup.matchAll(/<section class="group" id="([^"]+)"/g)].map(([, id]) => id)
    assert.strictEqual(groups(renderDocument(many, at(0))).at(-1), groups(renderMonitors(many, at(50)))[0])
  })

  it("needs at most 60 kB for 500 monitors and 90 days", () => {
    assert.isAtMost(gzipSync(renderDocument(many, at(0))).length, 60_000)
  })

  it("accepts any cursor", () => {
    for (const cursor of [-50, Number.NaN, 10_000, 3.7]) {
      const shown = idsOf(renderDocument(many, at(cursor)))
      assert.isNotEmpty(shown)
      assert.isAtMost(shown.length, chunkSize)
    }
    assert.deepStrictEqual(
      idsOf(renderDocument(emptyPage, at(0))),
      emptyPage.monitors.map(({ id }) => MonitorId.make(id))
    )
  })
})
