/** The results of the palette. */
import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type Entry, index, search } from "../src/routes/paletteSearch.ts"

const entry = (label: string, detail?: string): Entry => ({ id: label, kind: "monitor", label, detail })
const labels = (entries: ReadonlyArray<Entry>) => entries.map(({ label }) => label)

describe("the palette", () => {
  const entries = index([
    entry("My shop"),
    entry("Workshop"),
    entry("Café", "https://shop.example"),
    entry("Shop"),
    entry("Bank")
  ])

  it("shows first the items with a name that begins with the text, then those with such a word", () => {
    expect(labels(search(entries, "shop", [], 10))).toEqual(["Shop", "My shop", "Workshop", "Café"])
  })

  it("compares without case and accents, and wants every word", () => {
    expect(labels(search(entries, "CAFE", [], 10))).toEqual(["Café"])
    expect(labels(search(entries, "example cafe", [], 10))).toEqual(["Café"])
    expect(search(entries, "shop bank", [], 10)).toEqual([])
  })

  it("shows the recent ones first while nothing is typed", () => {
    expect(labels(search(entries, " ", ["Bank", "gone", "Shop"], 3))).toEqual(["Bank", "Shop", "My shop"])
  })

  it("shows what fails, then pages, then records, and actions last, while nothing is typed", () => {
    const mixed = index<Entry>([
      { id: "j", kind: "action", label: "Next monitor" },
      { id: "/alerts", kind: "page", label: "Alerts" },
      { id: "m1", kind: "monitor", label: "Well" },
      ...Array.from({ length: 7 }, (_, at) => ({
        id: `d${at}`,
        kind: "monitor" as const,
        label: `Down ${at}`,
        isUrgent: true
      })),
      { id: "m2", kind: "monitor", label: "Recent" }
    ])
    expect(labels(search(mixed, "", ["m2"], 20)).join(", ")).toBe(
      "Down 0, Down 1, Down 2, Down 3, Down 4, Recent, Alerts, Well, Next monitor, Down 5, Down 6"
    )
  })

  it("finds what is typed among 10,000 monitors, with no more than are shown", () => {
    const many = index(
      Array.from({ length: 10_000 }, (_, at) => entry(`Service number ${at}`, `https://service-${at}.example/health`))
    )
    for (const typed of ["s", "se", "ser", "service", "service 77", "service 77 x", ""]) {
      const found = labels(search(many, typed, [], 50))
      expect(found.length, typed).toBeLessThanOrEqual(50)
      expect(found.length, typed).toBeGreaterThan(0)
    }
  })

  it("finds every entry by a part of its name, at most once, within the limit", () =>
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 20 }),
        fc.nat(),
        fc.nat(20),
        (names, pick, limit) => {
          const all = index(names.map((name) => entry(name)))
          const wanted = names[pick % names.length]!
          const found = search(all, wanted, [], names.length)
          expect(labels(found)).toContain(wanted)
          expect(new Set(found).size).toBe(found.length)
          expect(search(all, wanted, [], limit).length).toBeLessThanOrEqual(limit)
        }
      )
    ))
})
