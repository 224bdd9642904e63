/** Bodies of status pages: fields, optional fields and validation errors. */
import { assert, describe, it } from "@effect/vitest"
import { MonitorId, ProjectId, StatusPageId } from "@kanmon/domain/Ids"
import type { StatusPage } from "@kanmon/domain/StatusPage"
import { Result } from "effect"
import * as fc from "fast-check"
import { decode, merge, unknownMonitors } from "../src/StatusPageBody.ts"

const ours = new Set(["kanmon.example", "old.pages.example", "other.pages.example"])
const own = (name: string) => (ours.has(name) ? `${name} is ours` : undefined)
const good = { name: "Acme", slug: "acme" }

const read = (body: unknown) => Result.getOrThrow(decode(body, own))
const changed = (page: StatusPage, change: unknown) => decode(merge(page, change), own, page)
const pathsOf = (result: ReturnType<typeof decode>): ReadonlyArray<string> =>
  Result.isFailure(result) ? result.failure.errors.map(({ path }) => path).toSorted() : []

const heading = fc.option(fc.stringMatching(/^[A-Za-z]{1,20}$/))
const pages: fc.Arbitrary<StatusPage> = fc
  .record({
    name: fc.stringMatching(/^[A-Za-z]{1,50}$/),
    slug: fc.stringMatching(/^q[a-z0-9]{1,20}$/),
    monitors: fc.uniqueArray(
      fc.record({
        monitorId: fc.stringMatching(/^mon_[0-9a-z]{1,8}$/).map((id) => MonitorId.make(id)),
        displayGroup: heading
      }),
      { selector: ({ monitorId }) => monitorId, maxLength: 20 }
    ),
    tags: fc.uniqueArray(fc.constantFrom("prod", "eu", "team:a")),
    embedOrigins: fc.uniqueArray(fc.constantFrom("https://portal.example", "http://localhost:8080")),
    customDomain: fc.option(fc.constantFrom("status.acme.example", "xn--mnster-3ya.example", "old.pages.example"))
  })
  .map((draft) => ({
    ...draft,
    id: StatusPageId.make("sp_1"),
    projectId: ProjectId.make("prj_1"),
    monitorIds: draft.monitors.map(({ monitorId }) => monitorId),
    customDomainStatus: draft.customDomain === null ? "none" : "active",
    key: null,
    customDomainError: null,
    createdAt: 0,
    updatedAt: 0
  }))

const draftOf = ({ customDomain, embedOrigins, key, monitors, name, slug, tags }: StatusPage) => ({
  key,
  name,
  slug,
  monitors,
  tags,
  embedOrigins,
  customDomain
})

describe("a status page's body", () => {
  it("gets its defaults", () =>
    assert.deepStrictEqual(read(good), {
      ...good,
      key: null,
      monitors: [],
      tags: [],
      embedOrigins: [],
      customDomain: null
    }))

  it.each([
    ["https://portal.example.org", "https://portal.example.org"],
    ["https://Portal.Example.org/", "https://portal.example.org"],
    ["https://portal.example.org:443", "https://portal.example.org"],
    ["https://portal.example.org:8443", "https://portal.example.org:8443"],
    ["https://münchen.example", "https://xn--mnchen-3ya.example"],
    ["https://192.0.2.7", "https://192.0.2.7"],
    ["http://localhost:3000", "http://localhost:3000"],
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080"]
  ])("takes the origin %s as browsers compare it", (given, origin) =>
    assert.deepStrictEqual(read({ ...good, embedOrigins: [given, given] }).embedOrigins, [origin])
  )

  it.each([
    "http://portal.example.org",
    "http://10.0.0.1",
    "https://*.example.org",
    "https://portal.example.org/path",
    "https://portal.example.org?x",
    "https://portal.example.org/#",
    "https://user@portal.example.org",
    "https://[::1]:8443",
    "https://portal.example.org;script-src 'unsafe-inline'",
    "https://portal.example.org, https://evil.example",
    "https://a,b",
    "https://a;b",
    "https://a'b",
    "https://portal.example.org https://evil.example",
    "*",
    "https:",
    "'self'",
    "data:",
    "javascript:alert(1)",
    "//portal.example.org",
    "portal.example.org",
    "null",
    "",
    "https://x\n.example",
    "https://portal.example\\",
    "https:portal.example",
    "https:\\\\portal.example",
    "https:///portal.example",
    `https://${"a".repeat(300)}.example`,
    "https://".repeat(500_000)
  ])("refuses what is no exact origin: %.60j", (origin) => {
    assert.deepStrictEqual(pathsOf(decode({ ...good, embedOrigins: ["https://a.example", origin] }, own)), [
      "embedOrigins[1]"
    ])
  })

  it("holds at most twenty origins", () => {
    const origins = Array.from({ length: 21 }, (_, index) => `https://a${index}.example`)
    assert.strictEqual(read({ ...good, embedOrigins: origins.slice(1) }).embedOrigins.length, 20)
    assert.deepStrictEqual(pathsOf(decode({ ...good, embedOrigins: origins }, own)), ["embedOrigins"])
    assert.deepStrictEqual(pathsOf(decode({ ...good, embedOrigins: "https://a.example" }, own)), ["embedOrigins"])
  })

  it("names monitors alone, with headings, or both ways alike", () => {
    const monitors = [
      { monitorId: "mon_2", displayGroup: "Front" },
      { monitorId: "mon_1", displayGroup: null }
    ]
    const bare = monitors.map((one) => ({ ...one, displayGroup: null }))
    assert.deepStrictEqual(read({ ...good, monitorIds: ["mon_2", "mon_1"] }).monitors, bare as never)
    assert.deepStrictEqual(read({ ...good, monitors }).monitors, monitors as never)
    assert.deepStrictEqual(read({ ...good, monitors, monitorIds: ["mon_2", "mon_1"] }).monitors, monitors as never)
    assert.deepStrictEqual(read({ ...good, monitors: [{ monitorId: "mon_1" }] }).monitors, [bare[1]] as never)
  })

  it.each([
    [{ ...good, monitorIds: ["mon_1"], monitors: [{ monitorId: "mon_2" }] }, ["monitors"]],
    [{ ...good, monitorIds: [], monitors: [{ monitorId: "mon_2" }] }, ["monitors"]],
    [
      { ...good, monitorIds: ["mon_2", "mon_1"], monitors: [{ monitorId: "mon_1" }, { monitorId: "mon_2" }] },
      ["monitors"]
    ],
    [
      { ...good, monitors: [{ monitorId: "mon_1" }, { monitorId: "mon_1", displayGroup: "x" }] },
      ["monitors[1].monitorId"]
    ],
    [{ ...good, monitorIds: ["mon_1", "mon_2", "mon_1", "mon_1"] }, ["monitorIds[2]", "monitorIds[3]"]],
    [{ ...good, monitorIds: ["sp_1"] }, ["monitorIds[0]"]],
    [{ ...good, monitorIds: null }, ["monitorIds"]],
    [{ ...good, monitorIds: Array.from({ length: 1001 }, (_, index) => `mon_${index}`) }, ["monitorIds"]],
    [{ ...good, monitors: [{ monitorId: "mon_1", displayGroup: "" }] }, ["monitors[0].displayGroup"]],
    [{ ...good, monitors: [{ monitorId: "mon_1", group: "x" }] }, ["monitors[0].group"]],
    [{ ...good, monitors: ["mon_1"] }, ["monitors[0]"]],
    [{ ...good, id: "sp_1", customDomainStatus: "active" }, ["customDomainStatus", "id"]],
    [{}, ["name", "slug"]],
    [{ name: " ", slug: "Acme", monitorIds: 5, customDomain: 5 }, ["customDomain", "monitorIds", "name", "slug"]],
    [{ name: "a\u0000", slug: "acme" }, ["name"]],
    [[], [""]],
    ["acme", [""]],
    [null, [""]],
    [JSON.parse('{"name":"Acme","slug":"acme","__proto__":{"customDomain":"a.example"}}'), ["__proto__"]]
  ])("%j is refused at %j", (body, paths) => assert.deepStrictEqual(pathsOf(decode(body, own)), paths))

  it("takes a thousand monitors", () => {
    const monitorIds = Array.from({ length: 1000 }, (_, index) => `mon_${index}`)
    assert.lengthOf(read({ ...good, monitorIds }).monitors, 1000)
  })

  it("says where it names monitors that are not there", () => {
    const strange = [MonitorId.make("mon_3")]
    const rows = (body: unknown) => unknownMonitors(body, strange).map(({ path }) => path)
    assert.deepStrictEqual(rows({ monitorIds: ["mon_1", "mon_3"] }), ["monitorIds[1]"])
    assert.deepStrictEqual(rows({ monitors: [{ monitorId: "mon_3" }] }), ["monitors[0].monitorId"])
    assert.deepStrictEqual(rows({ name: "Acme" }), [])
  })
})

describe("a custom domain", () => {
  it.each([
    ["status.acme.example", "status.acme.example"],
    ["Status.Acme.Example.", "status.acme.example"],
    ["Münster.example", "xn--mnster-3ya.example"],
    ["XN--MNSTER-3YA.example", "xn--mnster-3ya.example"],
    ["status。acme．example。", "status.acme.example"],
    ["faß.example", "xn--fa-hia.example"],
    ["🦉.example", "xn--8s9h.example"],
    ["notpages.example", "notpages.example"],
    ["", null],
    [null, null]
  ])("%j is kept as %j", (text, name) => assert.strictEqual(read({ ...good, customDomain: text }).customDomain, name))

  it.each([
    "kanmon.example",
    "KANMON.example.",
    "ＫＡＮＭＯＮ.example",
    "localhost",
    "127.0.0.1",
    "127.1",
    "1.2.3.0x4",
    "１２７.0.0.1",
    "[::1]",
    "http://status.acme.example",
    "status.acme.example:443",
    "status.acme.example/x",
    "status.acme.example?x",
    "me@status.acme.example",
    "status.acme.example..",
    "status..acme.example",
    ".",
    " status.acme.example",
    "status.acme.exam\nple",
    "status.acme.ex%61mple",
    "status／acme.example",
    "*.acme.example",
    "_dmarc.acme.example",
    `${"é".repeat(64)}.example`,
    5,
    {}
  ])("%j is refused", (text) =>
    assert.deepStrictEqual(pathsOf(decode({ ...good, customDomain: text }, own)), ["customDomain"])
  )

  it("stays as it is once it was read", () => {
    fc.assert(
      fc.property(fc.oneof(fc.domain(), fc.string(), fc.webAuthority()), (text) => {
        const first = decode({ ...good, customDomain: text }, own)
        if (Result.isFailure(first)) return
        assert.strictEqual(
          read({ ...good, customDomain: first.success.customDomain }).customDomain,
          first.success.customDomain
        )
      })
    )
  })
})

describe("a change of a status page", () => {
  it("that is empty changes nothing", () => {
    fc.assert(fc.property(pages, (page) => assert.deepStrictEqual(Result.getOrThrow(changed(page, {})), draftOf(page))))
  })

  it("that says what is so changes nothing, in either way", () => {
    fc.assert(
      fc.property(pages, (page) => {
        const { monitorIds, monitors, ...rest } = { ...draftOf(page), monitorIds: page.monitorIds }
        for (const change of [{ ...rest, monitorIds }, { ...rest, monitors }, { monitorIds }, { monitors, monitorIds }])
          assert.deepStrictEqual(Result.getOrThrow(changed(page, change)), draftOf(page))
      })
    )
  })

  it("by monitorIds keeps the headings of those that stay, and gives new ones none", () => {
    const reordered = pages.chain((page) =>
      fc.record({
        page: fc.constant(page),
        ids: fc.shuffledSubarray([...page.monitorIds, MonitorId.make("mon_Added")])
      })
    )
    fc.assert(
      fc.property(reordered, ({ ids, page }) => {
        const { monitors } = Result.getOrThrow(changed(page, { monitorIds: ids }))
        assert.deepStrictEqual(
          monitors.map(({ monitorId }) => monitorId),
          ids
        )
        for (const { displayGroup, monitorId } of monitors) {
          const before = page.monitors.find((one) => one.monitorId === monitorId)
          assert.strictEqual(displayGroup, before?.displayGroup ?? null)
        }
      })
    )
  })

  it("by monitors says all of the headings", () => {
    fc.assert(
      fc.property(pages, heading, (page, displayGroup) => {
        const monitors = page.monitorIds.map((monitorId) => ({ monitorId, ...(displayGroup && { displayGroup }) }))
        const expected = page.monitorIds.map((monitorId) => ({ monitorId, displayGroup }))
        assert.deepStrictEqual(Result.getOrThrow(changed(page, { monitors })).monitors, expected)
      })
    )
  })

  it("changes one field and leaves the others", () => {
    fc.assert(
      fc.property(pages, (page) => {
        const draft = draftOf(page)
        for (const change of [
          { name: "New" },
          { slug: "new" },
          { customDomain: null },
          { tags: ["new"] },
          { embedOrigins: ["https://new.example"] },
          { customDomain: "new.example" }
        ])
          assert.deepStrictEqual(Result.getOrThrow(changed(page, change)), { ...draft, ...change })
      })
    )
  })

  it("shows no monitors where null puts the field back to its default", () => {
    const [page] = fc.sample(pages, { numRuns: 1, seed: 1 })
    assert.isEmpty(Result.getOrThrow(changed(page!, { monitors: null })).monitors)
  })

  it.each([
    [{ slug: null, name: null }, ["name", "slug"]],
    [{ customDomain: "other.pages.example" }, ["customDomain"]],
    [{ projectId: "prj_2" }, ["projectId"]],
    [[], [""]],
    [null, [""]]
  ])("%j is refused at %j", (change, paths) => {
    const [page] = fc.sample(pages, { numRuns: 1, seed: 1 })
    assert.deepStrictEqual(pathsOf(changed(page!, change)), paths)
  })
})
