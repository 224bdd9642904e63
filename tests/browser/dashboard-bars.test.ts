/** The tooltip of bars: the same by mouse, by keyboard and by finger, in the list of monitors and on the days of one. */
import { assert, describe, layer } from "@effect/vitest"
import type { Locator, Page } from "playwright-core"
import * as Browser from "../support/Browser.ts"
import { objections } from "./Axe.ts"
import { overflow } from "./EveryLook.ts"
import { picture } from "./Look.ts"
import { installation, view, visit, type Visitor } from "./Visitor.ts"

/** A job that succeeded and then failed. */
const failedJob = async ({
  call,
  context,
  origin,
  page
}: Visitor): Promise<{ readonly id: string; readonly bar: Locator }> => {
  const job = await call("post", "/monitors", { name: "Backup", type: "heartbeat", interval: 86_400 })
  for (const suffix of ["", "/3"]) await context.request.post(`${job.heartbeatUrl}${suffix}`)
  await page.goto(`${origin}/monitors`)
  const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: "Backup" }) })
  const bar = row.getByRole("img", { name: "1 of the last 2 results passed" })
  await bar.waitFor()
  return { id: job.id, bar }
}

/** The tooltip, once it says a text. */
const saying = (page: Page, text: string | RegExp) => page.locator("#tip").filter({ hasText: text }).waitFor()

/** The middle of the last column of a bar of 30. */
const newest = async (bar: Locator) => {
  const { height, width, x, y } = (await bar.boundingBox())!
  return { x: x + width * (29.5 / 30), y: y + height / 2 }
}

describe.skipIf(Browser.skipped)(`bars of the dashboard${Browser.note}`, () => {
  layer(installation, { excludeTestServices: true })((it) => {
    it.effect("say what a column is to the mouse and to the keyboard, and are gone with the page", () =>
      visit("ada", async (visitor) => {
        const { origin, page } = visitor
        const { bar, id } = await failedJob(visitor)
        const { x, y } = await newest(bar)
        await page.mouse.move(x, y)
        await saying(page, "DownNewest result")
        await picture(page, "dashboard bars list", false)
        await page.mouse.move(x - (await bar.boundingBox())!.width / 30, y)
        await saying(page, "Up1 result before the newest")
        assert.deepStrictEqual(await objections(page), [])
        await page.mouse.move(5, 5)
        await page.locator("#tip").waitFor({ state: "hidden" })

        await page.keyboard.press("j")
        await page.keyboard.press("ArrowLeft")
        await saying(page, "DownNewest result")
        await page.keyboard.press("ArrowLeft")
        await saying(page, "Up1 result before the newest")
        await page.getByRole("status").filter({ hasText: "Up, 1 result before the newest" }).waitFor()
        await page.keyboard.press("Escape")
        await page.locator("#tip").waitFor({ state: "hidden" })

        // A press on the bar opens the monitor, as one on its row does.
        await page.mouse.click(x, y)
        await page.waitForURL(`${origin}/monitors/${id}`)
        assert.isTrue(await page.locator("#tip").isHidden())

        const days = page.getByRole("slider", { name: "Uptime by day, last 90 days" })
        await days.focus()
        await saying(page, /20\d\d.*%.*Uptime/)
        const today = await days.getAttribute("aria-valuetext")
        await page.keyboard.press("ArrowLeft")
        await saying(page, "No data")
        assert.notStrictEqual(await days.getAttribute("aria-valuetext"), today)
        await picture(page, "dashboard bars days", false)
        assert.deepStrictEqual(await objections(page), [])
      })
    )

    it.effect("say it to a finger, which stays on the page", () =>
      visit(
        "bea",
        async (visitor) => {
          const { page } = visitor
          const { bar } = await failedJob(visitor)
          const { x, y } = await newest(bar)
          await page.touchscreen.tap(x, y)
          await saying(page, "DownNewest result")
          await picture(page, "dashboard bars phone", false)
          assert.match(page.url(), /\/monitors$/)
          assert.strictEqual(await overflow(page), "")
          await page.touchscreen.tap(20, 20)
          await page.locator("#tip").waitFor({ state: "hidden" })
        },
        { ...view, hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } }
      )
    )
  })
})
