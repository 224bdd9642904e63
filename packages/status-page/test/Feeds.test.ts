import { assert, describe, expect, it } from "@effect/vitest"
import type { PublicIncident, PublicPage } from "@kanmon/domain/PublicPage"
import * as fc from "fast-check"
import { type ElementCompact, xml2js } from "xml-js"
import {
  emptyPage,
  hostilePage,
  hostileTexts,
  sampleIncident,
  sampleNow,
  samplePage
} from "../../../tests/support/SamplePage.ts"
import { atom, json, rss } from "../src/Feeds.ts"

const golden = (name: string) => new URL(`golden/${name}`, import.meta.url).pathname

const unfit = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

/** XML takes every end of a line for a line feed. */
const lines = (text: string): string => text.replace(/\r\n?/g, "\n")

/** Throws at what is not well-formed. The parser itself lets pass what XML cannot carry, and leaves the ends of lines. */
const parse = (xml: string): ElementCompact => {
  assert.notMatch(xml, unfit)
  return xml2js(lines(xml), { compact: true, captureSpacesBetweenElements: true })
}

const list = (node: any): ReadonlyArray<any> => (node === undefined ? [] : Array.isArray(node) ? node : [node])
const textOf = (node: any): string => [node?._text ?? "", node?._cdata ?? ""].flat().join("")

/** HTML as a browser shows it: without tags, references resolved. */
const shown = (html: string): string =>
  html
    .replace(/<[^>]*>/g, "")
    .replace(
      /&(lt|gt|quot|amp|#39);/g,
      (_, name) => ({ lt: "<", gt: ">", quot: '"', amp: "&", "#39": "'" })[name as "lt"]
    )

/** The text as XML can carry it. */
const fit = (text: string): string => lines(text.replace(unfit, "\uFFFD"))

const all = ({ history, incidents, maintenances }: PublicPage): ReadonlyArray<PublicIncident> => [
  ...incidents,
  ...maintenances,
  ...history
]

const onlyIncident = (title: string, message = "It is down."): PublicPage => ({
  ...emptyPage,
  name: title,
  incidents: [sampleIncident("1", title, [[1, "investigating", message]])]
})

/** The tags that stand in the content of an entry are those written by us. */
const ours = /^<\/?(?:p|strong|bdi|br|time(?: datetime="[-\dT:.Z]+")?)>$/

describe("every feed", () => {
  it.each([
    ["acme.atom", atom(samplePage)],
    ["acme.rss", rss(samplePage)],
    ["acme.feed.json", `${JSON.stringify(json(samplePage), null, 2)}\n`],
    ["empty.atom", atom(emptyPage)],
    ["empty.rss", rss(emptyPage)],
    ["hostile.atom", atom(hostilePage)],
    ["hostile.rss", rss(hostilePage)]
  ])("matches the golden file %s", (name, feed) => expect(feed).toMatchFileSnapshot(golden(name)))

  it("contains every incident once, the newest change first", () => {
    const ids = all(samplePage).map(({ id }) => `urn:kanmon:incident:${id}`)
    const { items } = json(samplePage)
    assert.sameMembers(
      items.map(({ id }) => id),
      ids
    )
    const changes = items.map(({ date_modified }) => date_modified)
    assert.deepStrictEqual(changes, changes.toSorted().toReversed())
    const entries = list(parse(atom(samplePage))["feed"].entry)
    assert.deepStrictEqual(
      entries.map(({ id }) => textOf(id)),
      items.map(({ id }) => id)
    )
    assert.deepStrictEqual(
      list(parse(rss(samplePage))["rss"].channel.item).map(({ guid }) => textOf(guid)),
      items.map(({ id }) => id)
    )
  })

  it("contains at most the 100 last changed entries", () => {
    const history = Array.from({ length: 130 }, (_, index) =>
      sampleIncident(`${index}`, "Down", [[index + 1, "resolved", ""]])
    )
    const page = { ...emptyPage, history }
    const expected = history.slice(0, 100).map(({ id }) => `urn:kanmon:incident:${id}`)
    assert.deepStrictEqual(
      json(page).items.map(({ id }) => id),
      expected
    )
    assert.lengthOf(list(parse(atom(page))["feed"].entry), 100)
    assert.lengthOf(list(parse(rss(page))["rss"].channel.item), 100)
  })

  it("stays the same, byte for byte, while no incident changes", () => {
    const later = {
      ...samplePage,
      updatedAt: sampleNow + 30_000,
      monitors: samplePage.monitors.map((monitor) => ({ ...monitor, uptime24h: 12, responseTimes: [] }))
    }
    for (const feed of [atom, rss, json]) assert.deepStrictEqual(feed(later), feed(samplePage))
  })

  it("keeps its IDs when the page moves to another URL", () => {
    const moved = { ...samplePage, url: "https://kanmon.example/status/acme" }
    const ids = (page: PublicPage) => {
      const { feed } = parse(atom(page)) as any
      return [feed.id, ...list(feed.entry).map(({ id }) => id)].map(textOf)
    }
    assert.deepStrictEqual(ids(moved), ids(samplePage))
    assert.strictEqual(json(moved).feed_url, "https://kanmon.example/status/acme/feed.json")
    assert.strictEqual(json(moved).items[0]!.url, "https://kanmon.example/status/acme#inc_10payments")
  })

  it("has the date of its newest entry", () => {
    const { feed } = parse(atom(samplePage)) as any
    const newest = textOf(list(feed.entry)[0].updated)
    assert.strictEqual(textOf(feed.updated), newest)
    const { channel } = parse(rss(samplePage))["rss"]
    assert.strictEqual(Date.parse(textOf(channel.lastBuildDate)), Date.parse(newest))
  })

  it("never dates the announcement of a future maintenance window in the future", () => {
    for (const { date_modified, date_published } of json(samplePage).items) {
      assert.isAtMost(Date.parse(date_published), Date.parse(date_modified))
      assert.isAtMost(Date.parse(date_modified), sampleNow)
    }
  })

  it("labels maintenance windows as maintenance", () => {
    const { content_html, tags } = json(samplePage).items.find(({ id }) => id.endsWith("inc_31certificates"))!
    assert.deepStrictEqual(tags, ["maintenance", "completed"])
    assert.deepStrictEqual(
      [...content_html.matchAll(/<strong>([^<]*)/g)].map(([, word]) => word),
      ["Completed", "Verifying", "In progress", "Scheduled"]
    )
  })
})

describe("an Atom feed", () => {
  it("has the elements required by RFC 4287", () => {
    for (const page of [samplePage, emptyPage, hostilePage]) {
      const { feed } = parse(atom(page)) as any
      assert.strictEqual(feed._attributes.xmlns, "http://www.w3.org/2005/Atom")
      const self = list(feed.link).find(({ _attributes: { rel } }) => rel === "self")
      assert.strictEqual(self._attributes.href, `${page.url}/feed.atom`)
      for (const node of [feed, ...list(feed.entry)]) {
        for (const name of ["id", "title", "updated"]) assert.lengthOf(list(node[name]), 1, name)
        assert.match(textOf(node.updated), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        assert.isNotEmpty(textOf(node.id))
      }
      assert.isNotEmpty(textOf(feed.author.name))
      const ids = list(feed.entry).map(({ id }) => textOf(id))
      assert.lengthOf(new Set(ids), ids.length)
    }
  })
})

describe("a JSON feed", () => {
  it("has the fields required by version 1.1", () => {
    for (const page of [samplePage, emptyPage, hostilePage]) {
      const feed = JSON.parse(JSON.stringify(json(page)))
      assert.strictEqual(feed.version, "https://jsonfeed.org/version/1.1")
      assert.strictEqual(feed.title, page.name)
      for (const address of [feed.home_page_url, feed.feed_url, feed.authors[0].url])
        assert.isTrue(URL.canParse(address))
      assert.notProperty(feed, "author")
      for (const item of feed.items) {
        assert.isNotEmpty(item.id)
        assert.isNotEmpty(item.content_html)
        assert.isTrue(URL.canParse(item.url))
        for (const date of [item.date_published, item.date_modified])
          assert.match(date, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        assert.isTrue(item.tags.every((tag: unknown) => typeof tag === "string"))
      }
    }
  })
})

const survives = (text: string) => {
  const page = onlyIncident(text, text)
  const expected = fit(text)
  const { feed } = parse(atom(page)) as any
  assert.strictEqual(textOf(feed.title), expected)
  assert.strictEqual(textOf(feed.author.name), expected)
  assert.strictEqual(shown(textOf(feed.entry.title)), expected)

  const { channel } = parse(rss(page))["rss"]
  // A reader that takes titles for HTML finds the text itself, and no markup.
  for (const title of [channel.title, channel.item.title].map(textOf)) {
    assert.strictEqual(shown(title), expected)
    assert.notInclude(title, "<")
  }

  const contents = [textOf(feed.entry.content), textOf(channel.item.description), json(page).items[0]!.content_html]
  for (const html of contents) {
    for (const [tag] of html.matchAll(/<[^>]*>?/g)) assert.match(tag, ours)
    assert.include(shown(html), expected.trim())
  }
}

describe("a hostile text", () => {
  it.each(Object.entries(hostileTexts))("survives every feed unchanged: %s", (_, text) => survives(text))

  it("survives unchanged with any content", () => {
    const pieces = fc.constantFrom(
      "<",
      ">",
      "&",
      "]]>",
      "]]",
      "&amp;",
      "&lt;",
      "<b>",
      '"',
      "'",
      "\n",
      "\r",
      "\u0000",
      "x",
      " ",
      "\uD800"
    )
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(pieces).map((parts) => parts.join(""))
    )
    fc.assert(fc.property(text, survives), { numRuns: 300 })
  })
})
