/** How status pages are read: with and without a script, by keyboard and by touch, anywhere in the world, for hours. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import * as Browser from "../support/Browser.ts"
import { hostile, Shop } from "./Shop.ts"
import { visit } from "./Visit.ts"

const text = async (page: Page, selector: string): Promise<string> =>
  (await page.locator(selector).allInnerTexts()).join("\n").replaceAll(/[\s\u00a0]+/g, " ")

/** Tells the page that somebody looks, or that nobody does. */
const turn = (page: Page, visibility: "visible" | "hidden") =>
  page.evaluate((state) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state })
    document.dispatchEvent(new Event("visibilitychange"))
  }, visibility)

const background = (page: Page): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor)

describe.skipIf(Browser.skipped)(`reading a status page${Browser.note}`, () => {
  layer(Shop.layer, { excludeTestServices: true })((it) => {
    it.effect("shows everything without a script", () =>
      Effect.flatMap(Shop, ({ bad, later, now }) =>
        visit({ javaScriptEnabled: false }, async ({ page, requests }) => {
          await page.goto(bad.url)
          assert.strictEqual(await text(page, "h1"), "Some systems are down")
          const whole = await text(page, "main")
          for (const words of [
            "Payments are refused",
            "We look into it.",
            "Maintenance in progress",
            now.title,
            "Scheduled maintenance",
            later.title,
            "Web shop 1 of 3 down",
            "Checkout",
            "Down since",
            "Degraded since",
            "Under maintenance since",
            "Waiting for the first check",
            "Paused",
            "24 hours",
            "Response time",
            hostile.markup,
            hostile.group,
            "Past incidents"
          ])
            assert.include(whole, words)
          assert.match(await text(page, "#maintenance .window"), /^\d+ \w{3} 20\d\d, \d\d:\d\d UTC to .*\d\d:\d\d UTC$/)
          const outages = page.locator(".outages").first()
          await outages.locator("summary").click()
          assert.match((await outages.locator("li").first().innerText()).replaceAll("\n", " "), /UTC.+/)
          const past = page.locator(".past").first()
          await past.locator("summary").click()
          assert.include(await past.innerText(), "All pictures are back.")
          assert.strictEqual(requests.length, 1)
        })
      )
    )

    it.effect("updates twice a minute while visible, and sends no requests while hidden", () =>
      Effect.flatMap(Shop, ({ good }) =>
        visit({}, async ({ page, requests }) => {
          await page.clock.install()
          await page.goto(good.url)
          const monitor = (await page.locator(".monitor").first().elementHandle())!
          const answered = () => page.waitForResponse((response) => response.request().resourceType() === "fetch")
          for (let round = 1; round <= 3; round++) {
            const answer = answered()
            await page.clock.fastForward(31_000)
            await (await answer).finished()
            assert.strictEqual(requests.length, 1 + round)
          }
          // Nothing was new, so nothing was touched; but that it was looked is told.
          assert.isTrue(await monitor.evaluate((element) => element.isConnected))
          await page.waitForFunction(() => /now|0 seconds/.test(document.querySelector("#updated")!.textContent!))

          await turn(page, "hidden")
          await page.clock.fastForward(600_000)
          assert.strictEqual(requests.length, 4)
          const answer = answered()
          await turn(page, "visible")
          await (await answer).finished()
          assert.strictEqual(requests.length, 5)
        })
      )
    )

    it.effect("keeps focus, scroll position and open parts on updates", () =>
      Effect.flatMap(Shop, ({ bad, named }) =>
        visit({ viewport: { width: 800, height: 600 }, reducedMotion: "reduce" }, async ({ page }) => {
          await page.clock.install()
          await page.goto(bad.url)
          const outages = page.locator(`#outages-${named("Backup").id}`)
          await outages.locator("summary").focus()
          await page.keyboard.press("Enter")
          const before = await page.evaluate(() => window.scrollY)
          assert.isAbove(before, 0)

          await named("Search").signal("down")
          await bad.until(({ monitors }) => monitors.find(({ name }) => name === "Search")!.status === "down")
          await page.clock.fastForward(31_000)
          await page.locator(`#${named("Search").id} .state`, { hasText: "Down" }).waitFor()
          assert.strictEqual(await outages.getAttribute("open"), "")
          assert.isTrue(await outages.locator("summary").evaluate((summary) => summary === document.activeElement))
          assert.approximately(await page.evaluate(() => window.scrollY), before, 2)
          await named("Search").signal("degraded")
          await bad.until(({ monitors }) => monitors.find(({ name }) => name === "Search")!.status === "degraded")
        })
      )
    )

    it.effect("shows times in the reader's time zone", () =>
      Effect.flatMap(Shop, ({ bad, now }) =>
        Effect.forEach(["Asia/Tokyo", "America/New_York", "UTC"], (timezoneId) =>
          visit({ timezoneId }, async ({ page }) => {
            await page.goto(bad.url)
            const hour = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: timezoneId })
            const told = await text(page, "#maintenance .window")
            assert.include(told, hour.format(now.from))
            assert.include(told, hour.format(now.to))
            assert.notInclude(told, "UTC")
          })
        )
      )
    )

    it.effect("speaks one language, also to readers of another one", () =>
      Effect.flatMap(Shop, ({ bad }) =>
        visit({ locale: "de-DE", timezoneId: "Europe/Berlin" }, async ({ page }) => {
          await page.goto(bad.url)
          const updated = page.locator("#updated")
          await page.waitForFunction(() => document.querySelector("#updated time")?.textContent !== "")
          assert.match(await updated.innerText(), /now|\d+ seconds? ago/)
          const said = await text(page, "main")
          assert.notMatch(said, /\b(?:jetzt|vor|Stunden?|Dez|Okt|M\u00E4rz|Mai)\b/)
          // The clock is the reader's own.
          assert.notMatch(said, /\d\s?[AP]M\b/)
          assert.strictEqual(await page.locator("[lang]:not(html)").count(), 0)
        })
      )
    )

    it.effect("follows the dark colour scheme, and stores nothing", () =>
      Effect.flatMap(Shop, ({ good }) =>
        visit({ colorScheme: "dark" }, async ({ page }) => {
          await page.goto(good.url)
          const dark = await background(page)
          await page.emulateMedia({ colorScheme: "light" })
          assert.notStrictEqual(await background(page), dark)
          assert.deepStrictEqual(await page.context().cookies(), [])
          assert.strictEqual(await page.evaluate(() => localStorage.length + sessionStorage.length), 0)
        })
      )
    )

    it.effect("works with the keyboard", () =>
      Effect.flatMap(Shop, ({ bad, named }) =>
        visit({}, async ({ page }) => {
          await page.goto(bad.url)
          await page.keyboard.press("Tab")
          assert.strictEqual(await page.evaluate(() => document.activeElement!.className), "skip")
          await page.keyboard.press("Enter")
          await page.keyboard.press("Tab")
          const bar = page.locator(`#${named("Checkout").id} .bar`)
          assert.isTrue(await bar.evaluate((element) => element === document.activeElement))
          const tip = page.locator("#tip")
          await tip.waitFor()
          const today = await tip.innerText()
          assert.strictEqual(await bar.getAttribute("aria-valuenow"), "90")
          await page.keyboard.press("ArrowLeft")
          assert.strictEqual(await bar.getAttribute("aria-valuenow"), "89")
          assert.notStrictEqual(await tip.innerText(), today)
          assert.include(await bar.getAttribute("aria-valuetext"), (await tip.innerText()).split("\n")[0]!)
          await page.keyboard.press("Home")
          assert.strictEqual(await bar.getAttribute("aria-valuenow"), "1")
          await page.keyboard.press("Escape")
          await tip.waitFor({ state: "hidden" })
          await page.keyboard.press("Tab")
          await page.keyboard.press("Enter")
          assert.strictEqual(await page.locator(`#outages-${named("Checkout").id}`).getAttribute("open"), "")
        })
      )
    )

    it.effect("says by itself which days had downtime where no script runs, and once where one does", () =>
      Effect.flatMap(Shop, ({ bad, named }) =>
        Effect.gen(function* () {
          const hints = async (page: Page) => page.locator(`#${named("Checkout").id} .bar title`).allTextContents()
          yield* visit({ javaScriptEnabled: false }, async ({ page }) => {
            await page.goto(bad.url)
            const found = await hints(page)
            assert.isNotEmpty(found)
            for (const text of found) assert.match(text, /^20\d\d-\d\d-\d\d: [\d.]+% up, down for \d/)
          })
          yield* visit({}, async ({ page }) => {
            await page.goto(bad.url)
            await page.locator(`#${named("Checkout").id} .bar[role=slider]`).waitFor()
            assert.deepStrictEqual(await hints(page), [])
          })
        })
      )
    )

    it.effect("shows the days of a bar by touch", () =>
      Effect.flatMap(Shop, ({ good }) =>
        visit({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } }, async ({ page, picture }) => {
          await page.goto(good.url)
          const bar = page.locator(".bar").first()
          await bar.scrollIntoViewIfNeeded()
          const box = (await bar.boundingBox())!
          await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
          const tip = page.locator("#tip")
          await tip.waitFor()
          assert.match(await tip.innerText(), /20\d\d\n(100|\d\d\.\d+)% up\n/)
          await picture("touched", { whole: false })
          await page.touchscreen.tap(200, 20)
          await tip.waitFor({ state: "hidden" })
        })
      )
    )
  })
})
