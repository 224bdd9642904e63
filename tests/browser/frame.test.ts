/** The frame of the pages: one edge, and titles at one height, at every width. */
import { assert, describe, layer } from "@effect/vitest"
import type { Page } from "playwright-core"
import * as Browser from "../support/Browser.ts"
import { addressOf, createEverything, everyPage } from "./EveryPage.ts"
import { installation, settled, visit } from "./Visitor.ts"

const { "signing in": _, ...framed } = everyPage
const addresses = Object.values(framed)
  .flat()
  .filter((address) => address !== "/wall")

const rem = 16
/** The side bar, and the margin beside it. */
const edge = { 360: rem, 1280: (14 + 2) * rem } as const

/** Where the title begins: its text, since a title may be as wide as the page. */
const titleOf = (page: Page) =>
  page.evaluate(() => {
    const range = document.createRange()
    range.selectNodeContents(document.querySelector("main h1")!)
    const { left, top } = range.getBoundingClientRect()
    return { left: Math.round(left), top: Math.round(top) }
  })

describe.skipIf(Browser.skipped)(`the frame${Browser.note}`, () => {
  layer(installation, { excludeTestServices: true })((it) => {
    it.effect("has the titles of all pages at one edge and one height", () =>
      visit("fran", async (visitor) => {
        const { origin, page } = visitor
        const ids = await createEverything(visitor, ["Checkout"])
        const tops = new Map<number, number>()
        for (const address of addresses) {
          await page.goto(`${origin}${addressOf(address, ids)}`)
          await settled(page)
          for (const width of [1280, 360] as const) {
            await page.setViewportSize({ width, height: 800 })
            const { left, top } = await titleOf(page)
            tops.set(width, tops.get(width) ?? top)
            assert.strictEqual(top, tops.get(width), `${address} at ${width}`)
            // On a phone the way back stands before the title.
            if (width === 1280) assert.strictEqual(left, edge[width], `${address} at ${width}`)
            else assert.isAtLeast(left, edge[width], `${address} at ${width}`)
          }
          await page.setViewportSize({ width: 1280, height: 800 })
        }
      })
    )

    it.effect("keeps the place of the scrollbar, and stays around an address that leads nowhere", () =>
      visit("gil", async ({ origin, page }) => {
        await page.goto(`${origin}/nowhere`)
        await page.getByRole("heading", { name: "There is nothing at this address" }).waitFor()
        await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Monitors" }).click()
        await page.waitForURL(`${origin}/monitors`)
        assert.strictEqual(
          await page.evaluate(() => getComputedStyle(document.documentElement).scrollbarGutter),
          "stable"
        )
      })
    )
  })
})
