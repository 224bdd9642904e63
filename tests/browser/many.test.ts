/** A status page with as many monitors as a plan allows: shown part by part, with a script and without. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import * as Browser from "../support/Browser.ts"
import * as Past from "../support/Past.ts"
import { type Published, Site, type Watched } from "./Site.ts"
import { visit } from "./Visit.ts"

const count = 500
const chunk = 50

/** 480 monitors in eight groups whose edges are not the parts' edges, and 20 in none. */
class Many extends Context.Service<Many, { readonly shown: Published; readonly monitors: ReadonlyArray<Watched> }>()(
  "@kanmon/tests/browser/Many"
) {
  static readonly layer = Layer.effect(
    Many,
    Effect.flatMap(Site, (site) =>
      Effect.promise(async () => {
        const monitors = await site.monitors(Array.from({ length: count }, (_, index) => `Service ${index}`))
        await site.remember(monitors, Past.varied)
        const groupOf = (index: number) => (index < 480 ? { group: `Group ${Math.floor(index / 60)}` } : {})
        const shown = await site.publish(
          "Acme",
          monitors.map((monitor, index) => ({ monitor, ...groupOf(index) }))
        )
        return { shown, monitors }
      })
    )
  ).pipe(Layer.provideMerge(Site.layer))
}

const names = (page: Page) => page.locator(".monitor :is(h3, h4)").allTextContents()
const expected = Array.from({ length: count }, (_, index) => `Service ${index}`)

describe.skipIf(Browser.skipped)(`a status page of ${count} monitors${Browser.note}`, () => {
  layer(Many.layer, { excludeTestServices: true })((it) => {
    it.effect("links from part to part without a script", () =>
      Effect.flatMap(Many, ({ shown }) =>
        visit({ javaScriptEnabled: false }, async ({ page, requests }) => {
          await page.goto(shown.url)
          const seen = [...(await names(page))]
          while ((await page.locator("a[rel=next]").count()) > 0) {
            await page.getByRole("link", { name: "Show more monitors" }).click()
            await page.waitForURL(/cursor=\d+$/)
            seen.push(...(await names(page)))
          }
          assert.deepStrictEqual(seen, expected)
          assert.strictEqual(requests.length, count / chunk)
          await page.getByRole("link", { name: "Show previous monitors" }).click()
          await page.waitForURL(/cursor=400$/)
        })
      )
    )

    it.effect("loads more while scrolling, until all are shown, and keeps them on refresh", () =>
      Effect.flatMap(Many, ({ monitors, shown }) =>
        visit({}, async ({ page, requests }) => {
          await page.clock.install()
          // However long it takes, the page asks again only when the test says so.
          await page.clock.pauseAt(Date.now() + 600_000)
          await page.goto(shown.ownUrl)
          for (let shownSoFar = chunk; shownSoFar < count; shownSoFar += chunk) {
            await page.locator("#next").scrollIntoViewIfNeeded()
            await page.waitForFunction(
              (least) => document.querySelectorAll(".monitor").length >= least,
              shownSoFar + chunk
            )
          }
          assert.deepStrictEqual(await names(page), expected)
          assert.deepStrictEqual(
            await page.locator(".group-title h3").allTextContents(),
            Array.from({ length: 8 }, (_, index) => `Group ${index}`)
          )
          assert.strictEqual(await page.locator("section.group").count(), 9)
          assert.strictEqual(await page.locator("#next a").count(), 0)
          assert.strictEqual(requests.length, count / chunk, "each part once")

          await monitors[70]!.signal("down")
          await shown.until((now) => now.status.indicator === "major_outage")
          await page.clock.fastForward(31_000)
          await page.locator(`#${monitors[70]!.id} .state`, { hasText: "Down" }).waitFor()
          assert.deepStrictEqual(await names(page), expected)
          assert.strictEqual(requests.length, (2 * count) / chunk, "each part once more")
        })
      )
    )
  })
})
